// Counts the tracks of a grid: those that it defines or repeats, and those that children beyond them add.
//
// CSS Grid 1, sections 7.2.3 (auto-fill, auto-fit), 7.3 (areas), 7.5 (implicit tracks) and 8.3 (lines).

import type { GridLayout, GridTrack, Placement, TrackRepeat } from '../resolve/scene.ts';
import { MAX_TRACKS } from '../template/grid-syntax.ts';
import type { GridArea, GridRequest } from './grid-placement.ts';

/** The content box of a grid along one axis, px; null = not known, and `most` = Infinity where there is no maximum. */
export interface Extent {
  readonly size: number | null;
  readonly least: number;
  readonly most: number;
}

/** The tracks that a grid defines itself. */
export interface ExplicitTracks {
  readonly tracks: readonly GridTrack[];
  /** The tracks of an `auto-fit`, which are removed where they stay empty; null = none. */
  readonly fitted: { readonly first: number; readonly end: number } | null;
}

/** Repeats `auto-fill` and `auto-fit` as often as they fit. */
export function explicitTracks(list: readonly (GridTrack | TrackRepeat)[], gap: number, room: Extent): ExplicitTracks {
  const at = list.findIndex(({ kind }) => kind === 'repeat');
  const repeat = list[at];
  if (repeat?.kind !== 'repeat') return { tracks: list as readonly GridTrack[], fitted: null };
  const others = list.filter((track) => track.kind !== 'repeat');
  const count = repetitions(repeat.tracks, others, gap, room);
  const repeated = Array.from({ length: count }, () => repeat.tracks).flat();
  const tracks = [...others.slice(0, at), ...repeated, ...others.slice(at)];
  return { tracks, fitted: repeat.times === 'auto-fit' ? { first: at, end: at + repeated.length } : null };
}

/** The most that fit into the grid's size or maximum; else the fewest that reach its minimum. */
function repetitions(
  repeated: readonly GridTrack[],
  others: readonly GridTrack[],
  gap: number,
  { size, least, most }: Extent,
): number {
  const known = size ?? (most < Number.POSITIVE_INFINITY ? most : null);
  const whole = known ?? least;
  const lengthOf = (sum: number, track: GridTrack) => sum + fixedLength(track, whole) + gap;
  const each = repeated.reduce((sum, track) => sum + Math.max(1, fixedLength(track, whole)) + gap, 0);
  const count = (whole + gap - others.reduce(lengthOf, 0)) / each;
  const times = known === null ? Math.ceil(count - ROUNDING) : Math.floor(count + ROUNDING);
  return Math.max(1, Math.min(times, Math.floor((MAX_TRACKS - others.length) / repeated.length)));
}

/** Rounding error allowed in the number of tracks that fit. */
const ROUNDING = 1e-6;

/** A track's maximum if it is a length, else its minimum, px. */
function fixedLength(track: GridTrack, whole: number): number {
  if (track.kind === 'px') return track.value;
  if (track.kind === 'percent') return (track.value / 100) * whole;
  if (track.kind !== 'minmax') return 0;
  const min = fixedLength(track.min, whole);
  return Math.max(min, fixedLength(track.max, whole));
}

/** Which half of an area an axis reads. */
interface Axis {
  readonly first: (area: GridArea) => number;
  readonly span: (area: GridArea) => number;
}

export const COLUMNS: Axis = { first: ({ column }) => column, span: ({ columnSpan }) => columnSpan };
export const ROWS: Axis = { first: ({ row }) => row, span: ({ rowSpan }) => rowSpan };

interface Placed {
  readonly area: GridArea;
}

/** All tracks of an axis, and how many of them come before the first explicit one. */
export interface AllTracks {
  readonly tracks: readonly GridTrack[];
  readonly before: number;
}

const HUG: readonly GridTrack[] = [{ kind: 'hug' }];

/**
 * Adds the tracks that children lie in beyond the explicit ones.
 *
 * @param count the explicit tracks, with those that only areas define
 * @param auto the sizes of the others, in turn; null = as large as their content
 */
export function allTracks(
  explicit: readonly GridTrack[],
  count: number,
  auto: readonly GridTrack[] | null,
  items: readonly Placed[],
  { first, span }: Axis,
): AllTracks {
  let start = 0;
  let end = count;
  for (const { area } of items) {
    start = Math.min(start, first(area));
    end = Math.max(end, first(area) + span(area));
  }
  if (start === 0 && end === explicit.length) return { tracks: explicit, before: 0 };
  const sizes = auto ?? HUG;
  const implicit = (i: number) => sizes[((i % sizes.length) + sizes.length) % sizes.length] as GridTrack;
  const tracks = Array.from({ length: end - start }, (_, k) => {
    const i = start + k;
    return i < 0 ? implicit(i) : (explicit[i] ?? implicit(i - explicit.length));
  });
  return { tracks, before: -start };
}

/** The tracks that remain, and where a track is among them: both count from the first explicit track. */
export interface RemainingTracks {
  readonly tracks: readonly GridTrack[];
  placeOf(track: number): number;
}

/** Counts from the first track of all, without the empty ones of an `auto-fit`. */
export function withoutEmpty(
  { tracks, before }: AllTracks,
  fitted: ExplicitTracks['fitted'],
  items: readonly Placed[],
  { first, span }: Axis,
): RemainingTracks {
  if (fitted === null) return { tracks, placeOf: (track) => track + before };
  const taken = new Uint8Array(tracks.length);
  for (const { area } of items) taken.fill(1, first(area) + before, first(area) + before + span(area));
  const isKept = (i: number) => i - before < fitted.first || i - before >= fitted.end || taken[i] === 1;
  let count = 0;
  const places = [...tracks.map((_, i) => (isKept(i) ? count++ : count)), count];
  return { tracks: tracks.filter((_, i) => isKept(i)), placeOf: (track) => places[track + before] ?? count };
}

/** The tracks that a child asks for. @param explicit the number of explicit columns and rows */
export function requestOf(
  grid: Placement['grid'],
  { areas }: GridLayout,
  explicit: { readonly columns: number; readonly rows: number },
): GridRequest {
  const { lines } = grid;
  if (lines === null) return grid;
  // Names are a caller's own, and may be those of Object.prototype.
  if (lines.area !== null && areas && Object.hasOwn(areas.named, lines.area)) return areas.named[lines.area] ?? grid;
  const column = between(grid.column, grid.columnSpan, lines.columnStart, lines.columnEnd, explicit.columns);
  const row = between(grid.row, grid.rowSpan, lines.rowStart, lines.rowEnd, explicit.rows);
  return { column: column.first, columnSpan: column.span, row: row.first, rowSpan: row.span };
}

function between(
  first: number | null,
  span: number,
  start: number | null,
  end: number | null,
  count: number,
): { readonly first: number | null; readonly span: number } {
  const trackAt = (line: number) => (line > 0 ? line - 1 : count + 1 + line);
  if (start !== null && end !== null) {
    const [a, b] = [trackAt(start), trackAt(end)];
    return { first: Math.min(a, b), span: Math.max(1, Math.abs(b - a)) };
  }
  if (start !== null) return { first: trackAt(start), span };
  return end === null ? { first, span } : { first: trackAt(end) - span, span };
}
