// The embedded editor's own choice of a picture, where the page offers none: one of the host's, a file to upload, or an
// address.

import { useState } from 'preact/hooks';
import type { EditorHost } from '../editor/host.ts';
import { ImageLibrary } from '../editor/inspector/image-library.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { DropZone } from '../parts/drop-zone.tsx';
import { TextField } from '../parts/field.tsx';
import { ErrorPanel } from '../parts/states.tsx';
import { texts } from '../texts/editor.ts';

const ACCEPT = 'image/png,image/jpeg,image/webp,image/gif,image/avif,image/svg+xml';

interface PictureChoiceProps {
  readonly pictures: EditorHost['pictures'];
  readonly layer: string;
  /** @param source as a layer's `src` says it, such as an image's id or an address */
  readonly onChoose: (source: string) => void;
  readonly onClose: () => void;
}

export function PictureChoice({ pictures, layer, onChoose, onClose }: PictureChoiceProps) {
  const [address, setAddress] = useState('');
  const [failure, setFailure] = useState<Error | null>(null);
  const { list, upload: store } = pictures;
  const upload = ([file]: readonly File[]) => {
    setFailure(null);
    if (file) store?.(file).then(({ src }) => onChoose(src), setFailure);
  };
  const isAddress = /^https?:\/\/\S/.test(address.trim());
  return (
    <Dialog title={texts.value.embed.choose(layer)} onClose={onClose}>
      {list ? (
        <ImageLibrary pictures={pictures} onChoose={onChoose} />
      ) : (
        store && <DropZone choose={texts.value.embed.upload} hint="" accept={ACCEPT} onFiles={upload} />
      )}
      {failure && <ErrorPanel error={failure} />}
      <form
        class="form-row"
        onSubmit={(event) => {
          event.preventDefault();
          if (isAddress) onChoose(address.trim());
        }}
      >
        <TextField
          label={texts.value.embed.address}
          placeholder="https://example.com/photo.jpg"
          value={address}
          onText={setAddress}
        />
        <Button type="submit" disabled={!isAddress}>
          {texts.value.embed.useAddress}
        </Button>
      </form>
    </Dialog>
  );
}
