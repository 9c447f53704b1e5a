// Sets up CodeMirror for HTML or CSS.

import { autocompletion } from '@codemirror/autocomplete';
import { redo, undo } from '@codemirror/commands';
import { html } from '@codemirror/lang-html';
import { texts } from '../../texts/editor.ts';
import { openCode } from '../json/code-look.ts';

export interface CodeEditor {
  undo(): void;
  redo(): void;
  close(): void;
}

export function openCodeEditor(
  host: HTMLElement,
  part: 'html' | 'css',
  text: string,
  onText: (text: string) => void,
): CodeEditor {
  const view = openCode(host, {
    doc: text,
    label: part === 'html' ? texts.value.editor.pageHtml : texts.value.editor.pageCss,
    extensions: [autocompletion(), ...(part === 'html' ? [html()] : [])],
    onText: () => onText(view.state.doc.toString()),
  });
  return { undo: () => undo(view), redo: () => redo(view), close: () => view.destroy() };
}
