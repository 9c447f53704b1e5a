// The template as JSON, kept in step with the canvas in both directions; the code editor is loaded on first use.

import type { Signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { setSignal } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { texts } from '../../texts/editor.ts';
import type { RawDocument } from '../core/document/document.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import type { JsonEditor, Unfinished } from './json-editor.ts';

interface JsonPanelProps {
  readonly editor: EditorState;
  /** Text that is no template yet; it stays when another tab is opened. */
  readonly unfinished: Signal<Unfinished | null>;
}

export function JsonPanel({ editor, unfinished }: JsonPanelProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<JsonEditor | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const document = editor.stored.value;
  const [selected] = editor.selection.value;

  useEffect(() => {
    let isGone = false;
    import('./json-editor.ts').then(
      ({ openJsonEditor }) => {
        if (isGone || !host.current) return;
        view.current = openJsonEditor(
          host.current,
          editor.stored.peek(),
          unfinished.peek(),
          (next: RawDocument) => editor.editStored(() => next, 'json'),
          (next) => setSignal(unfinished, next),
        );
        const [name] = editor.selection.peek();
        if (name !== undefined) view.current.reveal(name);
        setOpen(true);
      },
      (error: unknown) => setFailure(String(error)),
    );
    return () => {
      isGone = true;
      view.current?.close();
      view.current = null;
    };
  }, [editor, unfinished]);

  useEffect(() => view.current?.show(document), [document]);
  useEffect(() => {
    if (selected !== undefined) view.current?.reveal(selected);
  }, [selected]);

  return (
    <div class="json-panel">
      {failure && <p class="field-error">{texts.value.json.failed(failure)}</p>}
      {unfinished.value && (
        <div class="json-problem" role="alert">
          <p>
            <b>{texts.value.json.notApplied}</b> {unfinished.value.problem}
          </p>
          <Button dense onClick={() => view.current?.reset(editor.stored.peek())}>
            {texts.value.json.discard}
          </Button>
        </div>
      )}
      <div ref={host} class="json-host" aria-busy={!isOpen && failure === null} />
    </div>
  );
}
