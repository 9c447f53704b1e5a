// A rectangle of whole pixels with a conic gradient in, drawn on a surface out, wedge by wedge as its tile is written.
//
// The door to conic.wasm, which is compiled from wasm/conic.ts by `npm run kernel`. It draws the wedges as the rasteriser
// would, so that the pixels are its own.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Rect, rectContains } from '#core/geometry.ts';
import type { Brush } from '#core/paint/display-list.ts';
import { type ConicTile, conicTile, tileArea } from '#core/svg/conic-tile.ts';
import type { RectGradient } from './gradient.ts';
import { premultiplied, type Surface } from './surface.ts';
import { lengthRead } from './svg-number.ts';

interface ConicKernel {
  readonly memory: WebAssembly.Memory;
  fillWedges(
    pixels: number,
    traces: number,
    x: number,
    y: number,
    columns: number,
    rows: number,
    width: number,
    height: number,
    centreX: number,
    centreY: number,
    wedges: number,
    count: number,
  ): void;
}

const bytes = readFileSync(join(import.meta.dirname, 'conic.wasm'));
const kernel = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as ConicKernel;

const PAGE = 65_536;
const WEDGES = PAGE;
/** What wasm/conic.ts calls by the same name, in numbers. */
const WEDGE = 5;
/** Pixels that pass through the kernel at a time; rays are traced anew for each part. */
const MOST_PIXELS = 1 << 17;
/** Pixels that are drawn here: some 4 ms. Larger ones are drawn on another thread. */
const LARGEST = 1_500_000;
/** Each of which makes up to 255 wedges. */
const MOST_STOPS = 64;

/** @returns null for what takes long */
export function conicGradient(rect: Rect, brush: Extract<Brush, { kind: 'conic' }>, bounds: Rect): RectGradient | null {
  const { stops } = brush;
  if (rect.width * rect.height > LARGEST || stops.length > MOST_STOPS) return null;
  if (!rectContains(tileArea(bounds), rect)) return null;
  const isOpaque = stops.every(({ color }) => color.a === 1);
  return {
    rect,
    // The tile looks the same wherever whole pixels move it to.
    isSteep: false,
    edges: 'layer',
    draw: (surface) => drawTile(surface, conicTile(brush, bounds), rect, isOpaque),
  };
}

/** @param rect lies within the tile */
function drawTile(surface: Surface, { area, apex, wedges }: ConicTile, rect: Rect, isOpaque: boolean): void {
  const { x, y, width, height } = rect;
  const most = Math.min(height, Math.max(1, Math.floor(MOST_PIXELS / width)));
  const traces = WEDGES + 4 * WEDGE * wedges.length;
  const first = traces + 8 * most;
  const missing = first + 4 * width * most - kernel.memory.buffer.byteLength;
  if (missing > 0) kernel.memory.grow(Math.ceil(missing / PAGE));
  const numbers = new Float32Array(kernel.memory.buffer, WEDGES, WEDGE * wedges.length);
  const colors = new Uint32Array(kernel.memory.buffer, WEDGES, WEDGE * wedges.length);
  wedges.forEach(({ from, to, color }, i) => {
    numbers.set([lengthRead(from.x), lengthRead(from.y), lengthRead(to.x), lengthRead(to.y)], WEDGE * i);
    colors[WEDGE * i + 4] = premultiplied(color);
  });
  const pixels = new Uint32Array(kernel.memory.buffer, first, width * most);
  const [centreX, centreY] = [lengthRead(apex.x), lengthRead(apex.y)];
  for (let top = y; top < y + height; top += most) {
    const rows = Math.min(most, y + height - top);
    const [left, above] = [x - area.x, top - area.y];
    kernel.fillWedges(
      first,
      traces,
      left,
      above,
      width,
      rows,
      area.width,
      area.height,
      centreX,
      centreY,
      WEDGES,
      wedges.length,
    );
    const drawn = rows === most ? pixels : pixels.subarray(0, width * rows);
    const edges = isOpaque ? 'opaque' : 'layer';
    surface.draw({ x, y: top, width, height: rows, pixels: drawn, stretch: null, edges, opacity: 1 });
  }
}
