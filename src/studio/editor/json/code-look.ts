// CodeMirror in the studio's colours, in a shadow root.
//
// The page's policy allows no inline style sheets; in a shadow root CodeMirror adopts constructed ones.

import { closeBrackets } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'transparent', fontSize: '12px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '18px', overflow: 'auto' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--text-3)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--info) 26%, transparent)',
  },
  '.cm-tooltip': {
    border: 'none',
    borderRadius: '6px',
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    boxShadow: 'var(--shadow-menu)',
    fontFamily: 'var(--sans)',
    fontSize: '12px',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--info-soft)',
    color: 'var(--info)',
  },
  // As wide as the list above it, which stays inside the panel; CodeMirror's own rule is as specific as this one.
  '.cm-tooltip.cm-completionInfo': { boxSizing: 'border-box', width: 'auto', maxWidth: 'none', padding: '6px 8px' },
  '.cm-panels': { backgroundColor: 'var(--back)', color: 'var(--text)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--pressed)',
    border: 'none',
    color: 'var(--text-2)',
    padding: '0 6px',
  },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.tagName], color: 'var(--text)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--info)' },
  { tag: [tags.keyword, tags.attributeName], color: 'var(--accent-text)' },
  { tag: tags.comment, color: 'var(--text-3)' },
  { tag: [tags.punctuation, tags.bracket, tags.separator], color: 'var(--text-3)' },
]);

/** Types over a selection: browsers keep its look in a `style` attribute, which the page's policy refuses and reports. */
const typeOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to, empty } = view.state.selection.main;
    const text = event.data;
    if (event.inputType !== 'insertText' || text === null || empty || view.composing) return false;
    event.preventDefault();
    const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type' });
    const handlers = view.state.facet(EditorView.inputHandler);
    // Such as the one that puts brackets around the selection.
    if (!handlers.some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert());
    return true;
  },
});

/** @param label what screen readers call it @param onText called with each change */
export function openCode(
  host: HTMLElement,
  { doc, label, extensions, onText }: { doc: string; label: string; extensions: Extension; onText: () => void },
): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const keys = [...defaultKeymap, ...historyKeymap, ...searchKeymap, ...foldKeymap, indentWithTab];
  const all = [
    [
      lineNumbers(),
      foldGutter(),
      history(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(),
    ],
    [extensions, keymap.of(keys), EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' })],
    [theme, syntaxHighlighting(colours), EditorView.lineWrapping, typeOver],
    EditorView.updateListener.of((update) => update.docChanged && onText()),
  ];
  return new EditorView({ parent: root, root, state: EditorState.create({ doc, extensions: all }) });
}
