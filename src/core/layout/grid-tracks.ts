// Sizes the tracks of a grid (CSS Grid 1, section 11): fixed, `hug` (CSS `auto`) and `fr` tracks. `hug` tracks share
// the space that is left over, as CSS's `auto` tracks do (section 11.8).

import type { GridTrack } from '../resolve/scene.ts';
import type { IntrinsicWidths } from './fragment.ts';

/** A child on one axis. */
export interface TrackItem {
  readonly first: number;
  readonly span: number;
  /** The smallest and largest size of its margin box, px. */
  readonly size: IntrinsicWidths;
  /** The minimum contribution of its margin box, px: its tracks hold it even where there is too little space. */
  minimum(): number;
}

/**
 * The space that tracks and gaps share, px, or the least or most that the content asks for. `indefinite` is a height
 * that comes from the content: as much as it asks for, of which `fr` tracks get their shares.
 */
export type TrackRoom = number | 'min-content' | 'max-content' | 'indefinite';

/** Sizes the tracks of one axis, px. Where the space is not known, percentage tracks hug. */
export function sizeTracks(
  tracks: readonly GridTrack[],
  items: readonly TrackItem[],
  gap: number,
  room: TrackRoom,
): readonly number[] {
  const whole = typeof room === 'number' ? room : null;
  const kinds = tracks.map((track) => (track.kind === 'percent' && whole === null ? HUG : track));
  const { bases, limits } = holdContent(kinds, items, gap, room);
  const gaps = gap * Math.max(0, tracks.length - 1);
  const free = whole === null ? (room === 'min-content' ? 0 : Number.POSITIVE_INFINITY) : whole - gaps - sum(bases);
  const sizes = maximize(bases, limits, free);
  const fraction = fractionIn(kinds, items, gap, sizes, room);
  const flexed = sizes.map((size, i) => {
    const track = kinds[i];
    return track?.kind === 'fr' ? Math.max(size, track.value * fraction) : size;
  });
  return whole === null ? flexed : stretch(kinds, flexed, whole - gaps);
}

const HUG: GridTrack = { kind: 'hug' };

function fixedSize(track: GridTrack, room: TrackRoom): number {
  if (track.kind === 'px') return track.value;
  return track.kind === 'percent' && typeof room === 'number' ? (track.value / 100) * room : 0;
}

const spanned = ({ first, span }: TrackItem) => Array.from({ length: span }, (_, i) => first + i);

/** Sizes in the making, by track, px. */
interface Sizes {
  readonly bases: number[];
  /** Growth limits: how large a track's content would make it; Infinity = not set by any content yet. */
  readonly limits: number[];
}

/** Section 11.5: items of equal span are handled together, and all items over `fr` tracks after the others. */
function holdContent(tracks: readonly GridTrack[], items: readonly TrackItem[], gap: number, room: TrackRoom): Sizes {
  const bases = tracks.map((track) => fixedSize(track, room));
  const limits = tracks.map((track, i) =>
    track.kind === 'px' || track.kind === 'percent' ? (bases[i] ?? 0) : Number.POSITIVE_INFINITY,
  );
  const sizes = { bases, limits };
  const contribution = (item: TrackItem) => {
    if (typeof room === 'number' || room === 'indefinite') return item.minimum();
    return Math.max(room === 'max-content' ? item.size.max : item.size.min, item.minimum());
  };
  const isFlexible = (item: TrackItem) => spanned(item).some((i) => tracks[i]?.kind === 'fr');
  const rigid = items.filter((item) => !isFlexible(item));
  for (const span of new Set(rigid.map((item) => item.span).sort((a, b) => a - b))) {
    const group = rigid.filter((item) => item.span === span);
    growBases(tracks, group, gap, contribution, sizes);
    const unbounded = limits.map((limit) => limit === Number.POSITIVE_INFINITY);
    growLimits(tracks, group, gap, ({ size }) => size.min, sizes, unbounded);
    growLimits(tracks, group, gap, ({ size }) => size.max, sizes, unbounded);
  }
  growBases(tracks, items.filter(isFlexible), gap, contribution, sizes);
  for (const [i, base] of bases.entries()) {
    const limit = limits[i] ?? 0;
    limits[i] = limit === Number.POSITIVE_INFINITY ? base : Math.max(limit, base);
  }
  return sizes;
}

type Contribution = (item: TrackItem) => number;

/** Raises track bases until each item fits: of its `fr` tracks by their shares, else of its `hug` tracks equally. */
function growBases(
  tracks: readonly GridTrack[],
  items: readonly TrackItem[],
  gap: number,
  contribution: Contribution,
  { bases, limits }: Sizes,
): void {
  // Plain numbers and no iterators: this runs for each of a hundred spans, and rows come by the hundred thousand.
  const planned = new Float64Array(bases.length);
  for (const item of items) {
    const under = spanned(item);
    const missing = contribution(item) - gap * (item.span - 1) - sum(under.map((i) => bases[i] ?? 0));
    if (missing <= 0) continue;
    const flexible = under.filter((i) => tracks[i]?.kind === 'fr');
    const growing = flexible.length > 0 ? flexible : under.filter((i) => tracks[i]?.kind === 'hug');
    const shares = flexible.map((i) => (tracks[i]?.kind === 'fr' ? (tracks[i]?.value ?? 0) : 0));
    const increases =
      sum(shares) > 0
        ? shares.map((share) => (missing * share) / sum(shares))
        : spread(
            missing,
            growing.map((i) => (limits[i] ?? 0) - (bases[i] ?? 0)),
          );
    for (const [k, i] of growing.entries()) planned[i] = Math.max(planned[i] ?? 0, increases[k] ?? 0);
  }
  planned.forEach((increase, i) => {
    bases[i] = (bases[i] ?? 0) + increase;
    limits[i] = Math.max(limits[i] ?? 0, bases[i] ?? 0);
  });
}

