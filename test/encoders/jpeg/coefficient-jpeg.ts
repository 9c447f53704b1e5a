// JPEG files written from made-up cosine values: of every sampling, with or without restart markers, which no encoder at
// hand can write.

import { codesOf, HUFFMAN, quantization } from '#images/jpeg/tables.ts';

export interface MadeJpeg {
  readonly width: number;
  readonly height: number;
  /** By component: blocks of a unit across and down, as `22 11 11`. */
  readonly sampling: string;
  /** Units between restart markers. */
  readonly interval?: number;
  readonly ids?: readonly number[];
  readonly seed?: number;
}

/** Smooth colours and a little texture, from a counter. */
export function coefficientJpeg({
  width,
  height,
  sampling: written,
  interval = 0,
  ids = [1, 2, 3],
  seed = 1,
}: MadeJpeg): Buffer {
  const random = counter(seed);
  const sampling = written.split(' ').map((of) => [Number(of[0]), Number(of[1])] as const);
  const most = [0, 1].map((axis) => Math.max(...sampling.map((of) => of[axis] ?? 1))) as [number, number];
  const isAlone = sampling.length === 1;
  const across = Math.ceil(width / 8 / (isAlone ? 1 : most[0]));
  const down = Math.ceil(height / 8 / (isAlone ? 1 : most[1]));
  const bits = new BitWriter();
  const before = sampling.map(() => 0);
  for (let unit = 0; unit < across * down; unit++) {
    if (interval > 0 && unit > 0 && unit % interval === 0) {
      bits.restart(unit / interval - 1);
      before.fill(0);
    }
    for (const [index, [h, v]] of sampling.entries()) {
      const table = index === 0 ? 0 : 1;
      for (let block = 0; block < (isAlone ? 1 : h * v); block++) {
        const x = (unit % across) / across;
        const dc = Math.round((index === 0 ? 30 : 12) * Math.sin(4 * x + (3 * unit) / across / down + index));
        bits.value(table, 'dc', 0, dc - (before[index] ?? 0));
        before[index] = dc;
        if (index === 0) {
          for (let n = 1, zeros = 0; n < 20; n++, zeros++) {
            if (random() > 0.3) continue;
            bits.value(table, 'ac', zeros, random() < 0.5 ? -1 : 1);
            zeros = -1;
          }
        }
        bits.value(table, 'ac', 0, 0);
      }
    }
  }
  const frame = [8, height >> 8, height & 255, width >> 8, width & 255, sampling.length];
  const scan = [sampling.length];
  for (const [index, [h, v]] of sampling.entries()) {
    frame.push(ids[index] ?? 0, (h << 4) | v, Math.min(index, 1));
    scan.push(ids[index] ?? 0, index === 0 ? 0 : 0x11);
  }
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...quantization(80).map((steps, i) => segment(0xdb, [i, ...steps])),
    ...HUFFMAN.flatMap(({ dc, ac }, i) => [
      segment(0xc4, [i, ...dc.lengths, ...dc.symbols]),
      segment(0xc4, [0x10 | i, ...ac.lengths, ...ac.symbols]),
    ]),
    segment(0xc0, frame),
    ...(interval > 0 ? [segment(0xdd, [interval >> 8, interval & 255])] : []),
    segment(0xda, [...scan, 0, 63, 0]),
    bits.end(),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** A segment with its length. */
export function segment(marker: number, body: readonly number[]): Buffer {
  const length = body.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...body]);
}

/** Numbers from 0 to 1. */
export function counter(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

class BitWriter {
  readonly #bytes: number[] = [];
  #bits = '';

  /** Zeros, then a value; the end of the block where it is 0. */
  value(table: number, kind: 'dc' | 'ac', zeros: number, value: number): void {
    const size = 32 - Math.clz32(Math.abs(value));
    const codes = codesOf((HUFFMAN[table] ?? HUFFMAN[0]!)[kind]);
    const found = codes.find(({ symbol }) => symbol === ((zeros << 4) | size));
    if (!found) throw new Error('no code');
    const own = value < 0 ? value + (1 << size) - 1 : value;
    this.#bits += found.code.toString(2).padStart(found.length, '0');
    if (size > 0) this.#bits += own.toString(2).padStart(size, '0');
    for (; this.#bits.length >= 8; this.#bits = this.#bits.slice(8)) this.#byte(this.#bits.slice(0, 8));
  }

  #byte(bits: string): void {
    const byte = Number.parseInt(bits, 2);
    this.#bytes.push(byte);
    if (byte === 255) this.#bytes.push(0);
  }

  restart(number: number): void {
    this.#fill();
    this.#bytes.push(0xff, 0xd0 + (number & 7));
  }

  #fill(): void {
    if (this.#bits.length > 0) this.#byte(this.#bits.padEnd(8, '1'));
    this.#bits = '';
  }

  end(): Buffer {
    this.#fill();
    return Buffer.from(this.#bytes);
  }
}
