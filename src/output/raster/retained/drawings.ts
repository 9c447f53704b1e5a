// Runs of pieces in, what the rasteriser makes of each out: kept, and the small ones of a render drawn together.

import { type Rect, type Size, union } from '#core/geometry.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import { drawParts } from '../draw-list.ts';
import { keptMemory } from '../kept-memory.ts';
import type { PlacedList } from '../place-images.ts';
import { cut, trimmed } from './extents.ts';
import { digestOf } from './op-digest.ts';
import type { Piece } from './pieces.ts';
import { packSheets, WIDEST_CELL } from './sheet.ts';
import { squeezeShadow } from './squeeze.ts';
import { type Tile, words } from './surface.ts';

const drawings = keptMemory.of<Tile>('drawings');

/** What starting the rasteriser costs, in pixels that it could draw meanwhile. */
const START_COST = 20_000;
/** Pixels of a drawing that shares a sheet; larger ones are drawn at the same time as others. */
const LARGEST_CELL = 65_536;

/** Neighbouring pieces that are drawn at once. */
export interface Run {
  readonly pieces: readonly Piece[];
  readonly area: Rect;
}

/** A run with one piece more, where that costs less than drawing the piece apart. What is blurred stays alone. */
export function joined(run: Run, piece: Piece): Run | null {
  if (piece.isBlurred || run.pieces.some(({ isBlurred }) => isBlurred)) return null;
  const area = union(run.area, piece.area) ?? run.area;
  const apart = sizeOf(run.area) + sizeOf(piece.area) + START_COST;
  return sizeOf(area) <= apart ? { pieces: [...run.pieces, piece], area } : null;
}

const sizeOf = ({ width, height }: Size) => width * height;

/** A run that is to be drawn, or what is drawn in its stead. */
interface Job extends Size {
  readonly run: Run;
  readonly key: string;
  readonly ops: readonly PaintOp[];
  readonly area: Rect;
  /** From the pixels of `area` to those of the run. */
  readonly expand: (pixels: Uint32Array) => Uint32Array;
}

function jobOf(run: Run, key: string, scale: number): Job {
  const [first] = run.pieces;
  const squeezed = first?.isBlurred && first.isWhole ? squeezeShadow(first.op, run.area, scale) : null;
  if (squeezed) return { run, key, ...squeezed, ops: [squeezed.op], ...sizeIn(squeezed.area) };
  return {
    run,
    key,
    ops: run.pieces.map(({ op }) => op),
    area: run.area,
    ...sizeIn(run.area),
    expand: (pixels) => pixels,
  };
}

const sizeIn = ({ width, height }: Size): Size => ({ width, height });

/** All pixels of each run, on nothing. */
export async function drawRuns(
  runs: readonly Run[],
  { images }: PlacedList,
  resources: Resources,
  scale: number,
  device: Size,
): Promise<ReadonlyMap<Run, Tile>> {
  const tiles = new Map<Run, Tile>();
  const jobs: Job[] = [];
  for (const run of runs) {
    const key = digestOf([`${device.width}×${device.height} ${scale}`, ...run.pieces.map(({ digest }) => digest)]);
    const kept = drawings.get(key);
    if (kept) tiles.set(run, kept);
    else jobs.push(jobOf(run, key, scale));
  }
  const sheets = packSheets(jobs.filter(fitsCell));
  const large = jobs
    .filter((job) => !fitsCell(job))
    .map((item) => ({ ...sizeIn(item), cells: [{ x: 0, y: 0, item }] }));
  await Promise.all(
    [...sheets, ...large].map(async ({ cells, ...size }) => {
      const parts = cells.map(({ x, y, item }) => ({ ops: item.ops, area: item.area, x, y }));
      const drawn = words((await drawParts(parts, size, images, resources, scale)).pixels);
      for (const { x, y, item } of cells) {
        const { run, key, expand } = item;
        const pixels = expand(cells.length === 1 ? drawn : cut(drawn, size.width, { x, y, ...sizeIn(item) }));
        const whole = { ...run.area, pixels, isOpaque: false };
        const [first] = run.pieces;
        const tile = first?.isBlurred ? trimmed(whole, first.digest, scale, device) : whole;
        tiles.set(run, tile);
        drawings.set(key, tile, tile.pixels.byteLength);
      }
    }),
  );
  return tiles;
}

/** What is cut off by the canvas would show beside its cell. */
function fitsCell({ run, width, height }: Job): boolean {
  return width <= WIDEST_CELL && width * height <= LARGEST_CELL && run.pieces.every(({ isWhole }) => isWhole);
}
