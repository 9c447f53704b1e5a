// Sizes the tracks of a grid (CSS Grid 1, section 11). `hug` (CSS `auto`) tracks share the space that is left over
// (section 11.8), unless the grid aligns its tracks otherwise.

import type { GridTrack } from '../resolve/scene.ts';
import type { IntrinsicWidths } from './fragment.ts';

/** A child on one axis. */
export interface TrackItem {
  readonly first: number;
  readonly span: number;
  /** The smallest and largest size of its margin box, px. */
  readonly size: IntrinsicWidths;
  /**
   * The minimum contribution of its margin box, px: its tracks hold it even where there is too little space.
   *
   * @param most what its tracks may hold at most: limits the automatic minimum size
   */
  minimum(most: number): number;
}

/**
 * The space that tracks and gaps share, px, or the least or most that the content asks for. `indefinite` is a height
 * that comes from the content: as much as it asks for, of which `fr` tracks get their shares.
 */
export type TrackRoom = number | 'min-content' | 'max-content' | 'indefinite';

/**
 * Sizes the tracks of one axis, px. Where the space is not known, percentage tracks hug.
 *
 * @param stretches whether `hug` tracks take the space that is left over
 */
export function sizeTracks(
  tracks: readonly GridTrack[],
  items: readonly TrackItem[],
  gap: number,
  room: TrackRoom,
  stretches = true,
): readonly number[] {
  const whole = typeof room === 'number' ? room : null;
  const sizings = tracks.map((track) => sizingOf(track, whole));
  const { bases, limits } = holdContent(sizings, items, gap, room);
  const gaps = gap * Math.max(0, tracks.length - 1);
  const free = whole === null ? (room === 'min-content' ? 0 : INFINITE) : whole - gaps - sum(bases);
  const sizes = maximize(bases, limits, free);
  const fraction = fractionIn(sizings, items, gap, sizes, room);
  const flexed = sizes.map((size, i) => {
    const share = sizings[i]?.share ?? null;
    return share === null ? size : Math.max(size, share * fraction);
  });
  return whole === null || !stretches ? flexed : stretch(sizings, flexed, whole - gaps);
}

/** What holds a track open: a length, or the minimum, least or largest size of its content. */
type Content = 'auto' | 'min-content' | 'max-content';

/** A track's two sizing functions, with lengths in px. */
interface Sizing {
  readonly min: number | Content;
  /** Infinity: as large as its share, `share`. */
  readonly max: number | Content;
  /** px up to which `max`, which is then `max-content`, counts (`fit-content()`). */
  readonly limit: number;
  /** The share of an `fr` track; null for others. */
  readonly share: number | null;
}

const INFINITE = Number.POSITIVE_INFINITY;
const AUTO: Sizing = { min: 'auto', max: 'auto', limit: INFINITE, share: null };

function sizingOf(track: GridTrack, whole: number | null): Sizing {
  switch (track.kind) {
    case 'hug':
      return AUTO;
    case 'fr':
      return { min: 'auto', max: INFINITE, limit: INFINITE, share: track.value };
    case 'fit-content': {
      const limit = breadth(track.limit, whole);
      return { min: 'auto', max: 'max-content', limit: typeof limit === 'number' ? limit : INFINITE, share: null };
    }
    case 'minmax': {
      const min = breadth(track.min, whole);
      if (track.max.kind === 'fr') return { min, max: INFINITE, limit: INFINITE, share: track.max.value };
      return { min, max: breadth(track.max, whole), limit: INFINITE, share: null };
    }
    default: {
      const both = breadth(track, whole);
      return both === 'auto' ? AUTO : { min: both, max: both, limit: INFINITE, share: null };
    }
  }
}

function breadth(size: Exclude<GridTrack, { kind: 'fr' | 'minmax' | 'fit-content' }>, whole: number | null) {
  if (size.kind === 'px') return size.value;
  if (size.kind === 'percent') return whole === null ? 'auto' : (size.value / 100) * whole;
  return size.kind === 'hug' ? 'auto' : size.kind;
}

