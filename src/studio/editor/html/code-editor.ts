// Sets up CodeMirror for HTML or CSS.

import { autocompletion, closeBrackets } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, redo, undo } from '@codemirror/commands';
import { html } from '@codemirror/lang-html';
import { bracketMatching, foldGutter, indentOnInput } from '@codemirror/language';
import { searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { texts } from '../../texts/editor.ts';
import { codeLook, hostShadow } from '../json/code-look.ts';
import { typeOver } from '../json/type-over.ts';

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
  const root = hostShadow(host);
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        history(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        autocompletion(),
        ...(part === 'html' ? [html()] : []),
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
        EditorView.contentAttributes.of({
          'aria-label': part === 'html' ? texts.value.editor.pageHtml : texts.value.editor.pageCss,
          tabindex: '0',
        }),
        codeLook,
        typeOver,
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onText(update.state.doc.toString());
        }),
      ],
    }),
  });
  return { undo: () => undo(view), redo: () => redo(view), close: () => view.destroy() };
}
