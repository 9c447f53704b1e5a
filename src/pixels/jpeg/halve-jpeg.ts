// A JPEG file in, its pixels at half its size out, by a decoder of our own: the library would decode all of it first, and
// then scale that, at twice the cost.
//
// Only what needs no judgement: whatever a file has that is odd or damaged, `null` comes out, and the library decides.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Size } from '#core/geometry.ts';
import { type JpegScan, readScan } from './read-scan.ts';
import { type HuffmanTable, ZIGZAG } from './tables.ts';

/** Whole px of the halved picture. */
interface Part extends Size {
  readonly left: number;
  readonly top: number;
}

interface DecoderKernel {
  readonly memory: WebAssembly.Memory;
  buildCodes(codes: number, lengths: number, symbols: number): void;
  openScan(from: number, to: number, data: number): void;
  /** Decodes a row of units; false where the data is not as it should be. */
  decodeRow(): boolean;
  /** Whether the picture ends here. */
  isAtEnd(): boolean;
  /** Writes rows of the halved picture. */
  writeRows(
    from: number,
    to: number,
    left: number,
    width: number,
    samples: number,
    out: number,
    channels: number,
  ): void;
}

const module = new WebAssembly.Module(readFileSync(join(import.meta.dirname, 'decoder.wasm')));

// Where things lie in the kernel's memory; wasm/jpeg-decoder/layout.ts says the same to the other side.
const SCAN = 65_536;
const COMPONENTS = SCAN + 64;
const OF_COMPONENT = 64;
/** Behind a block's values: what nobody asks for. */
const NOWHERE = 128;
const LENGTHS = SCAN + 1024;
const SYMBOLS = LENGTHS + 16;
const PLACES = SCAN + 2048;
const OF_PLACES = 8 * (64 + 16);
const CODES = SCAN + 4096;
const OF_CODES = 4608;
/** What the caller makes room for. */
const ROOM = SCAN + 32_768;
const EDGE = 16;
const KEPT_ROWS = 64;
/** What the kernel may read and write behind what it is given: a unit's bits, or pixels to a multiple of sixteen. */
const MARGIN = 4096;

/** A row of the halved picture follows from those up to the sixth below it, of the picture itself. */
const ROWS_BELOW = 6;
/** Blocks after which other work may go on: half a millisecond. */
const SLICE = 4000;
/** Bytes of a kernel that is kept for the next picture. */
const MOST_KEPT = 4 * 1024 * 1024;

const idle: DecoderKernel[] = [];

/**
 * Decodes a part of a picture at half its size.
 *
 * @param size of the whole picture, even on both axes
 * @returns null when the file is left to the library
 */
export async function halveJpeg(file: Uint8Array, size: Size, part: Part, channels: 3 | 4): Promise<Uint8Array | null> {
  const scan = readScan(file);
  if (scan === null || scan.width !== size.width || scan.height !== size.height) return null;
  const planes = planPlanes(scan);
  if (planes === null) return null;
  const kernel = idle.pop() ?? (new WebAssembly.Instance(module).exports as unknown as DecoderKernel);
  const pixels = await new ScanDecoder(kernel, file, scan, planes).decode(part, channels);
  if (kernel.memory.buffer.byteLength <= MOST_KEPT) idle.push(kernel);
  return pixels;
}

/** Samples of one component. */
interface Plane extends Size {
  readonly isHalvedAcross: boolean;
  readonly isHalvedDown: boolean;
  /** Bytes of a row of units. */
  readonly stride: number;
  readonly rows: number;
}

interface Planes {
  /** Units of a row, and rows of units. */
  readonly across: number;
  readonly down: number;
  /** Of the picture, in a row of units. */
  readonly unitHeight: number;
  readonly planes: readonly Plane[];
}

/** null where a component has less than the halved picture. */
function planPlanes({ width, height, components }: JpegScan): Planes | null {
  const most = {
    across: Math.max(...components.map(({ across }) => across)),
    down: Math.max(...components.map(({ down }) => down)),
  };
  const isKnown = (part: number, whole: number) => part === whole || 2 * part === whole;
  if (!components.every(({ across, down }) => isKnown(across, most.across) && isKnown(down, most.down))) return null;
  const units = { across: Math.ceil(width / most.across / 8), down: Math.ceil(height / most.down / 8) };
  const planes = components.map(({ across, down }) => ({
    width: Math.ceil((width * across) / most.across),
    height: Math.ceil((height * down) / most.down),
    isHalvedAcross: across === most.across,
    isHalvedDown: down === most.down,
    stride: Math.ceil((8 * across * units.across + 2 * EDGE) / 16) * 16,
    rows: 8 * down,
  }));
  return { ...units, unitHeight: 8 * most.down, planes };
}

class ScanDecoder {
  readonly #kernel: DecoderKernel;
  readonly #scan: JpegScan;
  readonly #planes: Planes;
  /** By component. */
  readonly #at: readonly { readonly plane: number; readonly rows: number }[];
  readonly #samples: number;
  /** Where pixels are written. */
  readonly #out: number;

