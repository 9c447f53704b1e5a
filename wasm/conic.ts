// The wedges of a conic gradient's tile, in AssemblyScript: what of each row lies between the two rays that bound one.
//
// A ray is a line that resvg draws without antialiasing. It is cut at the tile's edges, in single precision; what leads
// beyond the tile's sides runs along them; each part starts on 64ths of a px and goes on in 16 bits of fraction. So the
// pixels are its own. `npm run kernel` compiles it to src/output/raster/retained/conic.wasm; a test holds that file to
// this source.

/** Bytes of a wedge: two points beyond the tile, f32 each, clockwise, and its premultiplied colour. */
const WEDGE: usize = 20;

/** What is no longer than this, the rasteriser takes to be nothing. */
const NEARLY_ZERO: f32 = 1.0 / 4096.0;

/** The tile's size, and where its rays meet. */
let tileWidth: i32 = 0;
let tileHeight: i32 = 0;
let apexX: f32 = 0;
let apexY: f32 = 0;
/** The rows that are drawn. */
let top: i32 = 0;
let bottom: i32 = 0;
/** The first row that rays lead down to. */
let middle: i32 = 0;

/**
 * Draws a part of a tile, RGBA, premultiplied.
 *
 * @param traces room for two integers a row
 * @param x the part's place in the tile, whole px, as `y`
 * @param wedges once around; told, as the apex, in px from the tile's corner
 */
export function fillWedges(
  pixels: usize,
  traces: usize,
  x: i32,
  y: i32,
  columns: i32,
  rows: i32,
  width: i32,
  height: i32,
  centreX: f32,
  centreY: f32,
  wedges: usize,
  count: i32,
): void {
  tileWidth = width;
  tileHeight = height;
  apexX = centreX;
  apexY = centreY;
  top = y;
  bottom = y + rows;
  middle = min(max(rowAt(centreY), 0), height);
  memory.fill(pixels, 0, 4 * columns * rows);
  let start = traces;
  let end = traces + 4 * rows;
  let isStartUp = trace(start, load<f32>(wedges), load<f32>(wedges, 4));
  for (let i = 0; i < count; i++, wedges += WEDGE) {
    const isEndUp = trace(end, load<f32>(wedges, 8), load<f32>(wedges, 12));
    const pixel = load<u32>(wedges, 16);
    // Above the apex rays follow each other from left to right, below from right to left.
    if (isStartUp || isEndUp) {
      fillBetween(pixels, isStartUp ? start : 0, isEndUp ? end : 0, y, min(middle, bottom), x, columns, pixel);
    }
    if (!isStartUp || !isEndUp) {
      fillBetween(pixels, isEndUp ? 0 : end, isStartUp ? 0 : start, max(middle, y), bottom, x, columns, pixel);
    }
    const last = start;
    start = end;
    end = last;
    isStartUp = isEndUp;
  }
}

/** Fills rows between two rays; in place of one that does not lead there is the tile's own edge. */
function fillBetween(
  pixels: usize,
  left: usize,
  right: usize,
  first: i32,
  end: i32,
  x: i32,
  columns: i32,
  pixel: u32,
): void {
  for (let row = first; row < end; row++) {
    const a = left ? traced(left, row) - x : 0;
    const b = right ? traced(right, row) - x : columns;
    const line = pixels + 4 * (row - top) * columns;
    const stop = line + 4 * min(max(a, b), columns);
    if (pixel >>> 24 === 255) {
      for (let at = line + 4 * max(min(a, b), 0); at < stop; at += 4) store<u32>(at, pixel);
    } else {
      for (let at = line + 4 * max(min(a, b), 0); at < stop; at += 4) store<u32>(at, over(load<u32>(at), pixel));
    }
  }
}

/** Where two rays meet a pixel twice. Divided as the rasteriser divides. */
function over(below: u32, pixel: u32): u32 {
  const through = 255 - (pixel >>> 24);
  const low = (((below & 0x00ff00ff) * through + 0x00ff00ff) >>> 8) & 0x00ff00ff;
  const high = (((below >>> 8) & 0x00ff00ff) * through + 0x00ff00ff) & 0xff00ff00;
  return pixel + (low | high);
}

