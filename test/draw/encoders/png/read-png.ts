// Decodes PNG strictly by the standard (RGB, RGBA and palettes, of 8 bits), as a second opinion beside sharp's.

import { crc32, inflateSync } from 'node:zlib';

export interface ReadPng {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly pixels: Uint8Array;
}

/** @throws if a chunk's checksum, the size of the data or a filter is wrong; zlib checks the rest */
export function readPng(file: Uint8Array): ReadPng {
  const bytes = Buffer.from(file);
  const data: Buffer[] = [];
  let header = Buffer.alloc(13);
  let palette = Buffer.alloc(0);
  let alphas: Buffer | null = null;
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (crc32(bytes.subarray(at + 4, at + 8 + length)) !== bytes.readUInt32BE(at + 8 + length)) {
      throw new Error(`the checksum of ${type} is wrong`);
    }
    if (type === 'IHDR') header = body;
    if (type === 'PLTE') palette = body;
    if (type === 'tRNS') alphas = body;
    if (type === 'IDAT') data.push(body);
    at += 12 + length;
  }
  const channels = { 2: 3, 3: 1, 6: 4 }[header[9] ?? 0];
  if (!channels) throw new Error(`there is no colour type ${header[9]}`);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const rows = inflateSync(Buffer.concat(data));
  const rowLength = width * channels;
  if (rows.length !== height * (rowLength + 1)) throw new Error(`${rows.length} bytes of rows`);

  const pixels = new Uint8Array(height * rowLength);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (rowLength + 1)] ?? 0;
    for (let x = 0; x < rowLength; x++) {
      const at = y * rowLength + x;
      const left = x < channels ? 0 : (pixels[at - channels] ?? 0);
      const above = y === 0 ? 0 : (pixels[at - rowLength] ?? 0);
      const corner = x < channels || y === 0 ? 0 : (pixels[at - rowLength - channels] ?? 0);
      pixels[at] = (rows[y * (rowLength + 1) + 1 + x] ?? 0) + predicted(filter, left, above, corner);
    }
  }
  return channels === 1
    ? { width, height, ...spelledOut(pixels, palette, alphas) }
    : { width, height, channels, pixels };
}

function spelledOut(indices: Uint8Array, palette: Buffer, alphas: Buffer | null) {
  const colors = palette.length / 3;
  const channels = alphas ? 4 : 3;
  const pixels = new Uint8Array(channels * indices.length);
  for (const [i, index] of indices.entries()) {
    if (index >= colors) throw new Error(`the palette has no colour ${index}`);
    pixels.set(palette.subarray(3 * index, 3 * index + 3), channels * i);
    if (alphas) pixels[channels * i + 3] = alphas[index] ?? 255;
  }
  return { channels, pixels };
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  const nearest = () => {
    const guess = left + above - corner;
    const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
    return a <= b && a <= c ? left : b <= c ? above : corner;
  };
  const guesses = [() => 0, () => left, () => above, () => (left + above) >> 1, nearest];
  const guess = guesses[filter];
  if (!guess) throw new Error(`there is no filter ${filter}`);
  return guess();
}
