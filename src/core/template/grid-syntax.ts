// Parses what CSS writes of a grid: track sizes (`minmax(120px, 1fr)`), lines (`1 / -1`) and named areas.
//
// CSS Grid 1, sections 7.2, 7.3 and 8.3, without named lines. A number without a unit is px.

import { quoted } from '../diagnostics.ts';

/** The most columns, and the most rows, that a grid may define; also the farthest line and the longest span. */
export const MAX_TRACKS = 100;

/** A track's minimum, or its maximum. */
type TrackBreadth =
  | { readonly kind: 'px'; readonly value: number }
  /** Of the grid's content box; 50 = half. */
  | { readonly kind: 'percent'; readonly value: number }
  /** As large as its content (CSS `auto`). */
  | { readonly kind: 'hug' }
  | { readonly kind: 'min-content' }
  | { readonly kind: 'max-content' };

export type GridTrack =
  | TrackBreadth
  /** A share of the remaining space. */
  | { readonly kind: 'fr'; readonly value: number }
  | {
      readonly kind: 'minmax';
      readonly min: TrackBreadth;
      readonly max: TrackBreadth | { readonly kind: 'fr'; readonly value: number };
    }
  /** As large as its content, up to `limit`. */
  | { readonly kind: 'fit-content'; readonly limit: Extract<TrackBreadth, { value: number }> };

/** Tracks repeated as often as the grid has room for them; `auto-fit` removes those that stay empty. */
export interface TrackRepeat {
  readonly kind: 'repeat';
  readonly times: 'auto-fill' | 'auto-fit';
  readonly tracks: readonly GridTrack[];
}

/** The cells of a named area, counted from 0. */
export interface NamedArea {
  readonly column: number;
  readonly row: number;
  readonly columnSpan: number;
  readonly rowSpan: number;
}

/** A line of a grid as CSS counts it: from 1, or from -1 backwards from the end; null = automatic. */
type GridLine = number | null;

export interface GridLines {
  readonly area: string | null;
  readonly columnStart: GridLine;
  readonly columnEnd: GridLine;
  readonly rowStart: GridLine;
  readonly rowEnd: GridLine;
}

const HUG = { kind: 'hug' } as const;
const NUMBER = /^(\d{1,5}(?:\.\d{1,4})?)(px|%|fr)?$/;
const CALL = /^(minmax|fit-content|repeat)\((.*)\)$/;
const TIMES = /^(\d{1,3}|auto-fill|auto-fit)$/;

/** The tracks that an entry of `columns` or `rows` stands for; null if it is not a track. */
export function parseTracks(text: string): readonly (GridTrack | TrackRepeat)[] | null {
  const [, name, inner = ''] = CALL.exec(text.trim()) ?? [];
  if (name !== 'repeat') {
    const track = parseTrack(text);
    return track && [track];
  }
  const [, times = '', list = ''] = /^\s*([a-z\d-]+)\s*,(.*)$/.exec(inner) ?? [];
  const tracks = splitTracks(list).map(parseTrack);
  if (!TIMES.test(times) || tracks.length === 0 || !tracks.every((track) => track !== null)) return null;
  if (times === 'auto-fill' || times === 'auto-fit') return [{ kind: 'repeat', times, tracks }];
  const count = Number(times);
  if (count < 1 || count * tracks.length > MAX_TRACKS) return null;
  return Array.from({ length: count }, () => tracks).flat();
}

/** One track, without `repeat()`. */
export function parseTrack(text: string): GridTrack | null {
  const [, name, inner = ''] = CALL.exec(text.trim()) ?? [];
  if (name === 'repeat') return null;
  if (name === undefined) return parseBreadth(text);
  if (name === 'fit-content') {
    const limit = parseBreadth(inner);
    return limit?.kind === 'px' || limit?.kind === 'percent' ? { kind: 'fit-content', limit } : null;
  }
  const [first = '', second, ...more] = inner.split(',');
  if (second === undefined || more.length > 0) return null;
  const min = parseBreadth(first);
  const max = parseBreadth(second);
  return min === null || max === null || min.kind === 'fr' ? null : { kind: 'minmax', min, max };
}

/** Whether a track can be counted before its content is known, as those beside `auto-fill` and `auto-fit` must. */
export function isFixedTrack(track: GridTrack): boolean {
  if (track.kind === 'minmax') return isLength(track.min) || isLength(track.max);
  return isLength(track);
}

const isLength = ({ kind }: GridTrack) => kind === 'px' || kind === 'percent';

