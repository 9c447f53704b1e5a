// Finds the distance at which a drawing repeats: some rows up and some pixels across.
//
// The rows of a gradient at an angle repeat: after some rows, everything has moved by a whole number of pixels. Matches
// at that distance are several times as long as those in the row above.

import { matchLength } from './match-length';
import { LONGEST, WINDOW } from './tokens';

/** Farthest shift that is looked for, in rows and in pixels to either side. */
const MOST_ROWS: u32 = 8;
const REACH: u32 = 24;
const ACROSS: u32 = 2 * REACH + 1;
/** Places in a band that are looked at. */
const PLACES: u32 = 8;
/** Bytes after a place that are in its row. */
const ROOM: u32 = 64;

/** The bytes that matched at each shift, u32, by rows and pixels. */
const SCORES = memory.data(4 * 8 * 49);

/**
 * Finds the distance at which most repeats of what follows a change of colour.
 *
 * @param from the filter byte of the first row; matches may not begin before it
 * @param unhashed how many bits of eight bytes do not belong to two pixels
 * @returns the distance, or `otherwise` where nothing is better than the row above
 */
export function findDrift(from: usize, length: u32, rowLength: u32, pixel: u32, unhashed: u64, otherwise: u32): u32 {
  const all = length / rowLength;
  const rows = min(MOST_ROWS, min((WINDOW - REACH * pixel) / rowLength, all >> 1));
  if (<i32>rows < 2 || rowLength <= 2 * ROOM) return otherwise;
  memory.fill(SCORES, 0, 4 * MOST_ROWS * ACROSS);
  for (let place: u32 = 0; place < PLACES; place++) addScores(from, rows, all, place, rowLength, pixel, unhashed);
  let best = load<u32>(scoreOf(1, REACH));
  let drift = otherwise;
  for (let row: u32 = 1; row <= rows; row++) {
    for (let across: u32 = 0; across < ACROSS; across++) {
      const score = load<u32>(scoreOf(row, across));
      if (score <= best) continue;
      best = score;
      drift = row * rowLength + (across - REACH) * pixel;
    }
  }
  return drift;
}

function scoreOf(row: u32, across: u32): usize {
  return SCORES + 4 * ((row - 1) * ACROSS + across);
}

/** Adds what one place repeats at each shift. */
function addScores(from: usize, rows: u32, all: u32, place: u32, rowLength: u32, pixel: u32, unhashed: u64): void {
  // Places go across the picture, and down it twice.
  const y = rows + ((all - rows) * (place & 3)) / 4;
  const row = from + y * rowLength;
  const end = row + rowLength - ROOM;
  let at = row + 1 + pixel * (((rowLength / pixel) * (2 * place + 1)) / (2 * PLACES + 1));
  while (at < end && load<u64>(at) << unhashed === load<u64>(at - pixel) << unhashed) at += pixel;
  const most = min<u32>(LONGEST, <u32>(from + all * rowLength - at));
  const change = load<u64>(at - pixel) << unhashed;
  if (at >= end) return;
  for (let row: u32 = 1; row <= rows; row++) {
    for (let across: u32 = 0; across < ACROSS; across++) {
      const other = at - row * rowLength - (across - REACH) * pixel;
      if (other - pixel < from || load<u64>(other - pixel) << unhashed !== change) continue;
      const score = scoreOf(row, across);
      store<u32>(score, load<u32>(score) + matchLength(at, other, most));
    }
  }
}
