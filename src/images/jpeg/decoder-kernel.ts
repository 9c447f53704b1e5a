// The door to decoder.wasm: its functions with their types, and what they must be told of a picture.
//
// The file is compiled from wasm/jpeg-decoder.ts by `npm run kernel`; addresses are bytes from the start of its memory. A
// kernel holds one picture at a time, in as much memory as that takes.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Size } from '#core/geometry.ts';
import type { JpegScan } from './read-scan.ts';
import { type HuffmanTable, ZIGZAG } from './tables.ts';

interface DecoderFunctions {
  /** Reads Huffman codes: a byte each for how many there are of a length, and for what they stand for. */
  buildCodes(codes: number, lengths: number, symbols: number): void;
  /** Starts on the coded data that lies at `from`, with room for as much at `data`. */
  openScan(from: number, to: number, data: number): void;
  /** Decodes a row of units; false where the data is not as it should be. */
  decodeRow(): boolean;
  /** Whether the picture ends here. */
  isAtEnd(): boolean;
  /** Writes rows of the halved picture, with room for one of each component at `samples`. */
  writeRows(from: number, to: number, left: number, width: number, samples: number, out: number, channels: 3 | 4): void;
}

export interface DecoderKernel extends DecoderFunctions {
  readonly memory: WebAssembly.Memory;
}

/** Samples of one component. */
export interface Plane extends Size {
  /** Blocks of a row of units. */
  readonly blocksAcross: number;
  /** Whether it has twice as many as the halved picture, on each axis. */
  readonly isHalvedAcross: boolean;
  readonly isHalvedDown: boolean;
}

/** Where the caller finds what passes between the two. */
export interface Places {
  readonly samples: number;
  readonly out: number;
}

// Where things lie; wasm/jpeg-decoder/layout.ts says the same to the other side.
const SCAN = 65_536;
const COMPONENTS = SCAN + 64;
const OF_COMPONENT = 64;
/** Within a block, behind its values: what nobody asks for. */
const NOWHERE = 128;
const LENGTHS = SCAN + 1024;
const SYMBOLS = LENGTHS + 16;
const FACTORS = SCAN + 2048;
const OF_FACTORS = 8 * (64 + 16);
const CODES = SCAN + 4096;
const OF_CODES = 4608;
/** From here on, as much as a picture takes. */
const ROOM = SCAN + 32_768;
/** Bytes beside each row of a plane. */
const EDGE = 16;
const KEPT_ROWS = 64;
/** What the kernel may read and write behind what it is given: a unit's bits, or pixels to a multiple of sixteen. */
const MARGIN = 4096;

/** What the transform leaves to be multiplied by, on each axis (Arai, Agui and Nakajima). */
const AXIS = Array.from({ length: 8 }, (_, k) => (k === 0 ? 1 : Math.SQRT2 * Math.cos((k * Math.PI) / 16)));
/** An eighth for the transform; the kernel wants sixteenths of a sample, times 4096. */
const SCALE = (16 * 4096) / 8;

const module = new WebAssembly.Module(readFileSync(join(import.meta.dirname, 'decoder.wasm')));
const idle: DecoderKernel[] = [];
/** Kernels that wait for a picture, and bytes of each. */
const MOST_IDLE = 2;
const MOST_KEPT = 4 * 1024 * 1024;

/** A kernel that nobody else uses until it is given back. */
export function borrowDecoder(): DecoderKernel {
  return idle.pop() ?? (new WebAssembly.Instance(module).exports as unknown as DecoderKernel);
}

export function giveBackDecoder(kernel: DecoderKernel): void {
  if (idle.length < MOST_IDLE && kernel.memory.buffer.byteLength <= MOST_KEPT) idle.push(kernel);
}

/**
 * Makes a kernel ready to decode a scan from its first row on.
 *
 * @param units of a row
 * @param rows of the halved picture that are asked for at a time, at most
 */
export function openScan(
  kernel: DecoderKernel,
  file: Uint8Array,
  scan: JpegScan,
  planes: readonly Plane[],
  units: number,
  rows: number,
): Places {
  let end = ROOM;
  const take = (bytes: number) => {
    const start = end;
    end += Math.ceil(bytes / 16) * 16 + MARGIN;
    return start;
  };
  const coded = file.subarray(scan.start);
  const from = take(coded.length);
  const data = take(coded.length);
  // A kept row has 16 bits a sample.
  const rowStride = Math.ceil(scan.width / 16) * 16 + 64;
  const components = planes.map((plane, index) => {
    const stride = Math.ceil((8 * plane.blocksAcross + 2 * EDGE) / 16) * 16;
    const at = take(8 * (scan.components[index]?.down ?? 0) * stride) + EDGE;
    return { ...plane, at, stride, rows: take(KEPT_ROWS * rowStride), rowStride };
  });
  const places = { samples: take(3 * rowStride), out: take(4 * (scan.width / 2) * rows) };

  const missing = end - kernel.memory.buffer.byteLength;
  if (missing > 0) kernel.memory.grow(Math.ceil(missing / 65_536));
  const { buffer } = kernel.memory;
  const tables = [...new Set(scan.components.flatMap(({ dc, ac }) => [dc, ac]))];
  for (const [index, table] of tables.entries()) writeCodes(kernel, CODES + OF_CODES * index, table);
  new Uint32Array(buffer, SCAN).set([units, scan.components.length, scan.interval]);
  for (const [index, { across, down, steps, dc, ac }] of scan.components.entries()) {
    const plane = components[index];
    if (!plane) throw new Error('a component has no plane');
    const factors = FACTORS + OF_FACTORS * index;
    new Uint32Array(buffer, factors).set(factorsOf(steps));
    new Uint32Array(buffer, COMPONENTS + OF_COMPONENT * index).set([
      ...[across, down],
      ...[dc, ac].map((table) => CODES + OF_CODES * tables.indexOf(table)),
      ...[factors, plane.width, plane.height, Number(plane.isHalvedAcross), Number(plane.isHalvedDown)],
      ...[plane.at, plane.stride, plane.rows, plane.rowStride],
    ]);
  }
  new Uint8Array(buffer).set(coded, from);
  kernel.openScan(from, from + coded.length, data);
  return places;
}

function writeCodes(kernel: DecoderKernel, codes: number, { lengths, symbols }: HuffmanTable): void {
  const memory = new Uint8Array(kernel.memory.buffer);
  memory.set(lengths, LENGTHS);
  memory.set(symbols, SYMBOLS);
  kernel.buildCodes(codes, LENGTHS, SYMBOLS);
}

/** For each value in zigzag, and sixteen behind: where it goes, rows and columns exchanged; and what it is multiplied by. */
function factorsOf(steps: readonly number[]): Uint32Array {
  const factors = new Uint32Array(2 * (64 + 16)).fill(NOWHERE);
  for (const [n, place] of ZIGZAG.entries()) {
    const [x, y] = [place & 7, place >> 3];
    factors[2 * n] = 16 * x + 2 * y;
    factors[2 * n + 1] = Math.round((steps[n] ?? 0) * (AXIS[x] ?? 1) * (AXIS[y] ?? 1) * SCALE);
  }
  return factors;
}