function traced(trace: usize, row: i32): i32 {
  return load<i32>(trace + 4 * (row - top));
}

/** Notes the first column behind a ray for each row of the half that it leads to. Returns whether that is the upper. */
function trace(into: usize, x: f32, y: f32): bool {
  const isUp = y < apexY;
  // Where it has left the tile, at the edge that it left it by.
  note(into, isUp ? 0 : middle, isUp ? middle : tileHeight, x > apexX ? tileWidth << 16 : 0, 0);

  const width = <f32>tileWidth;
  const height = <f32>tileHeight;
  if (max(y, apexY) <= 0 || min(y, apexY) >= height) return isUp;
  let nearX = apexX;
  const nearY = min(max(apexY, 0), height);
  let farX = x;
  const farY = min(max(y, 0), height);
  if (nearY !== apexY) nearX = crossing(apexY, apexX, y, x, nearY);
  if (farY !== y) farX = crossing(apexY, apexX, y, x, farY);

  const isRight = x > apexX;
  const leftX = isRight ? nearX : farX;
  const leftY = isRight ? nearY : farY;
  const rightX = isRight ? farX : nearX;
  const rightY = isRight ? farY : nearY;
  if (rightX <= 0 || leftX >= width) {
    const side: f32 = rightX <= 0 ? 0 : width;
    step(into, side, leftY, side, rightY);
    return isUp;
  }
  const enterX = max(leftX, 0);
  const enterY = leftX < 0 ? crossing(leftX, leftY, rightX, rightY, 0) : leftY;
  const leaveX = min(rightX, width);
  const leaveY = rightX > width ? crossing(leftX, leftY, rightX, rightY, width) : rightY;
  if (leftX < 0) step(into, 0, leftY, 0, enterY);
  step(into, enterX, enterY, leaveX, leaveY);
  if (rightX > width) step(into, width, leaveY, width, rightY);
  return isUp;
}

/** The second coordinate where a line reaches `at` in its first. */
function crossing(p0: f32, q0: f32, p1: f32, q1: f32, at: f32): f32 {
  if (abs(p1 - p0) <= NEARLY_ZERO) return (q0 + q1) * 0.5;
  const place = <f64>q0 + ((<f64>at - <f64>p0) * (<f64>q1 - <f64>q0)) / (<f64>p1 - <f64>p0);
  return <f32>min(max(place, <f64>min(q0, q1)), <f64>max(q0, q1));
}

/** Notes a part of a ray. */
function step(into: usize, x0: f32, y0: f32, x1: f32, y1: f32): void {
  const isDown = y0 <= y1;
  const x = sixtyFourths(isDown ? x0 : x1);
  const y = sixtyFourths(isDown ? y0 : y1);
  const first = rowAt(isDown ? y0 : y1);
  const end = rowAt(isDown ? y1 : y0);
  if (first === end) return;
  const across = (<i64>(sixtyFourths(isDown ? x1 : x0) - x)) << 16;
  const steep = across / <i64>(sixtyFourths(isDown ? y1 : y0) - y);
  const slope = <i32>min(max(steep, i32.MIN_VALUE), i32.MAX_VALUE);
  const toMiddle = 64 * first + 32 - y;
  note(into, first, end, (x + <i32>((<i64>slope * <i64>toMiddle) >> 16)) << 10, slope);
}

/** Notes columns of rows that are drawn, in 16 bits of fraction, rounded. */
function note(into: usize, first: i32, end: i32, place: i32, slope: i32): void {
  const from = max(first, top);
  place += slope * (from - first);
  for (let row = from; row < min(end, bottom); row++, place += slope) {
    store<i32>(into + 4 * (row - top), (place + 0x8000) >> 16);
  }
}

function sixtyFourths(px: f32): i32 {
  return <i32>(px * 64.0);
}

/** The first row whose middle does not lie before a place. */
function rowAt(px: f32): i32 {
  return (sixtyFourths(px) + 32) >> 6;
}
