// The host's pictures to choose from, and an upload.

import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../../parts/icon.tsx';
import { upload } from '../../parts/icons.ts';
import { useMessages } from '../../parts/toast.tsx';
import type { EditorHost, ListedPicture } from '../core/host.ts';
import './image-library.css';
import { texts } from '../../texts/editor.ts';

interface ImageLibraryProps {
  readonly pictures: EditorHost['pictures'];
  readonly onChoose: (src: string) => void;
  /**
   * Called when an upload begins, during which other layers may be selected; returns what its end does. Absent: the same
   * as when a picture is chosen.
   */
  readonly onUpload?: () => (src: string) => void;
}

export function ImageLibrary({ pictures, onChoose, onUpload }: ImageLibraryProps) {
  const { toastError } = useMessages();
  const [images, setImages] = useState<readonly ListedPicture[] | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => pictures.onChanged(() => setImages(null)), [pictures]);
  const { list, upload: store } = pictures;
  if (list && images === null && !isBusy) {
    setBusy(true);
    list().then(
      (items) => {
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
      {store && (
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
              if (file) store(file).then(({ src }) => choose(src), toastError);
            }}
          />
        </label>
      )}
      <div class="image-grid">
        {(images ?? []).map(({ src, name, address }) => (
          <button key={src} type="button" title={name} aria-label={name} onClick={() => onChoose(src)}>
            <img src={address} alt="" loading="lazy" />
          </button>
        ))}
      </div>
      {images?.length === 0 && <p class="faint">{texts.value.inspector.noPictures}</p>}
    </div>
  );
}
