// The embedded editor's own choice of a picture, for pages that offer none: a file to upload, or an address. The
// account's images are not shown: they may be those of other customers.

import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { DropZone } from '../parts/drop-zone.tsx';
import { TextField } from '../parts/field.tsx';
import { ErrorPanel } from '../parts/states.tsx';
import { uploadImage } from '../shell/upload-image.ts';
import { texts } from '../texts/editor.ts';

const ACCEPT = 'image/png,image/jpeg,image/webp,image/gif,image/avif,image/svg+xml';

interface PictureChoiceProps {
  readonly accountId: string;
  readonly layer: string;
  readonly mayUpload: boolean;
  /** @param source an image's id, or an address */
  readonly onChoose: (source: string) => void;
  readonly onClose: () => void;
}

export function PictureChoice({ accountId, layer, mayUpload, onChoose, onClose }: PictureChoiceProps) {
  const [address, setAddress] = useState('');
  const [failure, setFailure] = useState<Error | null>(null);
  const upload = ([file]: readonly File[]) => {
    setFailure(null);
    if (file) uploadImage(accountId, file).then(({ id }) => onChoose(id), setFailure);
  };
  const isAddress = /^https?:\/\/\S/.test(address.trim());
  return (
    <Dialog title={texts.value.embed.choose(layer)} onClose={onClose}>
      {mayUpload && <DropZone choose={texts.value.embed.upload} hint="" accept={ACCEPT} onFiles={upload} />}
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
