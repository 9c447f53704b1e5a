// The template as JSON, kept in step with the canvas in both directions; the code editor is loaded on first use.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { RawDocument } from '../document/document.ts';
import type { EditorState } from '../state/editor-state.ts';
import type { JsonEditor } from './json-editor.ts';

export function JsonPanel({ editor }: { editor: EditorState }) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<JsonEditor | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const document = editor.document.value;
  const [selected] = editor.selection.value;

  useEffect(() => {
    let isGone = false;
    import('./json-editor.ts').then(
      ({ openJsonEditor }) => {
        if (isGone || !host.current) return;
        view.current = openJsonEditor(host.current, editor.document.peek(), (next: RawDocument) =>
          editor.edit(() => next, { kind: 'json' }),
        );
        const [name] = editor.selection.peek();
        if (name !== undefined) view.current.reveal(name);
      },
      (error: unknown) => setFailure(String(error)),
    );
    return () => {
      isGone = true;
      view.current?.close();
      view.current = null;
    };
  }, [editor]);

  useEffect(() => view.current?.show(document), [document]);
  useEffect(() => {
    if (selected !== undefined) view.current?.reveal(selected);
  }, [selected]);

  return (
    <div class="json-panel">
      {failure && <p class="field-error">The JSON editor could not be loaded: {failure}</p>}
      <div ref={host} class="json-host" />
    </div>
  );
}