const isFlexible = ({ share }: Sizing) => share !== null;
const hasContentMin = ({ min }: Sizing) => typeof min !== 'number';
const hasContentMax = ({ max }: Sizing) => typeof max !== 'number';

const spanned = ({ first, span }: TrackItem) => Array.from({ length: span }, (_, i) => first + i);

/** Sizes in the making, by track, px. */
interface Sizes {
  readonly bases: number[];
  /** Growth limits: how large a track's content would make it; Infinity = not set by any content yet. */
  readonly limits: number[];
}

/** Section 11.5: items of equal span are handled together, and all items over `fr` tracks after the others. */
function holdContent(tracks: readonly Sizing[], items: readonly TrackItem[], gap: number, room: TrackRoom): Sizes {
  const bases = tracks.map(({ min }) => (typeof min === 'number' ? min : 0));
  // A maximum below the minimum counts as the minimum.
  const limits = tracks.map(({ max }, i) => (typeof max === 'number' ? Math.max(max, bases[i] ?? 0) : INFINITE));
  const pass = new ContentPass(tracks, gap, room, { bases, limits });
  const rigid: TrackItem[] = [];
  const flexible: TrackItem[] = [];
  for (const item of items) (isOverFlexible(tracks, item) ? flexible : rigid).push(item);
  for (const span of new Set(rigid.map((item) => item.span).sort((a, b) => a - b))) {
    pass.hold(rigid.filter((item) => item.span === span));
  }
  pass.holdFlexible(flexible);
  for (const [i, base] of bases.entries()) {
    const limit = limits[i] ?? 0;
    limits[i] = limit === INFINITE ? base : Math.max(limit, base);
  }
  return { bases, limits };
}

function isOverFlexible(tracks: readonly Sizing[], { first, span }: TrackItem): boolean {
  for (let i = first; i < first + span; i++) if ((tracks[i]?.share ?? null) !== null) return true;
  return false;
}

type Contribution = (item: TrackItem) => number;
type Takes = (track: Sizing) => boolean;

/** Raises bases and limits of tracks until their items fit. */
class ContentPass {
  readonly #tracks: readonly Sizing[];
  readonly #gap: number;
  readonly #room: TrackRoom;
  readonly #sizes: Sizes;
  /** Whether some track takes more than the first step: one that does not grow with all of its content. */
  readonly #hasContentWords: boolean;

