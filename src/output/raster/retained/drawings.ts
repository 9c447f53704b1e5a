// Drawings in, what the rasteriser makes of each out: kept, and the small ones of a render drawn together. Shadows of
// boxes are drawn here, and look the same.

import { type Rect, rectContains, type Size, union } from '#core/geometry.ts';
import { filterReach } from '#core/paint/bounds.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import { controlBounds } from '#core/path.ts';
import type { Resources } from '#core/resources.ts';
import type { FontSet } from '#core/text/font-set.ts';
import { keptMemory } from '../../kept-memory.ts';
import type { Mask } from '../coverage.ts';
import { drawParts } from '../draw-list.ts';
import { isDrawnApart } from '../layer-room.ts';
import type { PlacedList } from '../place-images.ts';
import { cut, type Margins, trimmed, withinMargins } from './extents.ts';
import { contentBounds } from './layer-corner.ts';
import { cutsExactly, holdsFilters, movesExactly } from './moves-exactly.ts';
import { digestOf } from './op-digest.ts';
import { type Drawing, type Piece, touched } from './pieces.ts';
import { shadowDrawer } from './shadow.ts';
import { packSheets, type Sheet, WIDEST_CELL } from './sheet.ts';
import { type Squeezed, squeezeBox } from './squeeze.ts';
import { type Stretch, stretched } from './stretch.ts';
import { premultiplied, type Tile, words } from './surface.ts';

const drawings = keptMemory.of<Drawn>('drawings');
/** Boxes and shadows, as large as their corners. */
const boxes = keptMemory.of<Box>('boxes');

/** Pixels of a drawing that shares a sheet; larger ones are drawn at the same time as others. */
const LARGEST_CELL = 65_536;
/** Pixels of a canvas that is drawn for one drawing's sake; on larger ones a sample may fall beside its edge. */
const LARGEST_CANVAS = 4_000_000;

/** A mask in one colour. */
export interface Stain extends Mask {
  /** Premultiplied. */
  readonly color: number;
}

/** What the rasteriser made of a drawing. */
export type Drawn = Tile | Stain;

const sizeIn = ({ width, height }: Size): Size => ({ width, height });
const areaOf = ({ width, height }: Size) => width * height;

/** Pixels, of which those that show nothing at the edges may be left out. */
interface Box {
  readonly pixels: Uint32Array;
  /** What was left out, if anything was. */
  readonly margins: Margins | null;
}

/** Something to draw, and the drawings that are made of it: equal boxes are drawn once. */
interface Job extends Size {
  readonly op: PaintOp;
  readonly area: Rect;
  /** False where the canvas cuts something off. */
  readonly isWhole: boolean;
  readonly isBlurred: boolean;
  readonly stretch: Stretch | null;
  readonly users: User[];
  /** Of a squeezed box, which looks the same wherever it stands. */
  readonly boxKey: string | null;
}

interface User {
  readonly drawing: Drawing;
  readonly squeezed: Squeezed | null;
}

/**
 * All pixels of each drawing, on nothing.
 *
 * @param stays pieces that will likely be drawn again
 * @param tiles where they are put
 * @returns what must be waited for, null where that is nothing
 */
