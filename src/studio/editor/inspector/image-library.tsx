// The host's pictures to choose from, by folder where it has folders, and an upload.

import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { FolderField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { upload } from '../../parts/icons.ts';
import { useMessages } from '../../parts/toast.tsx';
import type { EditorHost, ListedPicture, PictureList } from '../core/host.ts';
import './image-library.css';
import { texts } from '../../texts/editor.ts';
import { type Dragged, useDragOut } from '../library/drag-out.ts';

interface ImageLibraryProps {
  readonly pictures: EditorHost['pictures'];
  readonly onChoose: (src: string, size?: ListedPicture['size']) => void;
  /** Words of names; '' = all are shown. */
  readonly search?: string;
  /** Makes a picture draggable; absent = none is. */
  readonly onDrop?: (picture: ListedPicture) => Dragged;
  /**
   * Called when an upload begins, during which other layers may be selected; returns what its end does. Absent: the same
   * as when a picture is chosen.
   */
  readonly onUpload?: () => (src: string) => void;
}

/** The folder that was chosen last; '' = all. */
const folder = signal('');

export function ImageLibrary({ pictures, onChoose, search = '', onDrop, onUpload }: ImageLibraryProps) {
  const { toastError } = useMessages();
  const [shown, show] = useState<PictureList | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => pictures.onChanged(() => setRound((before) => before + 1)), [pictures]);
  const { list, upload: store } = pictures;
  const chosen = folder.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` asks again.
  useEffect(() => {
    let isOver = false;
    list?.(search, chosen).then(
      (found) => {
        if (isOver) return;
        show(found);
        // It is gone, or another account's.
        if (!found.folders.includes(chosen)) folder.value = '';
      },
      (error: unknown) => {
        toastError(error);
        if (!isOver) show({ pictures: [], folders: [] });
      },
    );
    return () => {
      isOver = true;
    };
  }, [list, search, chosen, round]);
  return (
    <div class="image-library">
      {store && (
        <label class="add-button">
          <Icon of={upload} size={14} />
          {texts.value.inspector.upload}
          <input
            class="visually-hidden"
            type="file"
            accept="image/png,image/jpeg,image/webp,image/gif,image/avif,image/svg+xml,application/pdf"
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? [];
              const choose = onUpload?.() ?? onChoose;
              if (file) {
                store(file, chosen).then(({ src }) => {
                  choose(src);
                  setRound((before) => before + 1);
                }, toastError);
              }
            }}
          />
        </label>
      )}
      {shown && shown.folders.length > 0 && (
        <FolderField
          folders={shown.folders.map((name) => ({ name }))}
          folder={chosen}
          dense
          onChoose={(name) => {
            folder.value = name;
          }}
        />
      )}
      <div class="image-grid">
        {shown?.pictures.map((picture) => (
          <PictureButton key={picture.src} {...{ picture, onChoose }} drop={onDrop?.(picture)} />
        ))}
      </div>
      {shown?.pictures.length === 0 && (
        <p class="faint">{search === '' ? texts.value.inspector.noPictures : texts.value.library.nothing}</p>
      )}
    </div>
  );
}

interface PictureButtonProps extends Pick<ImageLibraryProps, 'onChoose'> {
  readonly picture: ListedPicture;
  readonly drop: Dragged | undefined;
}

function PictureButton({ picture: { src, name, address, size }, onChoose, drop }: PictureButtonProps) {
  return (
    <button type="button" title={name} aria-label={name} {...useDragOut(drop, () => onChoose(src, size))}>
      {/* Of a PDF browsers show the name. */}
      <img src={address} alt={name} loading="lazy" draggable={false} />
    </button>
  );
}
