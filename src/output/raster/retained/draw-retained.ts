// A placed list in, its raster out, of which only what changed since earlier renders is drawn anew.
//
// Nothing says which layers move. Operations that were seen in earlier renders are taken to stay; all that stay and lie
// over nothing that moves are one raster, the base, kept under the digest of what it holds. Above it letters come
// from masks, pictures from their own pixels, and the rest from the rasteriser in tight boxes that are kept as well.
// Every value that is kept has all that it depends on in its key, so a wrong guess costs time and never a pixel.

import type { Size } from '#core/geometry.ts';
import type { Resources } from '#core/resources.ts';
import type { Raster } from '#pixels/raster.ts';
import { keptMemory } from '../../kept-memory.ts';
import type { PlacedList } from '../place-images.ts';
import { borrowPixels } from '../surface-pool.ts';
import { digestOf } from './op-digest.ts';
import { type Ordered, sink } from './order.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { prepareSteps } from './prepare-steps.ts';
import { Surface } from './surface.ts';

const sightings = keptMemory.of<{ count: number }>('sightings');
const bases = keptMemory.of<Uint32Array>('bases');

/**
 * Draws a list at whole device pixels.
 *
 * @param scale device px per canvas px
 * @returns null when an operation blends with what lies below it: such a list is drawn in one piece
 */
export async function drawRetained(
  placed: PlacedList,
  resources: Resources,
  scale: number,
  device: Size,
): Promise<Raster | null> {
  if (placed.list.ops.some((op) => op.kind === 'group' && op.blend !== 'normal')) return null;
  const pieces = piecesOf(placed, resources, scale, device);
  const layers = chooseBase(pieces, `${device.width}×${device.height} ${scale}`);
  const { below, above, base, stays } = layers;
  const over = sink(above, (piece) => piece.kind !== 'letters');

  const canvas = { x: 0, y: 0, ...device };
  const order = [base ? [] : below, over.below, over.above];
  const prepared = await prepareSteps(order, { placed, resources, scale, canvas, stays });
  const pixels = borrowPixels(device.width * device.height);
  if (base) pixels.set(base);
  else pixels.fill(0);
  const surface = new Surface(device.width, device.height, pixels);
  for (const [layer, steps] of prepared.entries()) {
    for (const step of steps) step(surface);
    if (layer === 0 && layers.isWorthKeeping) {
      bases.set(layers.key, pixels.slice(), pixels.byteLength);
    }
  }
  return { ...device, pixels: new Uint8Array(pixels.buffer) };
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
    const key = digestOf([canvas, ...below.map(({ digest }) => digest)]);
    return { below, above, key, base: bases.get(key), isDue: below.length > 0 && sightOf(`base ${key}`) >= keptAfter };
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
  const counts = new Map(pieces.map((piece) => [piece, sightOf(`piece ${piece.digest}`)]));
  const known = [...counts].flatMap(([{ kind }, count]) => (count > 0 && kind !== 'letters' ? [count] : []));
  const middle = known.sort((a, b) => a - b)[known.length >> 1] ?? 1;
  return new Set(pieces.filter((piece) => (counts.get(piece) ?? 0) >= Math.max(1, middle / 2)));
}

/** How often a key was seen before; counts this time. */
function sightOf(key: string): number {
  const sighting = sightings.get(key);
  if (sighting) return sighting.count++;
  sightings.set(key, { count: 1 }, 0);
  return 0;
}
