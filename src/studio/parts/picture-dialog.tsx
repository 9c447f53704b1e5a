// The dialog that chooses a picture: one of the account's images, a file, or an address.

import { useRef, useState } from 'preact/hooks';
import { accountPath } from '../shell/api.ts';
import type { ImagePage, StoredImage } from '../shell/contract.ts';
import { useList } from '../shell/list.ts';
import { uploadImage } from '../shell/uploads.ts';
import { useAction } from './action.ts';
import { Dialog } from './dialog.tsx';
import { DropZone } from './drop-zone.tsx';
import { FolderField, SearchField } from './field.tsx';
import { ACCEPTED_PICTURES, FilePicture, PictureAddress } from './picture-address.tsx';
import './picture-dialog.css';
import { texts } from '../texts/shell.ts';
import { ErrorPanel, Skeleton } from './states.tsx';
import { ShowMore } from './table.tsx';

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
  const [search, setSearch] = useState('');
  const [folder, setFolder] = useState('');
  const list = useList<StoredImage, ImagePage>(accountPath(accountId, 'images'), { search, folder, limit: 100 });
  const { data, error } = list;
  // While a list is loaded, those of the one before are shown.
  const folders = useRef<ImagePage['folders']>([]);
  folders.current = data?.folders ?? folders.current;
  const { isBusy, error: failure, run } = useAction();
  const upload = async ([file]: readonly File[]) => {
    if (!file) return;
    const { id } = await uploadImage(accountId, file, folder);
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
      <div class="picture-filter">
        <SearchField label={texts.value.parts.searchImages} value={search} onText={setSearch} />
        {folders.current.length > 0 && <FolderField folders={folders.current} folder={folder} onChoose={setFolder} />}
      </div>
      {(failure ?? error) && <ErrorPanel error={failure ?? error ?? new Error()} />}
      {!data && !error && <Skeleton height={120} />}
      {data && data.items.length > 0 && (
        <div class="picture-choices" role="group" aria-label={texts.value.parts.images}>
          {data.items.map(({ id, name }) => (
            <button key={id} type="button" title={name ?? id} aria-label={name ?? id} onClick={() => onChoose(id)}>
              <FilePicture src={accountPath(accountId, 'images', id, 'file')} />
            </button>
          ))}
          <ShowMore of={list} />
        </div>
      )}
      {data?.items.length === 0 && <p class="muted">{texts.value.parts[search === '' ? 'noImages' : 'noResults']}</p>}
      <PictureAddress onChoose={onChoose} />
    </Dialog>
  );
}
