// A JPEG file in, its pixels at half its size out, by a decoder of our own: the library would decode all of it first, and
// then scale that, at twice the cost.
//
// Only what needs no judgement: whatever a file has that is odd or damaged, `null` comes out, and the library decides.

import { setImmediate } from 'node:timers/promises';
import type { Size } from '#core/geometry.ts';
import { borrowDecoder, type DecoderKernel, giveBackDecoder, openScan, type Plane } from './decoder-kernel.ts';
import { type JpegScan, readScan } from './read-scan.ts';

/** Whole px of the halved picture. */
interface Part extends Size {
  readonly left: number;
  readonly top: number;
}

/** Bytes of a file whose data is got ready at one go, some milliseconds. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Blocks after which other work may go on: half a millisecond. */
const SLICE = 4000;
/** A row of the halved picture follows from those up to the sixth below it, of the picture itself. */
const ROWS_BELOW = 6;

/**
 * Decodes a part of a picture at half its size.
 *
 * @param size of the whole picture, even on both axes
 * @returns null when the file is left to the library
 */
export async function halveJpeg(file: Uint8Array, size: Size, part: Part, channels: 3 | 4): Promise<Uint8Array | null> {
  const scan = file.length <= MOST_BYTES ? readScan(file) : null;
  if (scan?.width !== size.width || scan.height !== size.height) return null;
  const planes = planPlanes(scan);
  if (planes === null) return null;
  const kernel = borrowDecoder();
  const pixels = await decode(kernel, file, scan, planes, part, channels);
  giveBackDecoder(kernel);
  return pixels;
}

interface Planes {
  /** Units (MCUs) of a row, and rows of units. */
  readonly across: number;
  readonly down: number;
  /** Rows of the picture in a row of units. */
  readonly unitHeight: number;
  /** By component. */
  readonly planes: readonly Plane[];
}

/** null where a component has fewer samples than the halved picture has pixels. */
function planPlanes({ width, height, components }: JpegScan): Planes | null {
  const most = {
    across: Math.max(...components.map(({ across }) => across)),
    down: Math.max(...components.map(({ down }) => down)),
  };
  const isEnough = (part: number, whole: number) => part === whole || 2 * part === whole;
  if (!components.every(({ across, down }) => isEnough(across, most.across) && isEnough(down, most.down))) return null;
  const across = Math.ceil(width / (8 * most.across));
  return {
    across,
    down: Math.ceil(height / (8 * most.down)),
    unitHeight: 8 * most.down,
    planes: components.map((component) => ({
      width: Math.ceil((width * component.across) / most.across),
      height: Math.ceil((height * component.down) / most.down),
      blocksAcross: across * component.across,
      isHalvedAcross: component.across === most.across,
      isHalvedDown: component.down === most.down,
    })),
  };
}

/** Everything is decoded, also what is not asked for: that it is sound. */
async function decode(
  kernel: DecoderKernel,
  file: Uint8Array,
  scan: JpegScan,
  { across, down, unitHeight, planes }: Planes,
  { left, top, width, height }: Part,
  channels: 3 | 4,
): Promise<Uint8Array | null> {
  const { samples, out } = openScan(kernel, file, scan, planes, across, unitHeight / 2 + ROWS_BELOW);
  const blocks = across * scan.components.reduce((sum, component) => sum + component.across * component.down, 0);
  const rowBytes = width * channels;
  const pixels = new Uint8Array(height * rowBytes);
  let written = 0;
  let sinceOthers = 0;
  for (let row = 1; row <= down; row++) {
    if (!kernel.decodeRow()) return null;
    const known = row < down ? Math.ceil((row * unitHeight - ROWS_BELOW) / 2) : scan.height / 2;
    const end = Math.min(height, known - top);
    if (written < end) {
      kernel.writeRows(top + written, top + end, left, width, samples, out, channels);
      pixels.set(new Uint8Array(kernel.memory.buffer, out, (end - written) * rowBytes), written * rowBytes);
      written = end;
    }
    sinceOthers += blocks;
    if (sinceOthers < SLICE) continue;
    sinceOthers = 0;
    await setImmediate();
  }
  return kernel.isAtEnd() ? pixels : null;
}
