// The account's images to choose from, and an upload.

import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../../parts/icon.tsx';
import { upload } from '../../parts/icons.ts';
import { toastError } from '../../parts/toast.tsx';
import { accountPath, get } from '../../shell/api.ts';
import type { Page, StoredImage } from '../../shell/contract.ts';
import { uploadImage } from '../../shell/upload-image.ts';
import { onUploadsChanged } from '../../shell/uploads-changed.ts';
import './image-library.css';
import { texts } from '../../texts/editor.ts';

interface ImageLibraryProps {
  readonly accountId: string;
  readonly onChoose: (id: string) => void;
  /**
   * Called when an upload begins, during which other layers may be selected; returns what its end does. Absent: the same
   * as when a picture is chosen.
   */
  readonly onUpload?: () => (id: string) => void;
}

export function ImageLibrary({ accountId, onChoose, onUpload }: ImageLibraryProps) {
  const [images, setImages] = useState<readonly StoredImage[] | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => onUploadsChanged(accountId, () => setImages(null)), [accountId]);
  if (images === null && !isBusy) {
    setBusy(true);
    get<Page<StoredImage>>(accountPath(accountId, 'images'), { limit: 100 }).then(
      ({ items }) => {
        setImages(items);
        setBusy(false);
      },
      (error: unknown) => {
        toastError(error);
        setImages([]);
        setBusy(false);
      },
    );
  }
  return (
    <div class="image-library">
      <label class="add-button">
        <Icon of={upload} size={14} />
        {texts.value.inspector.upload}
        <input
          class="visually-hidden"
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif,image/avif,image/svg+xml"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            const choose = onUpload?.() ?? onChoose;
            if (file) uploadImage(accountId, file).then(({ id }) => choose(id), toastError);
          }}
        />
      </label>
      <div class="image-grid">
        {(images ?? []).map((picture) => (
          <button
            key={picture.id}
            type="button"
            title={picture.name ?? picture.id}
            aria-label={picture.name ?? picture.id}
            onClick={() => onChoose(picture.id)}
          >
            <img src={`${accountPath(accountId, 'images', picture.id, 'file')}`} alt="" loading="lazy" />
          </button>
        ))}
      </div>
      {images?.length === 0 && <p class="faint">{texts.value.inspector.noPictures}</p>}
    </div>
  );
}