  constructor(kernel: DecoderKernel, file: Uint8Array, scan: JpegScan, planes: Planes) {
    this.#kernel = kernel;
    this.#scan = scan;
    this.#planes = planes;
    const coded = file.subarray(scan.start);
    let next = ROOM;
    const take = (size: number) => {
      const start = next;
      next += Math.ceil(size / 16) * 16 + MARGIN;
      return start;
    };
    this.#at = planes.planes.map(({ stride, rows }) => ({
      plane: take(stride * rows) + EDGE,
      rows: take(this.#rowStride * KEPT_ROWS),
    }));
    this.#samples = take(3 * this.#rowStride);
    this.#out = take(4 * (scan.width / 2) * (planes.unitHeight / 2 + ROWS_BELOW));
    const [from, data] = [take(coded.length), take(coded.length)];
    const missing = next - kernel.memory.buffer.byteLength;
    if (missing > 0) kernel.memory.grow(Math.ceil(missing / 65_536));
    this.#writeTables();
    new Uint8Array(kernel.memory.buffer).set(coded, from);
    kernel.openScan(from, from + coded.length, data);
  }

  /** Bytes of a row that is kept, 16 bits a sample. */
  get #rowStride(): number {
    return Math.ceil(this.#scan.width / 16) * 16 + 64;
  }

  #writeTables(): void {
    const { components, interval } = this.#scan;
    const { buffer } = this.#kernel.memory;
    new Uint32Array(buffer, SCAN).set([this.#planes.across, components.length, interval]);
    const tables = [...new Set(components.flatMap(({ dc, ac }) => [dc, ac]))];
    for (const [index, table] of tables.entries()) this.#writeCodes(CODES + OF_CODES * index, table);
    for (const [index, { across, down, steps, dc, ac }] of components.entries()) {
      const plane = this.#planes.planes[index];
      const at = this.#at[index];
      if (!plane || !at) throw new Error('each component has a plane');
      const places = PLACES + OF_PLACES * index;
      new Uint32Array(buffer, places).set(placesOf(steps));
      new Uint32Array(buffer, COMPONENTS + OF_COMPONENT * index).set([
        ...[across, down],
        ...[dc, ac].map((table) => CODES + OF_CODES * tables.indexOf(table)),
        ...[places, plane.width, plane.height, Number(plane.isHalvedAcross), Number(plane.isHalvedDown)],
        ...[at.plane, plane.stride, at.rows, this.#rowStride],
      ]);
    }
  }

  #writeCodes(codes: number, { lengths, symbols }: HuffmanTable): void {
    const memory = new Uint8Array(this.#kernel.memory.buffer);
    memory.set(lengths, LENGTHS);
    memory.set(symbols, SYMBOLS);
    this.#kernel.buildCodes(codes, LENGTHS, SYMBOLS);
  }

  /** Everything is decoded, also what is not asked for: that it is sound. */
  async decode({ left, top, width, height }: Part, channels: 3 | 4): Promise<Uint8Array | null> {
    const { across, down, unitHeight } = this.#planes;
    const blocks = this.#scan.components.reduce((sum, component) => sum + component.across * component.down, 0);
    const rowBytes = width * channels;
    const pixels = new Uint8Array(height * rowBytes);
    let next = top;
    let sinceOthers = 0;
    for (let row = 1; row <= down; row++) {
      if (!this.#kernel.decodeRow()) return null;
      const known = row < down ? Math.ceil((row * unitHeight - ROWS_BELOW) / 2) : this.#scan.height / 2;
      const end = Math.min(top + height, known);
      if (next < end) {
        this.#kernel.writeRows(next, end, left, width, this.#samples, this.#out, channels);
        const rows = new Uint8Array(this.#kernel.memory.buffer, this.#out, (end - next) * rowBytes);
        pixels.set(rows, (next - top) * rowBytes);
        next = end;
      }
      sinceOthers += across * blocks;
      if (sinceOthers < SLICE) continue;
      sinceOthers = 0;
      await setImmediate();
    }
    return this.#kernel.isAtEnd() ? pixels : null;
  }
}

/** What the transform leaves to be multiplied by, on each axis (Arai, Agui and Nakajima). */
const AXIS = Array.from({ length: 8 }, (_, k) => (k === 0 ? 1 : Math.SQRT2 * Math.cos((k * Math.PI) / 16)));
/** An eighth for the transform; the kernel wants sixteenths of a sample, times 4096. */
const SCALE = (16 * 4096) / 8;

/** For each value in zigzag, and sixteen behind: where it goes, rows and columns exchanged; and what it is multiplied by. */
function placesOf(steps: readonly number[]): Uint32Array {
  const places = new Uint32Array(2 * (64 + 16)).fill(NOWHERE);
  for (const [n, place] of ZIGZAG.entries()) {
    const [x, y] = [place & 7, place >> 3];
    places[2 * n] = 16 * x + 2 * y;
    places[2 * n + 1] = Math.round((steps[n] ?? 0) * (AXIS[x] ?? 1) * (AXIS[y] ?? 1) * SCALE);
  }
  return places;
}
