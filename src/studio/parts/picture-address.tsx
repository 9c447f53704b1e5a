// The field of the picture dialogs that takes a picture's URL.

import { useState } from 'preact/hooks';
import { texts } from '../texts/shell.ts';
import { Button } from './button.tsx';
import { TextField } from './field.tsx';

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
