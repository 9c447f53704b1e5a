// The embedded editor's own choice of a picture, where the page offers none: one of the host's, a file to upload, or an
// address.

import { useState } from 'preact/hooks';
import type { EditorHost } from '../editor/core/host.ts';
import { ImageLibrary } from '../editor/inspector/image-library.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { DropZone } from '../parts/drop-zone.tsx';
import { ACCEPTED_PICTURES, PictureAddress } from '../parts/picture-address.tsx';
import { ErrorPanel } from '../parts/states.tsx';
import { texts } from '../texts/editor.ts';

interface PictureChoiceProps {
  readonly pictures: EditorHost['pictures'];
  readonly layer: string;
  /** @param source as a layer's `src` says it, such as an image's id or an address */
  readonly onChoose: (source: string) => void;
  readonly onClose: () => void;
}

export function PictureChoice({ pictures, layer, onChoose, onClose }: PictureChoiceProps) {
  const [failure, setFailure] = useState<Error | null>(null);
  const { list, upload: store } = pictures;
  const upload = ([file]: readonly File[]) => {
    setFailure(null);
    if (file) store?.(file).then(({ src }) => onChoose(src), setFailure);
  };
  return (
    <Dialog title={texts.value.embed.choose(layer)} onClose={onClose}>
      {list ? (
        <ImageLibrary pictures={pictures} onChoose={onChoose} />
      ) : (
        store && <DropZone choose={texts.value.inspector.upload} hint="" accept={ACCEPTED_PICTURES} onFiles={upload} />
      )}
      {failure && <ErrorPanel error={failure} />}
      <PictureAddress onChoose={onChoose} />
    </Dialog>
  );
}
