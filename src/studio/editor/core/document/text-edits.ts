// The text of a text layer, whether in `text` or in spans: read as one string, and edited span by span.

import type { RawLayer } from './document.ts';
import type { Patch } from './edits.ts';

export interface RawSpan {
  readonly text?: string;
  readonly image?: unknown;
  readonly [property: string]: unknown;
}

export const spansOf = (layer: RawLayer): readonly RawSpan[] | null =>
  Array.isArray(layer.spans) ? layer.spans : null;
/** Whether a span has no words of its own: a picture, a counter, a value by its name, a footnote. */
const isAlone = ({ image, counter, name, footnote }: RawSpan): boolean => Boolean(image || counter || name || footnote);
/** Stands for a picture in a line, which counts as one character. */
const OBJECT = '\ufffc';
export const wordsOf = (span: RawSpan): string => (span.image ? OBJECT : isAlone(span) ? '' : (span.text ?? ''));

export function textOf(layer: RawLayer): string {
  const spans = spansOf(layer);
  return spans ? spans.map(wordsOf).join('') : String(layer.text ?? '');
}

/** The patch that makes the layer's text `next`; spans keep their styles around the change. */
export function textPatch(layer: RawLayer, next: string): Patch {
  const spans = spansOf(layer);
  if (!spans) return { text: next };
  const before = textOf(layer);
  let start = 0;
  while (start < before.length && start < next.length && before[start] === next[start]) start++;
  let end = 0;
  const most = Math.min(before.length, next.length) - start;
  while (end < most && before[before.length - 1 - end] === next[next.length - 1 - end]) end++;
  const [cutTo, inserted] = [before.length - end, next.slice(start, next.length - end)];
  let at = 0;
  let isPlaced = false;
  const changed = spans.flatMap((span, i): readonly RawSpan[] => {
    const words = wordsOf(span);
    const [from, to] = [at, at + words.length];
    at = to;
    const isHere =
      !isPlaced && start <= to && !isAlone(span) && (start < to || start === cutTo || i === spans.length - 1);
    const kept =
      words.slice(0, Math.max(0, start - from)) + (isHere ? inserted : '') + words.slice(Math.max(0, cutTo - from));
    if (isHere) isPlaced = true;
    if (span.image) return from >= start && to <= cutTo ? [] : [span];
    // What has no words goes with the words around it.
    if (isAlone(span)) return start < from && from < cutTo ? [] : [span];
    return kept === '' && spans.length > 1 ? [] : [{ ...span, text: kept }];
  });
  if (!isPlaced && inserted !== '') changed.push({ text: inserted });
  return changed.length > 0 ? { spans: changed } : { spans: undefined, text: '' };
}

/** The patch that styles a range of the text; adjacent spans of equal style are merged. */
export function stylePatch(layer: RawLayer, from: number, to: number, style: Patch): Patch {
  const spans = spansOf(layer) ?? [{ text: String(layer.text ?? '') }];
  let at = 0;
  const parts = spans.flatMap((span): readonly RawSpan[] => {
    const words = wordsOf(span);
    const start = at;
    at += words.length;
    if (isAlone(span) || start + words.length <= from || start >= to) return [span];
    const cut = (a: number, b: number, more: Patch): readonly RawSpan[] => {
      const text = words.slice(Math.max(0, a - start), Math.max(0, b - start));
      if (text === '') return [];
      const styled = Object.entries({ ...span, text, ...more }).filter(([, value]) => value !== undefined);
      return [Object.fromEntries(styled)];
    };
    return [
      ...cut(start, from, {}),
      ...cut(Math.max(start, from), Math.min(start + words.length, to), style),
      ...cut(to, start + words.length, {}),
    ];
  });
  const merged: RawSpan[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (
      last &&
      !isAlone(last) &&
      !isAlone(part) &&
      JSON.stringify({ ...last, text: '' }) === JSON.stringify({ ...part, text: '' })
    ) {
      merged[merged.length - 1] = { ...last, text: (last.text ?? '') + (part.text ?? '') };
    } else merged.push(part);
  }
  const [only, ...others] = merged;
  const isPlain = only !== undefined && others.length === 0 && Object.keys(only).every((key) => key === 'text');
  return isPlain ? { text: only.text ?? '', spans: undefined } : { spans: merged, text: undefined };
}