export function drawDrawings(
  wanted: readonly Drawing[],
  placed: PlacedList,
  resources: Resources,
  stays: ReadonlySet<Piece>,
  tiles: Map<Piece, Drawn>,
): Promise<unknown> | null {
  const { list } = placed;
  const finish = ({ drawing, squeezed }: User, { pixels, margins }: Box) => {
    const { area, op, digest } = drawing;
    const whole: Tile = {
      ...area,
      pixels,
      stretch: squeezed?.stretch ?? null,
      edges: isInk(op) ? 'ink' : 'layer',
      opacity: op.kind === 'group' ? op.opacity : 1,
    };
    const color = opaqueColor(op);
    const plain = color === null ? whole : coverageOf(whole, color);
    const drawn = margins ? withinMargins(whole, margins, digest(), list) : plain;
    tiles.set(drawing, drawn);
    // A small drawing that nobody has asked for before would only push out what is asked for again.
    const isKept = areaOf(drawn) > LARGEST_CELL || stays.has(drawing);
    const { byteLength } = 'alphas' in drawn ? drawn.alphas : drawn.pixels;
    if (isKept) drawings.set(keyOf(drawing, list), drawn, byteLength);
  };

  const jobs = new Map<Drawing | string, Job>();
  for (const drawing of wanted) {
    const kept = drawings.get(keyOf(drawing, list));
    if (kept) {
      tiles.set(drawing, kept);
      continue;
    }
    const { area, isWhole } = drawing;
    const op = unfaded(drawing.op);
    const squeezed = isWhole ? squeezeBox(op, area) : null;
    const boxKey = squeezed && digestOf([JSON.stringify([squeezed.op, squeezed.area])]);
    const box = boxKey === null ? undefined : boxes.get(boxKey);
    const user = { drawing, squeezed };
    const job = jobs.get(boxKey ?? drawing);
    if (box) finish(user, box);
    else if (job) job.users.push(user);
    else {
      const drawn = squeezed ?? { op, area, stretch: null };
      const { isBlurred } = drawing;
      jobs.set(boxKey ?? drawing, { ...drawn, ...sizeIn(drawn.area), isWhole, isBlurred, users: [user], boxKey });
    }
  }
  const deliver = (job: Job, pixels: Uint32Array) => {
    const { boxKey, users, area, isBlurred, stretch } = job;
    const box = isBlurred ? trimmed(pixels, area, stretch) : { pixels, margins: null };
    if (boxKey !== null) boxes.set(boxKey, box, box.pixels.byteLength);
    for (const user of users) finish(user, box);
  };
  const own: (() => void)[] = [];
  const others: Job[] = [];
  for (const job of jobs.values()) {
    const draw = job.isWhole ? shadowDrawer(job.op, job.area) : null;
    if (draw) own.push(() => deliver(job, draw()));
    else others.push(job);
  }
  const underWay = others.length > 0 ? rasterized(others, placed, resources, deliver) : null;
  // The rasteriser works on other threads meanwhile.
  for (const draw of own) draw();
  return underWay;
}

/** Has the rasteriser draw what is wanted, small things together on one canvas. */
function rasterized(
  jobs: readonly Job[],
  { list, images }: PlacedList,
  resources: Resources,
  deliver: (job: Job, pixels: Uint32Array) => void,
): Promise<unknown> {
  const canvas = sizeIn(list);
  const roomy = jobs.map((job): Roomy => {
    const room = roomFor(job, canvas, resources.fonts);
    return { job, room, ...sizeIn(room) };
  });
  // Without what a cell would show otherwise.
  const sheets = packSheets(roomy.filter((item) => fitsCell(item, canvas))).map(({ cells, ...size }) => ({
    ...size,
    cells: cells.filter(({ x, y, item: { job, room } }) => movesExactly(job.op, { x: x - room.x, y: y - room.y })),
  }));
  const inCells = new Set(sheets.flatMap(({ cells }) => cells.map(({ item }) => item)));
  const alone = roomy
    .filter((item) => !inCells.has(item))
    .map((item) => ({ ...sizeIn(item), cells: [{ x: 0, y: 0, item }] }));
  return Promise.all(
    [...sheets.filter(({ cells }) => cells.length > 0), ...alone]
      .map(withoutRooms)
      .map(roomForFilters)
      .map(async ({ cells, ...size }) => {
        const parts = cells.map(({ x, y, item }) => ({ op: item.op, x: x - item.area.x, y: y - item.area.y }));
        const drawn = words((await drawParts(parts, size, images, resources)).pixels);
        for (const { x, y, item } of cells) {
          const isAll = size.width === item.width && size.height === item.height;
          deliver(item, isAll ? drawn : cut(drawn, size.width, { x, y, ...sizeIn(item) }));
        }
      }),
  );
}

/** A job with the part of the canvas that is drawn for its sake, and that part's size. */
interface Roomy extends Size {
  readonly job: Job;
  readonly room: Rect;
}

/** With each job where its own area lies. */
function withoutRooms({ cells, ...size }: Sheet<Roomy>): Sheet<Job> {
  const placed = cells.map(({ x, y, item: { job, room } }) => {
    const { area } = job;
    return { x: x + area.x - room.x, y: y + area.y - room.y, item: job };
  });
  return { ...size, cells: placed };
}

