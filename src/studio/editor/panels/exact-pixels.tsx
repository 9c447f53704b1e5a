// The server's own picture over the canvas, or how far the canvas differs from it.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { toastError } from '../../parts/toast.tsx';
import { accountPath, send } from '../../shell/api.ts';
import type { Viewport } from '../canvas/viewport.ts';
import type { EditorState } from '../state/editor-state.ts';
import type { ExactMode } from './top-bar.tsx';

interface Props {
  readonly accountId: string;
  readonly editor: EditorState;
  readonly viewport: Viewport;
  readonly mode: ExactMode;
  readonly onBusy: (isBusy: boolean) => void;
}

/** ms without an edit after which the server is asked. */
const PAUSE = 500;

export function ExactPixels({ accountId, editor, viewport, mode, onBusy }: Props) {
  const shown = useSignal<string | null>(null);
  const document = editor.document.value;
  const values = editor.values.value;
  useEffect(() => {
    if (mode === 'off') {
      shown.value = null;
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      onBusy(true);
      drawOnServer(accountId, document, values, 'png', abort.signal)
        .then((blob) => {
          if (shown.value) URL.revokeObjectURL(shown.value);
          shown.value = URL.createObjectURL(blob);
        })
        .catch((error: unknown) => {
          if (!abort.signal.aborted) toastError(error);
        })
        .finally(() => onBusy(false));
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [mode, document, values, accountId, shown, onBusy]);
  if (mode === 'off' || shown.value === null) return null;
  const { x, y } = viewport.offset.value;
  const zoom = viewport.zoom.value;
  return (
    <img
      class={mode === 'difference' ? 'exact is-difference' : 'exact'}
      src={shown.value}
      alt="The template as the server draws it"
      style={{
        width: `${document.width * zoom}px`,
        height: `${document.height * zoom}px`,
        transform: `translate(${x}px, ${y}px)`,
      }}
    />
  );
}

export async function drawOnServer(
  accountId: string,
  document: unknown,
  modifications: unknown,
  output: 'png' | 'pdf',
  signal?: AbortSignal,
): Promise<Blob> {
  const response = await send('POST', accountPath(accountId, 'preview'), {
    body: { document, modifications, output },
    ...(signal && { signal }),
  });
  return response.blob();
}