  constructor(tracks: readonly Sizing[], gap: number, room: TrackRoom, sizes: Sizes) {
    this.#tracks = tracks;
    this.#gap = gap;
    this.#room = room;
    this.#sizes = sizes;
    this.#hasContentWords = tracks.some(
      ({ min, max, limit }) =>
        min === 'min-content' || min === 'max-content' || max === 'min-content' || limit < INFINITE,
    );
  }

  /** Holds items of one span, of which none lies over an `fr` track. */
  hold(items: readonly TrackItem[]): void {
    this.holdFlexible(items);
    const unbounded = this.#sizes.limits.map((limit) => limit === INFINITE);
    this.#growLimits(items, hasContentMax, 'min', unbounded);
    this.#growLimits(items, (track) => track.max === 'auto' || track.max === 'max-content', 'max', unbounded);
  }

  /** Raises bases only, as for items over `fr` tracks. */
  holdFlexible(items: readonly TrackItem[]): void {
    if (items.length === 0) return;
    if (!this.#hasContentWords) {
      this.#growBases(items, hasContentMin, this.#atLeast);
      return;
    }
    // While a grid is measured, `auto` counts as the constraint's own word.
    const isWidest = this.#room === 'max-content';
    this.#growBases(items, hasContentMin, isWidest ? this.#minimum : this.#atLeast);
    this.#growBases(
      items,
      ({ min }) => min === 'min-content' || min === 'max-content',
      ({ size }) => size.min,
    );
    if (isWidest)
      this.#growBases(items, ({ min, max }) => min === 'auto' && max !== 'min-content', this.#atLeast, true);
    this.#growBases(
      items,
      ({ min }) => min === 'max-content',
      ({ size }) => size.max,
    );
  }

  /** The contribution that an `auto` minimum holds. */
  readonly #atLeast: Contribution = (item) => {
    const least = this.#minimum(item);
    if (typeof this.#room === 'number' || this.#room === 'indefinite') return least;
    const wanted = this.#room === 'max-content' ? item.size.max : item.size.min;
    const most = this.#most(item, ({ max, limit }) => (typeof max === 'number' ? max : limit));
    return Math.max(Math.min(wanted, most), least);
  };

  readonly #minimum: Contribution = (item) =>
    item.minimum(this.#most(item, ({ max }) => (typeof max === 'number' ? max : INFINITE)));

  /** What an item's tracks hold at most together with their gaps, px; Infinity if one of them has no maximum. */
  #most(item: TrackItem, mostOf: (track: Sizing) => number): number {
    let most = this.#gap * (item.span - 1);
    for (let i = item.first; i < item.first + item.span; i++) {
      const track = this.#tracks[i];
      most += track ? mostOf(track) : INFINITE;
    }
    return most;
  }

  /**
   * Raises bases until each item fits: of its `fr` tracks by their shares, else of the others equally.
   *
   * @param isLimited whether `fit-content()` tracks grow to their limits only
   */
  #growBases(items: readonly TrackItem[], takes: Takes, contribution: Contribution, isLimited = false): void {
    const { bases, limits } = this.#sizes;
    // Plain numbers and no iterators: this runs for each of a hundred spans, and rows come by the hundred thousand.
    const planned = new Float64Array(bases.length);
    for (const item of items) {
      if (item.span === 1) {
        const i = item.first;
        const track = this.#tracks[i];
        if (!track || !takes(track)) continue;
        const missing = contribution(item) - (bases[i] ?? 0);
        const most = isLimited && track.limit < INFINITE ? Math.max(0, track.limit - (bases[i] ?? 0)) : missing;
        const share = track.share ?? 0;
        const increase = share > 0 ? (missing * share) / share : Math.min(missing, most);
        if (increase > (planned[i] ?? 0)) planned[i] = increase;
        continue;
      }
      const under = spanned(item);
      const missing = contribution(item) - this.#gap * (item.span - 1) - sum(under.map((i) => bases[i] ?? 0));
      if (missing <= 0) continue;
      const flexible = under.filter((i) => this.#is(i, isFlexible));
      const growing = (flexible.length > 0 ? flexible : under).filter((i) => this.#is(i, takes));
      const shares = flexible.length > 0 ? growing.map((i) => this.#tracks[i]?.share ?? 0) : [];
      const isCapped = (i: number) => isLimited && (this.#tracks[i]?.limit ?? 0) < INFINITE;
      const content = growing.map((i) => this.#is(i, hasContentMax) && !isCapped(i));
      const hasCap = growing.some(isCapped);
      const increases =
        sum(shares) > 0
          ? shares.map((share) => (missing * share) / sum(shares))
          : spread(
              missing,
              growing.map((i) =>
                Math.max(0, (isCapped(i) ? (this.#tracks[i]?.limit ?? 0) : (limits[i] ?? 0)) - (bases[i] ?? 0)),
              ),
              hasCap || (content.includes(true) && content.includes(false)) ? content : undefined,
            );
      for (const [k, i] of growing.entries()) planned[i] = Math.max(planned[i] ?? 0, increases[k] ?? 0);
    }
    planned.forEach((increase, i) => {
      bases[i] = (bases[i] ?? 0) + increase;
      limits[i] = Math.max(limits[i] ?? 0, bases[i] ?? 0);
    });
  }

  /** Raises limits until each item fits, at its least or largest size. @param unbounded the tracks that may grow without limit */
  #growLimits(items: readonly TrackItem[], takes: Takes, which: 'min' | 'max', unbounded: readonly boolean[]): void {
    const { bases, limits } = this.#sizes;
    const sizeOf = (i: number) => (limits[i] === INFINITE ? (bases[i] ?? 0) : (limits[i] ?? 0));
    const planned = new Float64Array(limits.length).fill(-1);
    for (const item of items) {
      if (item.span === 1) {
        const i = item.first;
        const track = this.#tracks[i];
        if (!track || !takes(track)) continue;
        const missing = Math.max(0, item.size[which] - sizeOf(i));
        const increase = track.limit < INFINITE ? Math.min(missing, Math.max(0, track.limit - sizeOf(i))) : missing;
        if (increase > (planned[i] ?? 0)) planned[i] = increase;
        continue;
      }
      const under = spanned(item);
      const growing = under.filter((i) => this.#is(i, takes));
      if (growing.length === 0) continue;
      const missing = item.size[which] - this.#gap * (item.span - 1) - sum(under.map(sizeOf));
      const most = (i: number) => {
        const { limit = INFINITE } = this.#tracks[i] ?? {};
        if (limit < INFINITE) return Math.max(0, limit - sizeOf(i));
        return unbounded[i] ? INFINITE : 0;
      };
      const isFree = growing.map((i) => (this.#tracks[i]?.limit ?? 0) === INFINITE);
      const increases = spread(Math.max(0, missing), growing.map(most), isFree.includes(false) ? isFree : undefined);
      for (const [k, i] of growing.entries()) planned[i] = Math.max(planned[i] ?? 0, increases[k] ?? 0);
    }
    planned.forEach((increase, i) => {
      if (increase >= 0) limits[i] = sizeOf(i) + increase;
    });
  }

  #is(i: number, test: Takes): boolean {
    const track = this.#tracks[i];
    return track !== undefined && test(track);
  }
}

/**
 * Distributes a length equally, up to each one's maximum; what then remains is distributed equally to all.
 *
 * @param beyond which of them may take what remains; undefined = all
 */
function spread(length: number, most: readonly number[], beyond?: readonly boolean[]): readonly number[] {
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
  if (left <= 0) return shares;
  if (!beyond) return shares.map((share) => share + left / shares.length);
  const count = beyond.filter(Boolean).length;
  return shares.map((share, i) => (beyond[i] ? share + left / count : share));
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
  tracks: readonly Sizing[],
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
  for (const [i, { share }] of tracks.entries()) {
    if (share !== null) fraction = Math.max(fraction, (sizes[i] ?? 0) / Math.max(1, share));
  }
  for (const item of items) {
    const under = spanned(item);
    if (!under.some((i) => (tracks[i]?.share ?? null) !== null)) continue;
    fraction = Math.max(fraction, fractionOf(tracks, sizes, under, item.size.max - gap * (item.span - 1)));
  }
  return fraction;
}

/** Section 11.7.1, for the tracks at these places; a track that its content makes larger counts as inflexible. */
function fractionOf(
  tracks: readonly Sizing[],
  sizes: readonly number[],
  places: readonly number[],
  room: number,
): number {
  let left = room;
  let flexible: { readonly share: number; readonly size: number }[] = [];
  for (const i of places) {
    const share = tracks[i]?.share ?? null;
    if (share !== null) flexible.push({ share, size: sizes[i] ?? 0 });
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
function stretch(tracks: readonly Sizing[], sizes: readonly number[], room: number): readonly number[] {
  const free = room - sum(sizes);
  const count = tracks.filter(({ max }) => max === 'auto').length;
  if (free <= 0 || count === 0) return sizes;
  return sizes.map((size, i) => (tracks[i]?.max === 'auto' ? size + free / count : size));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
