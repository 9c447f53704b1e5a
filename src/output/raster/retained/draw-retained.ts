// A placed list in, its raster out, of which only what changed since earlier renders is drawn anew.
//
// Nothing says which layers move. Operations that were seen in earlier renders are taken to stay; all that stay and lie
// over nothing that moves are one raster, the base, kept under the digest of what it holds. Above it letters come
// from masks, pictures from their own pixels, and the rest from the rasteriser in tight boxes that are kept as well.
// Every value that is kept has all that it depends on in its key, so a wrong guess costs time and never a pixel.

import { setImmediate } from 'node:timers/promises';
import type { Resources } from '#core/resources.ts';
import { bufferOf, type Raster } from '#images/raster.ts';
import { keptMemory } from '../../kept-memory.ts';
import { needsRoom } from '../layer-room.ts';
import type { PlacedList } from '../place-images.ts';
import { borrowPixels, notePixels } from '../surface-pool.ts';
import { drawPiece } from './draw-piece.ts';
import { digestOf } from './op-digest.ts';
import { type Ordered, sink } from './order.ts';
import { finishPieces, type Piece, type Sketch, sketchPieces } from './pieces.ts';
import { Sightings } from './sightings.ts';
import { Surface } from './surface.ts';
import { TilesUnderWay } from './tiles.ts';

const sightings = new Sightings();
const bases = keptMemory.of<Uint32Array>('bases');

export type RetainedRaster = Raster;

/**
 * Draws a list in device px.
 *
 * @returns null when an operation blends with what lies below it, or a group reaches far beyond the canvas: such a list
 *   is drawn in one piece
 */
export async function drawRetained(placed: PlacedList, resources: Resources): Promise<Raster | null> {
  if (placed.list.ops.some((op) => op.kind === 'group' && op.blend !== 'normal')) return null;
  if (needsRoom(placed.list, resources.fonts)) return null;
  const { width, height } = placed.list;
  const sketch = sketchPieces(placed, resources);
  const underWay = new TilesUnderWay(placed, resources);
  beginUnseen(sketch, underWay);
  // Other threads are to have it before letters are covered on this one.
  if (underWay.isWaiting) await setImmediate();
  const layers = chooseBase(finishPieces(sketch, placed, resources), `${width}×${height}`);
  const { above } = layers;
  const below = layers.base ? [] : layers.below;
  underWay.begin([...below, ...above], layers.stays);
  const tiles = await underWay.all();

  // From here on nothing is waited for.
  const pixels = borrowPixels(placed.list, layers.base ?? null);
  const surface = new Surface({ x: 0, y: 0, width, height }, pixels);
  for (const piece of below) drawPiece(surface, piece, tiles, resources);
  const isKept = layers.isWorthKeeping && keptMemory.canHold(pixels.byteLength);
  const base = layers.base ?? (isKept ? copyOf(pixels) : null);
  if (base && !layers.base) bases.set(layers.key, base, base.byteLength);
  for (const piece of above) drawPiece(surface, piece, tiles, resources);
  const covered = (base ? above : [...below, ...above]).map(({ area }) => area);
  notePixels(pixels, placed.list, { base, covered });
  return { width, height, pixels: new Uint8Array(pixels.buffer, 0, pixels.byteLength) };
}

/** Begins what was never seen before, and so lies in no kept base. */
function beginUnseen(sketch: Sketch, tiles: TilesUnderWay): void {
  const pieces = sketch.filter((part) => part !== null && part.kind !== 'glyphs');
  tiles.begin(
    pieces.filter(({ glance }) => sightings.count(glance()) === 0),
    new Set(),
  );
}

function copyOf(pixels: Uint32Array): Uint32Array {
  const copy = new Uint32Array(pixels.length);
  bufferOf(pixels).copy(bufferOf(copy));
  return copy;
}

interface Layers extends Ordered<Piece> {
  readonly key: string;
  /** The raster of what lies below, where it was kept. */
  readonly base: Uint32Array | undefined;
  readonly isWorthKeeping: boolean;
  /** Those that will likely be drawn again, wherever they lie. */
  readonly stays: ReadonlySet<Piece>;
}

/**
 * The kept base that stands for most of the pieces. One with letters is only tried before one without: a name that comes
 * again by chance should not ask for a base of its own.
 */
function chooseBase(pieces: readonly Piece[], canvas: string): Layers {
  const stays = stayingPieces(pieces);
  const candidates = [
    { ...sink(pieces, (piece) => stays.has(piece)), keptAfter: 6 },
    { ...sink(pieces, (piece) => stays.has(piece) && piece.kind !== 'letters'), keptAfter: 1 },
  ].map(({ below, above, keptAfter }) => {
    const key = digestOf([canvas, ...below.map(({ digest }) => digest())]);
    const isDue = below.length > 0 && sightings.see(`base ${key}`) >= keptAfter;
    return { below, above, key, base: bases.get(key), isDue };
  });
  const chosen = candidates.find(({ base }) => base) ?? candidates.find(({ isDue }) => isDue) ?? candidates.at(-1);
  if (!chosen) throw new Error('there is always a candidate');
  return { ...chosen, stays, isWorthKeeping: chosen.isDue && !chosen.base };
}

/**
 * The pieces that are taken to stay. What a template always draws was seen equally often, what several templates share
 * more often, and a value among several that a caller sets less often: half of the middle count parts them.
 */
function stayingPieces(pieces: readonly Piece[]): ReadonlySet<Piece> {
  const counts = pieces.map(({ glance }) => sightings.see(glance()));
  const known = counts.filter((count, i) => count > 0 && pieces[i]?.kind !== 'letters').sort((a, b) => a - b);
  const least = Math.max(1, (known[known.length >> 1] ?? 1) / 2);
  return new Set(pieces.filter((_, i) => (counts[i] ?? 0) >= least));
}
