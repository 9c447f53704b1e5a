// The loops of the JPEG decoder, in AssemblyScript: coded data in, rows of the picture at half its size out. One scan
// with all components in it, Huffman codes, 8 bits (ITU-T T.81).
//
// Works on addresses in its own memory that the caller lays out. Whatever the data says, no loop takes longer than its
// blocks, nothing is read or written elsewhere, and what is not as it should be ends in `false`.

import { writeColors, writeGrey } from './jpeg-decoder/colors';
import { hasOverrun, openInterval, passRestart, readBlock, startScan } from './jpeg-decoder/entropy';
import { halveAcross, halveDown } from './jpeg-decoder/halve';
import { COMPONENTS, Component, OF_COMPONENT, SCAN, Scan } from './jpeg-decoder/layout';
import { fillBlock, transformBlock } from './jpeg-decoder/transform';

export { buildCodes } from './jpeg-decoder/codes';
export { isAtEnd } from './jpeg-decoder/entropy';

/** Units until the next restart marker. */
let untilRestart: u32 = 0;
/** Those that were met. */
let restarts: u32 = 0;
/** The next row of units. */
let unitRow: u32 = 0;

/**
 * Starts a scan, whose SCAN and COMPONENTS are written.
 *
 * @param from its coded data, and whatever follows, up to `to`
 * @param data room for as much again
 */
export function openScan(from: usize, to: usize, data: usize): void {
  startScan(from, to, data);
  restarts = 0;
  unitRow = 0;
  begin();
}

/** Nothing is told from what came before a restart. */
function begin(): void {
  const scan = changetype<Scan>(SCAN);
  openInterval();
  untilRestart = scan.interval;
  for (let i: usize = 0; i < scan.components; i++) componentAt(i).before = 0;
}

function componentAt(index: usize): Component {
  return changetype<Component>(COMPONENTS + OF_COMPONENT * index);
}

/** Decodes a row of units and keeps what it adds. Returns false where the data is not as it should be. */
export function decodeRow(): bool {
  const scan = changetype<Scan>(SCAN);
  for (let unit: u32 = 0; unit < scan.units; unit++) {
    if (scan.interval !== 0) {
      if (untilRestart === 0) {
        if (!passRestart(restarts++)) return false;
        begin();
      }
      untilRestart -= 1;
    }
    for (let i: usize = 0; i < scan.components; i++) {
      if (!decodeBlocks(componentAt(i), unit)) return false;
    }
    if (hasOverrun()) return false;
  }
  for (let i: usize = 0; i < scan.components; i++) keepRows(componentAt(i));
  unitRow += 1;
  return true;
}

/** Decodes what a component has of a unit. */
function decodeBlocks(component: Component, unit: u32): bool {
  const stride: usize = component.stride;
  for (let y: u32 = 0; y < component.down; y++) {
    for (let x: u32 = 0; x < component.across; x++) {
      const last = readBlock(component);
      if (last < 0) return false;
      const to = component.plane + 8 * (stride * y + unit * component.across + x);
      if (last === 0) fillBlock(to, stride);
      else transformBlock(to, stride);
    }
  }
  return true;
}

function keepRows(component: Component): void {
  const rows: u32 = 8 * component.down;
  const first = unitRow * rows;
  for (let y: u32 = 0; y < rows && first + y < component.height; y++) {
    halveAcross(component, component.plane + <usize>component.stride * y, first + y);
  }
}

/**
 * Writes rows of the halved picture, all that they follow from having been decoded.
 *
 * @param left the first pixel of each
 * @param samples room for a row of each component
 */
export function writeRows(from: u32, to: u32, left: u32, width: u32, samples: usize, out: usize, channels: u32): void {
  const scan = changetype<Scan>(SCAN);
  const stride = (<usize>width + 31) & ~15;
  for (let y = from; y < to; y++) {
    for (let i: usize = 0; i < scan.components; i++) halveDown(componentAt(i), y, left, width, samples + stride * i);
    if (scan.components === 1) writeGrey(samples, width, out, channels);
    else writeColors(samples, samples + stride, samples + 2 * stride, width, out, channels);
    out += width * channels;
  }
}
