// Chooses a picture: from the account's images, from a file, or by its URL.

import { useComputed } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { Problem } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { image as imageIcon } from '../../parts/icons.ts';
import { onDemand } from '../../parts/on-demand.tsx';
import { resolved, unknownName } from '../core/state/brand-names.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { useBrand } from './inspector-context.ts';
import './image-field.css';
import { texts } from '../../texts/editor.ts';
import { Popover } from './popover.tsx';

const ImageLibrary = onDemand(async () => (await import('./image-library.tsx')).ImageLibrary);

interface ImageFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: unknown;
  readonly isMixed: boolean;
  readonly onValue: (value: unknown) => void;
  readonly editor: EditorState;
  /** As of the library. */
  readonly onUpload?: () => (src: string) => void;
}

export function ImageField({ name, label, value, isMixed, onValue, editor, onUpload }: ImageFieldProps) {
  const source = typeof value === 'string' ? value : '';
  const [typed, setTyped] = useState<string | null>(null);
  const brand = useBrand();
  const stands = String(resolved(source, brand?.images) ?? '');
  const problem = unknownName(source, brand, 'images');
  const named = Object.keys(brand?.images ?? {});
  const fileName = useUploadName(editor, source);
  const shown = fileName ?? (source.startsWith('data:') ? `${source.slice(0, 22)}…` : source);
  // Recomputed with each picture, because more files may have loaded; so it reads that first, also while there is no
  // source yet.
  const known = useComputed(() => {
    const picture = editor.picture.value;
    return picture && stands !== '' ? editor.compositor.images.sizeOf(stands) : null;
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
  const thumb = known ? <img src={known.address} alt="" /> : <Icon of={imageIcon} size={16} />;
  return (
    <div class="image-field">
      {editor.host.pictures.list === null && editor.host.pictures.upload === null ? (
        <span class="image-thumb">{thumb}</span>
      ) : (
        <Popover
          label={texts.value.inspector.pictures}
          button={(attributes) => (
            <button
              {...attributes}
              type="button"
              class="image-thumb"
              aria-label={texts.value.inspector.choosePictureFor(label)}
              title={texts.value.inspector.choosePicture}
            >
              {thumb}
            </button>
          )}
        >
          {(close) => (
            <>
              {named.length > 0 && (
                <div class="image-names" role="group" aria-label={texts.value.library.logos}>
                  {named.map((one) => (
                    <button
                      key={one}
                      type="button"
                      class="add-button"
                      aria-pressed={source === `$${one}`}
                      onClick={() => {
                        set(`$${one}`);
                        close();
                      }}
                    >
                      ${one}
                    </button>
                  ))}
                </div>
              )}
              <ImageLibrary
                pictures={editor.host.pictures}
                onChoose={(src) => {
                  set(src);
                  close();
                }}
                onUpload={() => {
                  const choose = onUpload?.() ?? set;
                  return (src) => {
                    choose(src);
                    close();
                  };
                }}
              />
            </>
          )}
        </Popover>
      )}
      <span class="stack">
        <input
          class="input is-dense is-mono"
          aria-label={texts.value.inspector.urlOrId(label)}
          placeholder={isMixed ? texts.value.common.mixed : texts.value.inspector.chooseOrAddress}
          spellcheck={false}
          value={typed ?? shown}
          onInput={(event) => setTyped(event.currentTarget.value)}
          // An upload is shown by its file's name, and edited by its address.
          onFocus={() => fileName !== null && setTyped(source)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit();
          }}
        />
        <Problem of={problem} />
        {known && (
          <span class="faint">
            {Math.round(known.width)} × {Math.round(known.height)} px
          </span>
        )}
      </span>
      {known?.format === 'pdf' && <p class="faint">{texts.value.inspector.pdfHere}</p>}
    </div>
  );
}

/** The name of the file that a source was uploaded as; null = it is no upload, or none of the newest. */
function useUploadName(editor: EditorState, source: string): string | null {
  const [found, setFound] = useState<{ readonly src: string; readonly name: string } | null>(null);
  const { pictures } = editor.host;
  useEffect(() => {
    if (!pictures.list || !pictures.isUpload(source)) return;
    // Without the list, its address is shown.
    pictures.list('').then(
      ({ pictures: all }) => setFound(all.find(({ src }) => src === source) ?? null),
      () => setFound(null),
    );
  }, [pictures, source]);
  return found?.src === source ? found.name : null;
}
