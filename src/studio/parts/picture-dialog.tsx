// The dialog that chooses a picture: one of the account's images, a file, or an address.

import { accountPath, get } from '../shell/api.ts';
import type { ListPage, StoredImage } from '../shell/contract.ts';
import { useLoad } from '../shell/load.ts';
import { uploadImage } from '../shell/uploads.ts';
import { useAction } from './action.ts';
import { Dialog } from './dialog.tsx';
import { DropZone } from './drop-zone.tsx';
import { ACCEPTED_PICTURES, FilePicture, PictureAddress } from './picture-address.tsx';
import './picture-dialog.css';
import { texts } from '../texts/shell.ts';
import { ErrorPanel, Skeleton } from './states.tsx';

/** The newest images that are offered. */
const MOST = 100;

interface PictureDialogProps {
  readonly accountId: string;
  /** What the picture is for. */
  readonly label: string;
  readonly mayUpload: boolean;
  /** @param source an image's id, or an address */
  readonly onChoose: (source: string) => void;
  readonly onClose: () => void;
}

export function PictureDialog({ accountId, label, mayUpload, onChoose, onClose }: PictureDialogProps) {
  const path = accountPath(accountId, 'images');
  const { data, error } = useLoad(`${path}?picker`, () => get<ListPage<StoredImage>>(path, { limit: MOST }));
  const { isBusy, error: failure, run } = useAction();
  const upload = async ([file]: readonly File[]) => {
    if (!file) return;
    const { id } = await uploadImage(accountId, file);
    onChoose(id);
  };
  return (
    <Dialog title={texts.value.parts.choosePicture(label)} wide onClose={onClose}>
      {mayUpload && (
        <DropZone
          choose={texts.value.parts.upload}
          hint={texts.value.parts.fileHere}
          accept={ACCEPTED_PICTURES}
          onFiles={(files) => void run(() => upload(files))}
        />
      )}
      {isBusy && <p role="status">{texts.value.parts.uploading}</p>}
      {(failure ?? error) && <ErrorPanel error={failure ?? error ?? new Error()} />}
      {!data && !error && <Skeleton height={120} />}
      {data && data.items.length > 0 && (
        <div class="picture-choices" role="group" aria-label={texts.value.parts.images}>
          {data.items.map(({ id, name }) => (
            <button key={id} type="button" title={name ?? id} aria-label={name ?? id} onClick={() => onChoose(id)}>
              <FilePicture src={accountPath(accountId, 'images', id, 'file')} />
            </button>
          ))}
        </div>
      )}
      {data?.items.length === 0 && <p class="muted">{texts.value.parts.noImages}</p>}
      <PictureAddress onChoose={onChoose} />
    </Dialog>
  );
}