function parseBreadth(text: string): TrackBreadth | Extract<GridTrack, { kind: 'fr' }> | null {
  const word = text.trim();
  if (word === 'hug' || word === 'auto') return HUG;
  if (word === 'min-content' || word === 'max-content') return { kind: word };
  const [, number, unit = 'px'] = NUMBER.exec(word) ?? [];
  if (number === undefined) return null;
  return { kind: unit === '%' ? 'percent' : (unit as 'px' | 'fr'), value: Number(number) };
}

/** Splits at white space outside parentheses. */
function splitTracks(list: string): readonly string[] {
  return list.match(/[^\s()]+(?:\([^()]*\))?/g) ?? [];
}

/** Where a child lies on one axis, as far as it says so itself. */
export interface ChildLines {
  /** Counted from 0, negative before the first column or row; null = the next that is free, or as the lines below say. */
  readonly first: number | null;
  /** null = as the layer's own span says. */
  readonly span: number | null;
  /** Set if a line is counted from the end. */
  readonly start: GridLine;
  readonly end: GridLine;
}

const LINES = /^\s*(auto|-?\d{1,3}|span\s+\d{1,3})\s*(?:\/\s*(auto|-?\d{1,3}|span\s+\d{1,3})\s*)?$/;

/** Parses `grid-column` or `grid-row`, such as `1 / -1` or `2 / span 3`; null if it is neither. */
export function parseLines(text: string): ChildLines | null {
  const [whole, from = 'auto', to = 'auto'] = LINES.exec(text) ?? [];
  if (whole === undefined) return null;
  const numbers = [from, to].map((word) => (word === 'auto' ? 1 : Number(word.replace('span', ''))));
  if (numbers.some((number) => number === 0 || Math.abs(number) > MAX_TRACKS + 1)) return null;
  const lineOf = (word: string) => (/^-?\d/.test(word) ? Number(word) : null);
  const [start, end] = [lineOf(from), lineOf(to)];
  const spanWord = [from, to].find((word) => word.startsWith('span'));
  const span = spanWord === undefined ? null : Number(spanWord.slice(4));
  const none = { start: null, end: null };
  if ((start ?? 1) < 0 || (end ?? 1) < 0) return { first: null, span, start, end };
  // A line after the one that it should come before takes its place; equal ones leave one track.
  if (start !== null && end !== null) {
    return { ...none, first: Math.min(start, end) - 1, span: Math.max(1, Math.abs(end - start)) };
  }
  if (start !== null) return { ...none, first: start - 1, span };
  return { ...none, first: end === null ? null : end - 1 - (span ?? 1), span: end === null ? span : (span ?? 1) };
}

/** The named areas of `grid-template-areas`, one text per row. */
export interface TemplateAreas {
  readonly columns: number;
  readonly rows: number;
  readonly named: Readonly<Record<string, NamedArea>>;
}

/** Parses rows such as `head head`; a sentence if they are no grid of rectangles. */
export function parseAreas(texts: readonly string[]): TemplateAreas | string {
  const rows = texts.map((text) => text.trim().split(/\s+/));
  const columns = rows[0]?.length ?? 0;
  if (rows.some((cells) => cells.length !== columns)) return 'must have the same number of cells in every row';
  if (columns > MAX_TRACKS) return `must have at most ${MAX_TRACKS} columns`;
  const named = new Map<string, NamedArea>();
  for (const [row, cells] of rows.entries()) {
    for (const [column, name] of cells.entries()) {
      if (/^\.+$/.test(name)) continue;
      if (!AREA_NAME.test(name)) return `has no area name in ${quoted(name)}`;
      const area = named.get(name) ?? { column, row, columnSpan: 1, rowSpan: 1 };
      const columnSpan = Math.max(area.columnSpan, column - area.column + 1);
      named.set(name, { ...area, columnSpan, rowSpan: row - area.row + 1 });
    }
  }
  for (const [name, { column, row, columnSpan, rowSpan }] of named) {
    const inside = rows.slice(row, row + rowSpan).flatMap((cells) => cells.slice(column, column + columnSpan));
    const all = rows.flat().filter((cell) => cell === name).length;
    if (all !== columnSpan * rowSpan || inside.some((cell) => cell !== name)) {
      return `must have ${quoted(name)} in one rectangle`;
    }
  }
  return { columns, rows: rows.length, named: Object.fromEntries(named) };
}

/** A name of an area, as CSS's identifiers are. */
export const AREA_NAME = /^[A-Za-z_\u0080-\uffff-][\w\u0080-\uffff-]{0,99}$/;