/** Raises the limits of `hug` tracks until each item fits. @param unbounded the tracks that may grow without limit */
function growLimits(
  tracks: readonly GridTrack[],
  items: readonly TrackItem[],
  gap: number,
  contribution: Contribution,
  { bases, limits }: Sizes,
  unbounded: readonly boolean[],
): void {
  const sizeOf = (i: number) => (limits[i] === Number.POSITIVE_INFINITY ? (bases[i] ?? 0) : (limits[i] ?? 0));
  const planned = new Float64Array(limits.length).fill(-1);
  for (const item of items) {
    const under = spanned(item);
    const growing = under.filter((i) => tracks[i]?.kind === 'hug');
    const missing = contribution(item) - gap * (item.span - 1) - sum(under.map(sizeOf));
    const increases = spread(
      Math.max(0, missing),
      growing.map((i) => (unbounded[i] ? Number.POSITIVE_INFINITY : 0)),
    );
    for (const [k, i] of growing.entries()) planned[i] = Math.max(planned[i] ?? 0, increases[k] ?? 0);
  }
  planned.forEach((increase, i) => {
    if (increase >= 0) limits[i] = sizeOf(i) + increase;
  });
}

/** Distributes a length equally, up to each one's maximum; what then remains is distributed equally to all. */
function spread(length: number, most: readonly number[]): readonly number[] {
  const shares = most.map(() => 0);
  let left = length;
  for (let open = most.flatMap((_, i) => i); open.length > 0 && left > 0; ) {
    const share = left / open.length;
    const full = open.filter((i) => (most[i] ?? 0) <= share);
    for (const i of full.length > 0 ? full : open) {
      const taken = full.length > 0 ? (most[i] ?? 0) : share;
      shares[i] = taken;
      left -= taken;
    }
    if (full.length === 0) return shares;
    // `full` may hold most of 100,000 rows, so it is not searched for each of the others.
    open = open.filter((i) => (most[i] ?? 0) > share);
  }
  return left > 0 ? shares.map((share) => share + left / shares.length) : shares;
}

/** Section 11.6: distributes free space equally to all tracks, up to their growth limits. */
function maximize(bases: readonly number[], limits: readonly number[], free: number): readonly number[] {
  const room = bases.map((base, i) => (limits[i] ?? 0) - base);
  if (free >= sum(room)) return limits;
  const increases = spread(Math.max(0, free), room);
  return bases.map((base, i) => base + (increases[i] ?? 0));
}

/** Section 11.7: px of one `fr`. */
function fractionIn(
  tracks: readonly GridTrack[],
  items: readonly TrackItem[],
  gap: number,
  sizes: readonly number[],
  room: TrackRoom,
): number {
  const all = sizes.map((_, i) => i);
  if (typeof room === 'number') return fractionOf(tracks, sizes, all, room - gap * Math.max(0, all.length - 1));
  if (room === 'min-content') return 0;
  // The space is not known: use the `fr` at which every child has its largest size.
  let fraction = 0;
  for (const [i, track] of tracks.entries()) {
    if (track.kind === 'fr') fraction = Math.max(fraction, (sizes[i] ?? 0) / Math.max(1, track.value));
  }
  for (const item of items) {
    const under = spanned(item);
    if (!under.some((i) => tracks[i]?.kind === 'fr')) continue;
    fraction = Math.max(fraction, fractionOf(tracks, sizes, under, item.size.max - gap * (item.span - 1)));
  }
  return fraction;
}

/** Section 11.7.1, for the tracks at these places; a track that its content makes larger counts as inflexible. */
function fractionOf(
  tracks: readonly GridTrack[],
  sizes: readonly number[],
  places: readonly number[],
  room: number,
): number {
  let left = room;
  let flexible: { readonly share: number; readonly size: number }[] = [];
  for (const i of places) {
    const track = tracks[i];
    if (track?.kind === 'fr') flexible.push({ share: track.value, size: sizes[i] ?? 0 });
    else left -= sizes[i] ?? 0;
  }
  while (flexible.length > 0) {
    const fraction = Math.max(0, left) / Math.max(1, sum(flexible.map(({ share }) => share)));
    const rigid = flexible.filter(({ share, size }) => size > share * fraction);
    if (rigid.length === 0) return fraction;
    left -= sum(rigid.map(({ size }) => size));
    flexible = flexible.filter((track) => !rigid.includes(track));
  }
  return 0;
}

/** Section 11.8: distributes the remaining space equally to all `hug` tracks. */
function stretch(tracks: readonly GridTrack[], sizes: readonly number[], room: number): readonly number[] {
  const free = room - sum(sizes);
  const count = tracks.filter(({ kind }) => kind === 'hug').length;
  if (free <= 0 || count === 0) return sizes;
  return sizes.map((size, i) => (tracks[i]?.kind === 'hug' ? size + free / count : size));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
