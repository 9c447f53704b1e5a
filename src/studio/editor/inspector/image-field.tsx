// Chooses a picture: from the account's images, from a file, or by its URL.

import { useComputed } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../../parts/icon.tsx';
import { image as imageIcon, upload } from '../../parts/icons.ts';
import { toastError } from '../../parts/toast.tsx';
import { accountPath, call, get } from '../../shell/api.ts';
import type { Page, StoredImage } from '../../shell/contract.ts';
import { onUploadsChanged } from '../../shell/uploads-changed.ts';
import type { EditorState } from '../state/editor-state.ts';
import { Popover } from './popover.tsx';

interface ImageFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: unknown;
  readonly isMixed: boolean;
  readonly onValue: (value: unknown) => void;
  readonly accountId: string;
  readonly editor: EditorState;
  /** As of the library below. */
  readonly onUpload?: () => (id: string) => void;
}

export function ImageField({ name, label, value, isMixed, onValue, accountId, editor, onUpload }: ImageFieldProps) {
  const source = typeof value === 'string' ? value : '';
  const [typed, setTyped] = useState<string | null>(null);
  const shown = source.startsWith('data:') ? `${source.slice(0, 22)}…` : source;
  // Recomputed with each picture, because more files may have loaded; so it reads that first, also while there is no
  // source yet.
  const known = useComputed(() => {
    const picture = editor.picture.value;
    return picture && source !== '' ? editor.compositor.images.sizeOf(source) : null;
  }).value;
  const set = (next: string) => {
    onValue(next === '' && name === 'fallback' ? null : next);
    // Whoever gives an address that failed before expects it to be tried.
    editor.retryPictures([next]);
  };
  const commit = () => {
    if (typed !== null) set(typed);
    setTyped(null);
  };
  return (
    <div class="image-field">
      <Popover
        label="Pictures"
        button={(attributes) => (
          <button
            {...attributes}
            type="button"
            class="image-thumb"
            aria-label={`${label}: choose a picture`}
            title="Choose a picture"
          >
            {known ? <img src={known.address} alt="" /> : <Icon of={imageIcon} size={16} />}
          </button>
        )}
      >
        {(close) => (
          <ImageLibrary
            accountId={accountId}
            onChoose={(id) => {
              set(id);
              close();
            }}
            onUpload={() => {
              const choose = onUpload?.() ?? set;
              return (id) => {
                choose(id);
                close();
              };
            }}
          />
        )}
      </Popover>
      <span class="stack">
        <input
          class="input is-dense is-mono"
          aria-label={`${label}: URL or ID`}
          placeholder={isMixed ? 'Mixed' : 'Choose, or an address'}
          spellcheck={false}
          value={typed ?? shown}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit();
          }}
        />
        {known && (
          <span class="faint">
            {Math.round(known.width)} × {Math.round(known.height)} px
          </span>
        )}
      </span>
    </div>
  );
}

export async function uploadImage(accountId: string, file: File): Promise<StoredImage> {
  const path = accountPath(accountId, 'images');
  return call<StoredImage>('POST', path, { body: file, query: { name: file.name } });
}

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
        Upload a picture
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
      {images?.length === 0 && <p class="faint">No pictures yet. Upload one, or drop a file on the canvas.</p>}
    </div>
  );
}
