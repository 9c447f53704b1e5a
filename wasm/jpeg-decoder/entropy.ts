// Coded data in, the values of one block after the other out, each times its step (T.81, F.2).
//
// The zeros that are stuffed behind each FF are taken out of an interval before its first bit is read: then the next bits
// are always the next bytes.

import { LOOKED_UP, longCode } from './codes';
import { BLOCK, Component } from './layout';

const MARKER: u8 = 0xff;
const END_OF_IMAGE: u32 = 0xd9;
const RESTART_0: u32 = 0xd0;

// ---- the file's bytes

/** The next byte of the file, or the marker's code where one was met. */
let next: usize = 0;
let fileEnd: usize = 0;

// ---- the interval in work

let start: usize = 0;
let end: usize = 0;
/** Where the next bits are fetched. */
let at: usize = 0;
/** The next bits, from the highest on. */
let bits: u64 = 0;
/** How many of them are known. */
let held: i32 = 0;

export function startScan(from: usize, to: usize, data: usize): void {
  next = from;
  fileEnd = to;
  start = data;
}

/** Brings the bytes up to the next marker together, without the zeros behind each FF among them. */
export function openInterval(): void {
  at = start;
  bits = 0;
  held = 0;
  let to = start;
  for (;;) {
    while (next + 16 <= fileEnd) {
      const bytes = v128.load(next);
      v128.store(to, bytes);
      const set = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(-1)));
      if (set !== 0) {
        const before: usize = ctz(set);
        next += before;
        to += before;
        break;
      }
      next += 16;
      to += 16;
    }
    // At an FF, or near the end.
    if (next + 1 >= fileEnd) {
      next = fileEnd;
      break;
    }
    const byte = load<u8>(next);
    if (byte === MARKER) {
      const code = load<u8>(next, 1);
      // Any number of them may stand before a marker.
      if (code === MARKER) {
        next += 1;
        continue;
      }
      if (code !== 0) {
        next += 1;
        break;
      }
      next += 1;
    }
    next += 1;
    store<u8>(to, byte);
    to += 1;
  }
  end = to;
}

/**
 * Reads a block's values into BLOCK.
 *
 * @returns the last one's number in zigzag, 0 where there is only the first; -1 where the data is not as it should be
 */
export function readBlock(component: Component): i32 {
  for (let column: usize = 0; column < 8; column++) v128.store(BLOCK + 16 * column, i64x2.splat(0));
  let word = bits;
  let known = held;
  let from = at;

  word |= bswap(load<u64>(from)) >>> known;
  from += (63 - known) >> 3;
  known |= 56;
  let entry = load<u32>(component.dc + ((<usize>(word >>> (64 - LOOKED_UP))) << 2));
  let difference = <i32>entry >> 16;
  if (difference === 0) {
    if (entry === 0) entry = longCode(component.dc, <u32>(word >>> 48));
    if (entry === 0) return -1;
    const size = entry >>> 12;
    word <<= entry & 255;
    known -= entry & 255;
    difference = ownValue(word, size);
    word <<= size;
    known -= size;
  } else {
    word <<= entry & 255;
    known -= entry & 255;
  }
  component.before += difference;
  const factors = component.factors;
  store<i16>(BLOCK, scaled(component.before, factors));

  const codes = component.ac;
  let number: usize = 1;
  let last: usize = 0;
  while (number < 64) {
    if (known < 32) {
      word |= bswap(load<u64>(from)) >>> known;
      from += (63 - known) >> 3;
      known |= 56;
    }
    let entry = load<u32>(codes + ((<usize>(word >>> (64 - LOOKED_UP))) << 2));
    let value = <i32>entry >> 16;
    number += (entry >>> 8) & 15;
    if (value !== 0) {
      word <<= entry & 255;
      known -= entry & 255;
    } else {
      if (entry === 0) {
        entry = longCode(codes, <u32>(word >>> 48));
        if (entry === 0) return -1;
        number += (entry >>> 8) & 15;
      }
      word <<= entry & 255;
      known -= entry & 255;
      const size = entry >>> 12;
      if (size === 0) {
        // Sixteen zeros; or nothing but zeros.
        if (((entry >>> 8) & 15) !== 15) break;
        number += 1;
        continue;
      }
      value = ownValue(word, size);
      word <<= size;
      known -= size;
    }
    last = number;
    const place = factors + (number << 3);
    store<i16>(BLOCK + load<u32>(place), scaled(value, place));
    number += 1;
  }
  bits = word;
  held = known;
  at = from;
  return last < 64 ? <i32>last : -1;
}

/** A value in the transform's own scale, rounded. */
function scaled(value: i32, place: usize): i16 {
  return <i16>((value * load<i32>(place, 4) + 2048) >> 12);
}

/** The value whose bits come next (T.81, F.2.2.1). */
function ownValue(word: u64, size: u32): i32 {
  // A shift by 64 would be none.
  const own = <i32>((word >>> 1) >>> (63 - size));
  return <i64>word < 0 ? own : own - (1 << size) + 1;
}

/** Whether more was read than there is. What is read then means nothing, and is never far behind the end. */
export function hasOverrun(): bool {
  return at - (<usize>held >> 3) > end;
}

/** Whether all of the interval was read, but for the bits that fill up its last byte. */
function isRead(): bool {
  return at - (<usize>held >> 3) === end;
}

/** Passes the restart marker behind the scan's `number`-th interval. Returns false where it is not there. */
export function passRestart(number: u32): bool {
  if (!isRead() || next >= fileEnd || load<u8>(next) !== RESTART_0 + (number & 7)) return false;
  next += 1;
  return true;
}

/** Whether the picture ends here. */
export function isAtEnd(): bool {
  return isRead() && next < fileEnd && load<u8>(next) === END_OF_IMAGE;
}
