// The look of code in the studio's colours, and a shadow root for CodeMirror, which adds style sheets.
//
// The page's policy allows no inline style sheets. In a shadow root CodeMirror adopts constructed ones, which are
// allowed.

import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export function hostShadow(host: HTMLElement): ShadowRoot {
  return host.shadowRoot ?? host.attachShadow({ mode: 'open' });
}

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

export const codeLook = [theme, syntaxHighlighting(colours), EditorView.lineWrapping];
