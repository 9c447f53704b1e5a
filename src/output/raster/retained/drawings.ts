// Runs of pieces in, what the rasteriser makes of each out: kept, and the small ones of a render drawn together.

import { type Rect, type Size, union } from '#core/geometry.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import { keptMemory } from '../../kept-memory.ts';
import { drawParts } from '../draw-list.ts';
import type { PlacedList } from '../place-images.ts';
import { cut, marginsOf, trimmed } from './extents.ts';
import { digestOf } from './op-digest.ts';
import type { Piece } from './pieces.ts';
import { packSheets, WIDEST_CELL } from './sheet.ts';
import { type Squeezed, squeezeBox } from './squeeze.ts';
import { type Tile, words } from './surface.ts';

const drawings = keptMemory.of<Tile>('drawings');
/** Boxes and shadows, as large as their corners. */
const boxes = keptMemory.of<Uint32Array>('boxes');

/** What another drawing on a sheet costs, in pixels that could be drawn meanwhile. */
const START_COST = 2000;
/** Pixels of a drawing that shares a sheet; larger ones are drawn at the same time as others. */
const LARGEST_CELL = 65_536;

/** Neighbouring pieces that are drawn at once. */
export interface Run {
  readonly kind: 'run';
  readonly pieces: readonly Piece[];
  readonly area: Rect;
  /** A smaller drawing that can stand for it. */
  readonly squeezed: Squeezed | null;
}

export function runOf(piece: Piece): Run {
  const { op, area, isWhole } = piece;
  return { kind: 'run', pieces: [piece], area, squeezed: isWhole ? squeezeBox(op, area) : null };
}

/** Two runs as one, where that costs less than drawing them apart. What is blurred or squeezed stays alone. */
export function joined(run: Run, next: Run): Run | null {
  const isAlone = ({ squeezed, pieces }: Run) => squeezed !== null || pieces.some(({ isBlurred }) => isBlurred);
  if (isAlone(run) || isAlone(next)) return null;
  const area = union(run.area, next.area) ?? run.area;
  const apart = sizeOf(run.area) + sizeOf(next.area) + START_COST;
  return sizeOf(area) <= apart ? { kind: 'run', pieces: [...run.pieces, ...next.pieces], area, squeezed: null } : null;
}

const sizeOf = ({ width, height }: Size) => width * height;

/** Something to draw, and the runs that are made of it: equal boxes are drawn once. */
interface Job extends Size {
  /** Of a squeezed drawing, which looks the same wherever it stands. */
  readonly boxKey: string | null;
  readonly ops: readonly PaintOp[];
  readonly area: Rect;
  readonly isWhole: boolean;
  readonly users: Run[];
}

const sizeIn = ({ width, height }: Size): Size => ({ width, height });

function jobOf(run: Run, boxKey: string | null): Job {
  const { squeezed, area, pieces } = run;
  if (squeezed) {
    const { op, area: small } = squeezed;
    return { boxKey, ops: [op], area: small, ...sizeIn(small), isWhole: true, users: [run] };
  }
  const isWhole = pieces.every((piece) => piece.isWhole);
  return { boxKey, ops: pieces.map(({ op }) => op), area, ...sizeIn(area), isWhole, users: [run] };
}

/**
 * All pixels of each run, on nothing.
 *
 * @param stays pieces that will likely be drawn again
 * @param tiles where they are put
 */
export async function drawRuns(
  runs: readonly Run[],
  { list, images }: PlacedList,
  resources: Resources,
  stays: ReadonlySet<Piece>,
  tiles: Map<unknown, Tile>,
): Promise<void> {
  const keyOf = ({ pieces }: Run) =>
    digestOf([`${list.width}×${list.height}`, ...pieces.map(({ digest }) => digest())]);

  const finish = (run: Run, drawn: Uint32Array) => {
    const pixels = run.squeezed ? run.squeezed.expand(drawn) : drawn;
    const whole = { ...run.area, pixels, isOpaque: false };
    const [first] = run.pieces;
    // Nothing stands beside a small box that does not beside the large one.
    const margins = first?.isBlurred ? marginsOf(drawn, run.squeezed?.area ?? run.area) : null;
    const tile = first && margins ? trimmed(whole, margins, first.digest(), list) : whole;
    tiles.set(run, tile);
    // A small drawing that nobody has asked for before would only push out what is asked for again.
    const isKept = sizeOf(tile) > LARGEST_CELL || run.pieces.every((piece) => stays.has(piece));
    if (isKept) drawings.set(keyOf(run), tile, tile.pixels.byteLength);
  };

  const jobs = new Map<Run | string, Job>();
  for (const run of runs) {
    const kept = drawings.get(keyOf(run));
    const boxKey = run.squeezed && digestOf([JSON.stringify([run.squeezed.op, run.squeezed.area])]);
    const box = boxKey === null ? undefined : boxes.get(boxKey);
    const job = jobs.get(boxKey ?? run);
    if (kept) tiles.set(run, kept);
    else if (box) finish(run, box);
    else if (job) job.users.push(run);
    else jobs.set(boxKey ?? run, jobOf(run, boxKey));
  }
  if (jobs.size === 0) return;
  const all = [...jobs.values()];
  const large = all.filter((job) => !fitsCell(job)).map((item) => ({ ...sizeIn(item), cells: [{ x: 0, y: 0, item }] }));
  await Promise.all(
    [...packSheets(all.filter(fitsCell)), ...large].map(async ({ cells, ...size }) => {
      const parts = cells.map(({ x, y, item }) => ({ ops: item.ops, area: item.area, x, y }));
      const drawn = words((await drawParts(parts, size, images, resources)).pixels);
      for (const { x, y, item } of cells) {
        const pixels = cells.length === 1 ? drawn : cut(drawn, size.width, { x, y, ...sizeIn(item) });
        if (item.boxKey !== null) boxes.set(item.boxKey, pixels, pixels.byteLength);
        for (const run of item.users) finish(run, pixels);
      }
    }),
  );
}

/** What is cut off by the canvas would show beside its cell. */
function fitsCell({ isWhole, width, height }: Job): boolean {
  return isWhole && width <= WIDEST_CELL && width * height <= LARGEST_CELL;
}
