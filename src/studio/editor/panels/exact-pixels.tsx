// The server's own picture above the canvas, or how much the canvas differs from it.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { setSignal } from '../../parts/action.ts';
import { useBlobAddress } from '../../parts/blob-address.ts';
import { texts } from '../../texts/editor.ts';
import type { RawDocument, Values } from '../core/document/document.ts';
import type { Viewport } from '../core/geometry/viewport.ts';
import type { EditorState } from '../core/state/editor-state.ts';

interface Props {
  readonly editor: EditorState;
  readonly viewport: Viewport;
  readonly isDifference: boolean;
  readonly onBusy: (isBusy: boolean) => void;
}

/** ms without an edit after which the server's picture is requested. */
const PAUSE = 500;

/** A picture from the server, and the document and values that it shows. */
interface Drawn {
  readonly blob: Blob;
  readonly document: RawDocument;
  readonly values: Values;
}

export function ExactPixels({ editor, viewport, isDifference, onBusy }: Props) {
  const drawn = useSignal<Drawn | null>(null);
  const document = editor.document.value;
  const values = editor.values.value;
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      onBusy(true);
      editor.host
        .draw(document, { modifications: values, output: 'png' }, abort.signal)
        .then((blob) => setSignal(drawn, { blob, document, values }))
        .catch((error: unknown) => {
          if (!abort.signal.aborted) editor.host.tellError(error);
        })
        .finally(() => onBusy(false));
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [document, values, editor, drawn, onBusy]);
  const address = useBlobAddress(drawn.value?.blob ?? null);
  // During an edit the canvas is shown, not the server's picture of the previous state.
  if (address === null || drawn.value?.document !== document || drawn.value.values !== values) return null;
  const { x, y } = viewport.offset.value;
  const zoom = viewport.zoom.value;
  return (
    <img
      class={isDifference ? 'exact is-difference' : 'exact'}
      src={address}
      alt={texts.value.panels.asServerDraws}
      style={{
        width: `${document.width * zoom}px`,
        height: `${document.height * zoom}px`,
        transform: `translate(${x}px, ${y}px)`,
      }}
    />
  );
}
