// Tracks and what lies in them in; how wide or tall each track is out. CSS Grid 1, section 11, for fixed, `hug` (CSS
// `auto`) and `fr` tracks.

import type { GridTrack } from '../resolve/scene.ts';
import type { IntrinsicWidths } from './fragment.ts';

/** A child on one axis. */
export interface TrackItem {
  readonly first: number;
  readonly span: number;
  /** Its margin box at its smallest and at its largest, px. */
  readonly size: IntrinsicWidths;
}

/**
 * Sizes the tracks of one axis.
 *
 * @param room px that tracks and gaps share; null = as much as the content asks for
 */
export function sizeTracks(
  tracks: readonly GridTrack[],
  items: readonly TrackItem[],
  gap: number,
  room: number | null,
): readonly number[] {
  const kinds = tracks.map((track) => (track.kind === 'percent' && room === null ? HUG : track));
  const bases = kinds.map((track) => fixedSize(track, room));
  const limits = [...bases];
  const bySpan = items.toSorted((a, b) => a.span - b.span);
  for (const item of bySpan) {
    grow(kinds, item, gap, item.size.min, bases);
    for (const i of spanned(item)) limits[i] = Math.max(limits[i] ?? 0, bases[i] ?? 0);
    if (!spanned(item).some((i) => kinds[i]?.kind === 'fr')) grow(kinds, item, gap, item.size.max, limits);
  }

  const gaps = gap * Math.max(0, tracks.length - 1);
  const free = room === null ? Number.POSITIVE_INFINITY : room - gaps - sum(bases);
  const sizes = maximize(bases, limits, free);
  const fraction = room === null ? widestFraction(kinds, items, gap, sizes) : fractionOf(kinds, sizes, room - gaps);
  return sizes.map((size, i) => {
    const track = kinds[i];
    return track?.kind === 'fr' ? Math.max(size, track.value * fraction) : size;
  });
}

const HUG: GridTrack = { kind: 'hug' };

function fixedSize(track: GridTrack, room: number | null): number {
  if (track.kind === 'px') return track.value;
  return track.kind === 'percent' ? (track.value / 100) * (room ?? 0) : 0;
}

const spanned = ({ first, span }: TrackItem) => Array.from({ length: span }, (_, i) => first + i);

/** Raises the tracks under an item that give way, until they hold it: `fr` tracks by their shares, else all alike. */
function grow(tracks: readonly GridTrack[], item: TrackItem, gap: number, size: number, sizes: number[]): void {
  const under = spanned(item);
  const missing = size - gap * (item.span - 1) - sum(under.map((i) => sizes[i] ?? 0));
  if (missing <= 0) return;
  const shares = under.map((i) => {
    const track = tracks[i];
    return track?.kind === 'fr' ? track.value : 0;
  });
  const flexible = under.some((i) => tracks[i]?.kind === 'fr');
  const weights = under.map((i, k) => {
    if (flexible) return sum(shares) > 0 ? (shares[k] ?? 0) : tracks[i]?.kind === 'fr' ? 1 : 0;
    return tracks[i]?.kind === 'hug' ? 1 : 0;
  });
  const total = sum(weights);
  if (total === 0) return;
  for (const [k, i] of under.entries()) sizes[i] = (sizes[i] ?? 0) + (missing * (weights[k] ?? 0)) / total;
}

/** Section 11.6: free space goes to all tracks alike, up to what their content fills. */
function maximize(bases: readonly number[], limits: readonly number[], room: number): readonly number[] {
  const sizes = [...bases];
  const growable = () => sizes.flatMap((size, i) => (size < (limits[i] ?? 0) ? [i] : []));
  let free = room;
  for (let open = growable(); open.length > 0 && free > 0; ) {
    const least = Math.min(...open.map((i) => (limits[i] ?? 0) - (sizes[i] ?? 0)));
    const step = Math.min(least, free / open.length);
    // The nearest limit is set rather than added up to, so that the loop ends whatever the sums round to.
    for (const i of open) {
      const limit = limits[i] ?? 0;
      const grown = (sizes[i] ?? 0) + step;
      sizes[i] = step === least && limit - (sizes[i] ?? 0) <= least ? limit : Math.min(grown, limit);
    }
    free -= step * open.length;
    if (step < least) break;
    open = growable();
  }
  return sizes;
}

/** Section 11.7.1: px of one `fr`; a track that its content makes larger takes no part. */
function fractionOf(tracks: readonly GridTrack[], sizes: readonly number[], room: number): number {
  let flexible = tracks.flatMap((track, i) =>
    track.kind === 'fr' ? [{ share: track.value, size: sizes[i] ?? 0 }] : [],
  );
  let left = room - sum(tracks.map((track, i) => (track.kind === 'fr' ? 0 : (sizes[i] ?? 0))));
  for (;;) {
    const fraction = Math.max(0, left) / Math.max(1, sum(flexible.map(({ share }) => share)));
    const rigid = flexible.filter(({ share, size }) => size > share * fraction);
    if (rigid.length === 0) return fraction;
    left -= sum(rigid.map(({ size }) => size));
    flexible = flexible.filter((track) => !rigid.includes(track));
    if (flexible.length === 0) return 0;
  }
}

/** Section 11.7 where nothing says how much room there is: the `fr` at which every child has its largest size. */
function widestFraction(
  tracks: readonly GridTrack[],
  items: readonly TrackItem[],
  gap: number,
  sizes: readonly number[],
): number {
  const own = tracks.map((track, i) => (track.kind === 'fr' ? (sizes[i] ?? 0) / Math.max(1, track.value) : 0));
  const asked = items.map((item) => {
    const under = spanned(item);
    const share = sum(under.map((i) => (tracks[i]?.kind === 'fr' ? (tracks[i]?.value ?? 0) : 0)));
    if (share === 0) return 0;
    const fixed = sum(under.map((i) => (tracks[i]?.kind === 'fr' ? 0 : (sizes[i] ?? 0))));
    return (item.size.max - gap * (item.span - 1) - fixed) / Math.max(1, share);
  });
  return Math.max(0, ...own, ...asked);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
