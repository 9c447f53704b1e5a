// A JPEG file in, all that its one scan is decoded with out; or nothing where it is of a kind that the library decodes.
//
// Taken are 8-bit sequential frames with Huffman codes, grey or YCbCr, upright, without a colour profile, whose components
// stand together in one scan: what cameras' pictures become when they are put on the web. Whatever is odd is not taken.

import { isFrame, isNamed, MARKER, orientationOf, type Segment, segmentsOf } from './segments.ts';
import type { HuffmanTable } from './tables.ts';

interface ScanComponent {
  /** Blocks of a unit (MCU) on each axis. */
  readonly across: number;
  readonly down: number;
  /** Steps of quantization, in zigzag. */
  readonly steps: readonly number[];
  readonly dc: HuffmanTable;
  readonly ac: HuffmanTable;
}

export interface JpegScan {
  readonly width: number;
  readonly height: number;
  /** Luma, and the two colour differences if there are any. */
  readonly components: readonly ScanComponent[];
  /** Units between restart markers, 0 where there are none. */
  readonly interval: number;
  /** Where the coded data begins. */
  readonly start: number;
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly components: readonly { id: number; across: number; down: number; steps: number }[];
}

/** Sequential frames with Huffman codes: baseline, and extended to more tables. */
const FRAMES = [0xc0, 0xc1];
/** Blocks that a unit may have (T.81, B.2.3). */
const MOST_BLOCKS = 10;

/** Thrown from within where a file is not taken. */
class NotTaken extends Error {}

/** @returns null when the file is left to the library */
export function readScan(file: Uint8Array): JpegScan | null {
  const reader = new ScanReader();
  try {
    for (const segment of segmentsOf(file)) {
      const scan = reader.take(segment);
      if (scan) return scan;
    }
    return null;
  } catch (error) {
    if (error instanceof NotTaken || error instanceof RangeError) return null;
    throw error;
  }
}

function demand(isSo: boolean): asserts isSo {
  if (!isSo) throw new NotTaken();
}

class ScanReader {
  readonly #steps = new Map<number, readonly number[]>();
  /** By class (0 for DC, 16 for AC) and number. */
  readonly #codes = new Map<number, HuffmanTable>();
  #frame: Frame | null = null;
  #interval = 0;
  #isJfif = false;
  #hasAdobe = false;

  /** @returns the scan, when the segment is its header */
  take(segment: Segment): JpegScan | null {
    const { marker, body } = segment;
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    switch (marker) {
      case MARKER.quantization:
        this.#takeSteps(view);
        break;
      case MARKER.huffman:
        this.#takeCodes(view);
        break;
      case MARKER.restartInterval:
        demand(view.byteLength === 2);
        this.#interval = view.getUint16(0);
        break;
      case MARKER.app0:
        this.#isJfif ||= isNamed(segment, 'JFIF\0');
        break;
      case MARKER.app1:
        demand(orientationOf(segment) === 1);
        break;
      case MARKER.app2:
        demand(!isNamed(segment, 'ICC_PROFILE'));
        break;
      case MARKER.app14:
        // Its last byte: whether three components are YCbCr.
        if (!isNamed(segment, 'Adobe')) break;
        demand(view.getUint8(11) === 1);
        this.#hasAdobe = true;
        break;
      case MARKER.startOfScan:
        return this.#takeScan(view, segment.at + segment.bytes.length);
      default:
        if (isFrame(marker)) this.#takeFrame(marker, view);
        else demand(marker === MARKER.comment || (marker >= MARKER.app0 && marker <= MARKER.app15));
    }
    return null;
  }

  #takeSteps(view: DataView): void {
    for (let at = 0; at < view.byteLength; ) {
      const kind = view.getUint8(at);
      demand((kind & ~0x13) === 0);
      const isWide = kind >= 0x10;
      const size = isWide ? 2 : 1;
      const step = (n: number) => (isWide ? view.getUint16(at + 1 + 2 * n) : view.getUint8(at + 1 + n));
      this.#steps.set(
        kind & 3,
        Array.from({ length: 64 }, (_, n) => step(n)),
      );
      at += 1 + 64 * size;
    }
  }

  #takeCodes(view: DataView): void {
    for (let at = 0; at < view.byteLength; ) {
      const lengths = Array.from({ length: 16 }, (_, n) => view.getUint8(at + 1 + n));
      const count = lengths.reduce((sum, of) => sum + of, 0);
      demand(count <= 256 && areCodes(lengths));
      const symbols = Array.from({ length: count }, (_, n) => view.getUint8(at + 17 + n));
      const kind = view.getUint8(at);
      demand((kind & ~0x13) === 0);
      // What DC codes stand for is a number of bits.
      demand(kind >= 0x10 || symbols.every((symbol) => symbol < 16));
      this.#codes.set(kind, { lengths, symbols });
      at += 17 + count;
    }
  }

  #takeFrame(marker: number, view: DataView): void {
    demand(FRAMES.includes(marker) && this.#frame === null && view.getUint8(0) === 8);
    const count = view.getUint8(5);
    demand((count === 1 || count === 3) && view.byteLength === 6 + 3 * count);
    const components = Array.from({ length: count }, (_, i) => {
      const [id, sampling, steps] = [0, 1, 2].map((n) => view.getUint8(6 + 3 * i + n)) as [number, number, number];
      return { id, across: sampling >> 4, down: sampling & 15, steps };
    });
    demand(components.every(({ across, down }) => across >= 1 && across <= 4 && down >= 1 && down <= 4));
    demand(components.reduce((sum, { across, down }) => sum + across * down, 0) <= MOST_BLOCKS);
    this.#frame = { height: view.getUint16(1), width: view.getUint16(3), components };
  }

  #takeScan(view: DataView, start: number): JpegScan {
    const frame = this.#frame;
    demand(frame !== null && frame.width > 0 && frame.height > 0);
    const { width, height } = frame;
    const count = frame.components.length;
    demand(view.getUint8(0) === count && view.byteLength === 4 + 2 * count);
    const isYcc = this.#isJfif || this.#hasAdobe || frame.components.every(({ id }, i) => id === i + 1);
    demand(count === 1 || isYcc);
    // All values of a block, to their last bit.
    demand(view.getUint8(1 + 2 * count) === 0 && view.getUint8(2 + 2 * count) === 63);
    demand(view.getUint8(3 + 2 * count) === 0);
    const components = frame.components.map(({ id, across, down, steps: number }, i) => {
      demand(view.getUint8(1 + 2 * i) === id);
      const codes = view.getUint8(2 + 2 * i);
      const steps = this.#steps.get(number);
      const dc = this.#codes.get(codes >> 4);
      const ac = this.#codes.get(0x10 | (codes & 15));
      demand(steps !== undefined && dc !== undefined && ac !== undefined);
      // A component by itself comes block by block (T.81, A.2.2).
      return { ...(count === 1 ? { across: 1, down: 1 } : { across, down }), steps, dc, ac };
    });
    return { width, height, components, interval: this.#interval, start };
  }
}

/** Whether each length leaves room for as many codes, and for one of ones alone that is none (T.81, C.2). */
function areCodes(lengths: readonly number[]): boolean {
  let code = 0;
  for (const [index, count] of lengths.entries()) {
    code += count;
    if (count > 0 && code >= 2 << index) return false;
    code <<= 1;
  }
  return true;
}
