// The field of the picture dialogs that takes a picture's URL, and stored pictures as lists and fields show them.

import { useState } from 'preact/hooks';
import { texts } from '../texts/shell.ts';
import { Button } from './button.tsx';
import { TextField } from './field.tsx';
import { Icon } from './icon.tsx';
import { fileText } from './icons.ts';

/** Media types of the pictures that can be uploaded. */
export const ACCEPTED_PICTURES = 'image/png,image/jpeg,image/webp,image/gif,image/avif,image/svg+xml';

export function PictureAddress({ onChoose }: { readonly onChoose: (address: string) => void }) {
  const [typed, setTyped] = useState('');
  const address = typed.trim();
  const isAddress = /^https?:\/\/\S/.test(address);
  return (
    <form
      class="form-row"
      onSubmit={(event) => {
        event.preventDefault();
        if (isAddress) onChoose(address);
      }}
    >
      <TextField
        label={texts.value.parts.address}
        placeholder="https://example.com/photo.jpg"
        value={typed}
        onText={setTyped}
      />
      <Button type="submit" disabled={!isAddress}>
        {texts.value.parts.useAddress}
      </Button>
    </form>
  );
}

/** A picture, or the sign of a file where browsers have none of it, as of a PDF. */
export function FilePicture({ src }: { readonly src: string }) {
  const [broken, setBroken] = useState<string | null>(null);
  if (broken === src) return <Icon of={fileText} size={20} />;
  return <img src={src} alt="" loading="lazy" draggable={false} onError={() => setBroken(src)} />;
}