/**
 * The part of the canvas that is drawn for one drawing's sake: with all that a clip leaves out of it. It is all of the
 * canvas where the drawing cannot be moved, however small it is.
 */
export function roomFor(item: Pick<Job, 'op' | 'area' | 'isWhole'>, canvas: Size, fonts: FontSet): Rect {
  const { op, area, isWhole } = item;
  if (areaOf(canvas) > LARGEST_CANVAS && !holdsFilters(op)) return area;
  const all = { x: 0, y: 0, ...sizeIn(canvas) };
  if (!isWhole) return cutsExactly(op) ? area : all;
  // A curve is cut anew where so much as one of its control points lies beyond the edge of what it is drawn on.
  const bounds = uncutBounds(op, fonts);
  const isHeld = bounds === null || rectContains(area, bounds);
  const held = isHeld ? area : (union(area, touched(bounds)) ?? area);
  const isRoomy = isHeld || rectContains(all, held);
  return isRoomy && movesExactly(op, { x: -held.x, y: -held.y }) ? held : all;
}

const keyOf = ({ digest }: Drawing, { width, height }: Size) => `${digest()} ${width}×${height}`;

/**
 * A group drawn apart, as a layer, and not faded yet: the rasteriser fades a layer and lays it over the rest in one
 * step, with one rounding. Of its 255 shades this opacity takes none away.
 */
function unfaded(op: PaintOp): PaintOp {
  return op.kind === 'group' && op.opacity < 1 ? { ...op, opacity: 1 - 1e-7 } : op;
}

/** The colour of what is drawn in a single opaque one, premultiplied. */
function opaqueColor(op: PaintOp): number | null {
  if (op.kind === 'group') {
    const [only, ...others] = op.ops;
    return only && others.length === 0 && !isDrawnApart(op) ? opaqueColor(only) : null;
  }
  if (op.kind === 'image' || op.kind === 'link') return null;
  const outline = op.kind === 'glyphs' ? op.outline : null;
  const stroke = op.kind === 'stroke' ? op.stroke : outline?.stroke;
  const brush = outline ? outline.brush : op.brush;
  const isSingle = !outline || op.brush === null;
  if (!isSingle || brush?.kind !== 'solid' || brush.color.a < 1) return null;
  // A line thinner than a pixel is drawn in a paler colour.
  return stroke && stroke.width < 1 ? null : premultiplied(brush.color);
}

/** What an opaque colour covers is all that there is to know about it. */
function coverageOf(tile: Tile, color: number): Stain {
  const { x, y, width, height, stretch } = tile;
  const pixels = stretch ? stretched(tile.pixels, stretch, tile) : tile.pixels;
  return { x, y, width, height, alphas: Uint8Array.from(pixels, (pixel) => pixel >>> 24), color };
}

/** Whether it is drawn in colours. Pictures, of which a conic gradient is one, are laid over the rest pixel by pixel. */
function isInk(op: PaintOp): boolean {
  if (op.kind === 'image' || op.kind === 'link') return false;
  if (op.kind === 'glyphs' && op.outline?.brush.kind === 'conic') return false;
  if (op.kind !== 'group') return op.brush?.kind !== 'conic';
  return !isDrawnApart(op) && op.ops.every(isInk);
}

/** Large enough for filters: what they work on is cut at twice the sides of the canvas. */
function roomForFilters({ cells, ...size }: Sheet<Job>): Sheet<Job> {
  const reaches = cells.map(({ item: { op } }) => (op.kind === 'group' ? Math.ceil(filterReach(op.filters)) : 0));
  const least = Math.max(...reaches);
  return { cells, width: Math.max(size.width, least), height: Math.max(size.height, least) };
}

/** What must lie on a sheet; null where nothing has to. */
function uncutBounds(op: PaintOp, fonts: FontSet): Rect | null {
  if (op.kind === 'fill') return controlBounds(op.path);
  return op.kind === 'group' && op.filters.length === 0 ? contentBounds(op.ops, fonts) : null;
}

/** What is cut off by the canvas would show beside its cell. */
function fitsCell({ job, room, width, height }: Roomy, canvas: Size): boolean {
  const isAll = width === canvas.width && height === canvas.height && room.x === 0 && room.y === 0;
  return job.isWhole && !isAll && width <= WIDEST_CELL && width * height <= LARGEST_CELL;
}
