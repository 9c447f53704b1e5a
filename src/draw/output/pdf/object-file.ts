// Writes objects as a PDF file: header, body, object streams, cross-reference stream (ISO 32000-1, 7.5).
//
// Objects without a stream are collected and written together, deflated (7.5.7): they are most of the objects of a
// card, and compress well together. Stream bytes are copied once, when the file is assembled, because a photo can be
// most of a file; a file that is written to a stream is taken piece by piece and never assembled. Of a long file, what is in
// it alone is gathered in chunks as it comes, which are given back one by one as the file is assembled.

import { bytesOfLatin1, fileIdentifier, latin1Of, writeLatin1 } from '#base/runtime.ts';
import { deflate, deflateInBlocks } from '#draw/encoders/deflate.ts';
import { fileDigest } from '../file-digest.ts';
import { type Dictionary, objectText, PdfReference } from './object.ts';

/** The second line marks the file as binary for programs that transfer files. */
const headerOf = (version: '1.7' | '2.0') => `%PDF-${version}\n%\xff\xff\xff\xff\n`;
/**
 * Streams shorter than this many bytes are not deflated: zlib takes some 20 µs to start, which the saving is not worth.
 */
const WORTH_DEFLATING = 128;
/** Bytes that `/Filter /FlateDecode` adds. */
const FILTER_LENGTH = 21;
/** Objects per object stream: a reader has to inflate the whole stream to read any of them. */
const PACKED_TOGETHER = 250;
/**
 * Bytes per object stream of the structure, which is read by and large in its order: its objects name each other, so that
 * many together take less space. `deflate` takes no more at once.
 */
const STRUCTURE_TOGETHER = 52_000;
/** Its objects begin at such characters, so that their places are alike; the spaces before them take nothing. */
const STRUCTURE_STEP = 50;
/** Objects from which on their places are written by differences, which takes 60 bytes. */
const MANY_OBJECTS = 60;
/** Bytes of a chunk, and of a file that has chunks. */
const CHUNK = 2 ** 20;

/** Text as it grows, one character a byte: V8 would copy many strings from generation to generation. */
export class TextBytes {
  #bytes = new Uint8Array(1024);
  length = 0;

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  /** Makes room for so many bytes more. */
  #reserve(count: number): void {
    const needed = this.length + count;
    if (needed > this.#bytes.length) this.#bytes = grown(this.#bytes, new Uint8Array(2 * needed));
  }

  text(text: string): this {
    this.#reserve(text.length);
    const [bytes, at] = [this.#bytes, this.length];
    for (let i = 0; i < text.length; i += 1) bytes[at + i] = text.charCodeAt(i);
    this.length += text.length;
    return this;
  }

  /** @param value at least 0 */
  integer(value: number): this {
    this.#reserve(16);
    let digits = 1;
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits += 1;
    this.length += digits;
    const bytes = this.#bytes;
    let rest = value;
    for (let at = this.length - 1; digits > 0; digits -= 1, at -= 1) {
      bytes[at] = 48 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    return this;
  }

  copy(bytes: Uint8Array): this {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
    return this;
  }
}

/** Objects that are yet to be written to an object stream. */
class Packed {
  numbers: number[] = [];
  offsets: number[] = [];
  readonly index = new TextBytes();
  readonly body = new TextBytes();
  /** Each object begins at a multiple of so many characters. */
  readonly #step: number;

  constructor(step: number) {
    this.#step = step;
  }

  /** Begins an object, whose text follows. */
  begin(number: number): TextBytes {
    this.numbers.push(number);
    this.offsets.push(this.body.length);
    this.index.integer(number).text(' ').integer(this.body.length).text(' ');
    return this.body;
  }

  end(): void {
    this.body.text('\n');
    while (this.body.length % this.#step !== 0) this.body.text(' ');
  }

  /** What comes next is the first. */
  clear(): void {
    this.numbers = [];
    this.offsets = [];
    this.index.length = 0;
    this.body.length = 0;
  }
}

const AT_OFFSET = 1;
const IN_STREAM = 2;

/** Where objects are (7.5.8.3), by their numbers from 1: of a long table there are hundreds of thousands. */
class Places {
  count = 0;
  /** The type of an entry; 0 = the object is not written yet. */
  kinds = new Uint8Array(64);
  /** The offset in the file, or the number of the object stream. */
  where = new Uint32Array(64);
  /** In the object stream. */
  index = new Uint16Array(64);

  /** @returns the number of the first of so many objects that have no place yet */
  reserve(count: number): number {
    const first = this.count + 1;
    this.count += count;
    if (this.count > this.kinds.length) {
      const length = Math.ceil(1.25 * this.count) + 64;
      this.kinds = grown(this.kinds, new Uint8Array(length));
      this.where = grown(this.where, new Uint32Array(length));
      this.index = grown(this.index, new Uint16Array(length));
    }
    return first;
  }

  set(number: number, kind: typeof AT_OFFSET | typeof IN_STREAM, where: number, index: number): void {
    this.kinds[number - 1] = kind;
    this.where[number - 1] = where;
    this.index[number - 1] = index;
  }
}

function grown<T extends Uint8Array | Uint16Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

export class ObjectFile {
  /** Text has one character per byte (Latin-1). */
  #parts: (string | Uint8Array)[] = [];
  /** Text after the last part. */
  #text = headerOf('1.7');
  /** Parts that are in this file alone, or that are its own form of what others have. */
  readonly #own = new WeakSet<Uint8Array>();
  readonly #ofChunks = new WeakSet<Uint8Array>();
  /** The chunk that is filled, from where it is no part yet to where it is free. */
  #chunk = { bytes: new Uint8Array(0), from: 0, to: 0 };
  /** Bytes of the parts, also of those that were taken. */
  #length = 0;
  /** Bytes of the parts that were taken. */
  #taken = 0;
  /** Identifies what was taken; null = nothing was. */
  #identified: Uint8Array | null = null;
  readonly #places = new Places();
  readonly #packed = new Packed(1);
  readonly #structure = new Packed(STRUCTURE_STEP);

  /** Makes it a file of PDF 2.0, before anything is written. */
  makeVersion2(): void {
    this.#text = headerOf('2.0');
  }

  /** Reserves the number of an object that is written later. */
  reserve(): PdfReference {
    return new PdfReference(this.#places.reserve(1));
  }

  /** Reserves so many numbers. @returns the first */
  reserveNumbers(count: number): number {
    return this.#places.reserve(count);
  }

  /**
   * Writes an object, with its stream if there is one, deflated where that saves space, unless `data` has a `Filter`.
   */
  write({ number }: PdfReference, data: Dictionary, stream?: Uint8Array | string): void {
    if (stream === undefined) {
      this.#pack(number, objectText(data));
      return;
    }
    const deflated = 'Filter' in data ? null : deflateIfSmaller(stream);
    if (deflated) {
      this.#own.add(deflated);
      this.#writeStream(number, { ...data, Filter: 'FlateDecode' }, deflated);
    } else this.#writeStream(number, data, stream);
  }

  /**
   * Writes an object in the form that it has in another file of ours.
   *
   * @param text its value, with its own references; of a stream, the dictionary with `Length` and `Filter`
   */
  copy({ number }: PdfReference, text: string, stream: Uint8Array | null): void {
    if (stream) this.#placeStream(number, text, stream);
    else this.#pack(number, text);
  }

  /** Begins an object of the structure, whose text follows, until it is ended. */
  beginElement(number: number): TextBytes {
    return this.#structure.begin(number);
  }

  endElement(): void {
    this.#structure.end();
    if (this.#structure.body.length >= STRUCTURE_TOGETHER) this.#writePacked(this.#structure);
  }

  writeElement(number: number, text: string): void {
    this.beginElement(number).text(text);
    this.endElement();
  }

  /** As `copy`, with a stream that is yet to be deflated. @param text of the dictionary, without `Length` and `Filter` */
  writeText({ number }: PdfReference, text: string, stream: string): void {
    const deflated = deflateIfSmaller(stream);
    if (deflated) this.#own.add(deflated);
    const more = `${deflated ? '/Filter /FlateDecode\n' : ''}/Length ${(deflated ?? stream).length}\n>>`;
    this.#placeStream(number, text.slice(0, -'>>'.length) + more, deflated ?? stream);
  }

  #writeStream(number: number, data: Dictionary, stream: Uint8Array | string): void {
    this.#placeStream(number, objectText({ ...data, Length: stream.length }), stream);
  }

  #placeStream(number: number, text: string, stream: Uint8Array | string): void {
    this.#places.set(number, AT_OFFSET, this.#length + this.#text.length, 0);
    this.#text += `${number} 0 obj\n${text}\nstream\n`;
    if (typeof stream === 'string') this.#text += stream;
    else {
      this.#add(this.#text, true);
      this.#add(stream, this.#own.has(stream));
      this.#text = '';
    }
    this.#text += '\nendstream\nendobj\n';
  }

  #add(part: string | Uint8Array, isOwn: boolean): void {
    this.#length += part.length;
    if (isOwn && this.#length > CHUNK && part.length < CHUNK) {
      if (this.#chunk.to + part.length > this.#chunk.bytes.length) {
        this.#endChunkPart();
        this.#chunk = { bytes: new Uint8Array(CHUNK), from: 0, to: 0 };
      }
      copyTo(this.#chunk.bytes, this.#chunk.to, part);
      this.#chunk.to += part.length;
      return;
    }
    this.#endChunkPart();
    this.#parts.push(part);
  }

  #endChunkPart(): void {
    const { bytes, from, to } = this.#chunk;
    if (from === to) return;
    const part = bytes.subarray(from, to);
    this.#own.add(part);
    this.#ofChunks.add(part);
    this.#parts.push(part);
    this.#chunk.from = to;
  }

  #pack(number: number, text: string): void {
    this.#packed.begin(number).text(text);
    this.#packed.end();
    if (this.#packed.numbers.length === PACKED_TOGETHER) this.#writePacked(this.#packed);
  }

  #writePacked(packed: Packed): void {
    const { numbers, index, body } = packed;
    if (numbers.length === 0) return;
    const stream = this.reserve();
    for (let i = 0; i < numbers.length; i += 1) this.#places.set(numbers[i] ?? 0, IN_STREAM, stream.number, i);
    const data = { Type: 'ObjStm', N: numbers.length, First: index.length };
    if (packed === this.#packed) this.write(stream, data, index.copy(body.bytes).bytes.slice());
    else {
      const deflated = deflateInBlocks(index.bytes, body.bytes);
      this.#own.add(deflated);
      this.#writeStream(stream.number, { ...data, Filter: 'FlateDecode' }, deflated);
    }
    packed.clear();
  }

  /** Writes the rest of the objects, few together. */
  #writeRest(): void {
    const { numbers, offsets, body } = this.#structure;
    if (this.#packed.numbers.length + numbers.length <= PACKED_TOGETHER) {
      const texts = latin1Of(body.bytes);
      for (const [i, number] of numbers.entries())
        this.#pack(number, texts.slice(offsets[i], offsets[i + 1]).trimEnd());
      this.#structure.clear();
    }
    this.#writePacked(this.#structure);
    this.#writePacked(this.#packed);
  }

  /** The bytes that were written since the last call, which are then no longer kept here. */
  take(): Uint8Array[] {
    if (this.#text !== '') this.#add(this.#text, true);
    this.#endChunkPart();
    this.#taken = this.#length;
    this.#text = '';
    this.#identified = fileIdentifier(this.#toIdentify());
    const parts = this.#parts.map((part) => (typeof part === 'string' ? bytesOfLatin1(part) : part));
    this.#parts = [];
    return parts;
  }

  /** Finishes the file. Its identifier is a digest of all its contents. @returns the bytes that were not taken */
  finish(root: PdfReference, info: PdfReference | null): Uint8Array {
    this.#writeRest();
    this.#endChunkPart();
    const identifier = this.#identifier();
    const table = this.reserve();
    const start = this.#length + this.#text.length;
    this.#places.set(table.number, AT_OFFSET, start, 0);
    const isPredicted = this.#places.count >= MANY_OBJECTS;
    const { widths, rows } = this.#crossReferences(isPredicted);
    const data = {
      ...{ Type: 'XRef', Size: this.#places.count + 1, W: widths },
      ...{ Root: root, ...(info && { Info: info }), ID: [identifier, identifier] },
    };
    if (isPredicted) {
      const Columns = widths.reduce((sum, width) => sum + width, 0);
      this.write(table, { ...data, Filter: 'FlateDecode', DecodeParms: { Predictor: 12, Columns } }, deflate(rows));
    } else this.write(table, data, rows);
    this.#text += `startxref\n${start}\n%%EOF\n`;
    this.#endChunkPart();
    return this.#bytes();
  }

  /**
   * The rows of the cross-reference stream: type, offset or stream, index. The first is that of object 0, which is
   * free.
   *
   * @param isPredicted whether rows are what differs from those above, as PNG's Up filter writes them (7.4.4.4)
   */
  #crossReferences(isPredicted: boolean): { readonly widths: readonly number[]; readonly rows: Uint8Array } {
    const offsetBytes = this.#length + this.#text.length < 1 << 16 ? 2 : 4;
    const lead = isPredicted ? 1 : 0;
    const row = lead + 1 + offsetBytes + 2;
    const { count, kinds, where, index } = this.#places;
    const rows = new Uint8Array(row * (count + 1));
    for (let i = 0; i < count; i += 1) {
      const [kind = 0, place = 0, within = 0] = [kinds[i], where[i], index[i]];
      if (kind === 0) throw new Error('An object of the PDF was reserved and never written.');
      const at = row * (i + 1) + lead;
      rows[at] = kind;
      for (let byte = 0; byte < offsetBytes; byte++) rows[at + offsetBytes - byte] = place >>> (8 * byte);
      rows[at + 1 + offsetBytes] = within >> 8;
      rows[at + 2 + offsetBytes] = within;
    }
    if (isPredicted) {
      for (let at = rows.length - 1; at >= row; at -= 1) rows[at] = (rows[at] ?? 0) - (rows[at - row] ?? 0);
      for (let at = 0; at < rows.length; at += row) rows[at] = 2;
    }
    return { widths: [1, offsetBytes, 2], rows };
  }

  #identifier(): Uint8Array {
    return fileIdentifier([...this.#toIdentify(), this.#text]);
  }

  /**
   * Streams that callers passed already compressed may be cached between files and are large, so their cached digest is
   * used.
   */
  #toIdentify(): (string | Uint8Array)[] {
    const parts = this.#parts.map((part) =>
      typeof part === 'string' || this.#own.has(part) ? part : fileDigest(part),
    );
    return this.#identified ? [this.#identified, ...parts] : parts;
  }

  #bytes(): Uint8Array {
    const bytes = new Uint8Array(this.#length + this.#text.length - this.#taken);
    let at = 0;
    let chunk: ArrayBuffer | null = null;
    for (const part of [...this.#parts, this.#text]) {
      copyTo(bytes, at, part);
      at += part.length;
      if (typeof part === 'string' || !this.#ofChunks.has(part) || part.buffer === chunk) continue;
      // Its memory is free at once, and not when the collector comes.
      chunk?.transfer(0);
      chunk = part.buffer as ArrayBuffer;
    }
    return bytes;
  }
}

/** Font programs are the same bytes in several files. */
const KEPT = new WeakMap<Uint8Array, Uint8Array>();

function deflateIfSmaller(stream: Uint8Array | string): Uint8Array | null {
  if (stream.length < WORTH_DEFLATING) return null;
  let deflated = typeof stream === 'string' ? undefined : KEPT.get(stream);
  if (!deflated) {
    deflated = deflate(stream);
    if (typeof stream !== 'string') KEPT.set(stream, deflated);
  }
  return deflated.length + FILTER_LENGTH < stream.length ? deflated : null;
}

function copyTo(bytes: Uint8Array, at: number, part: string | Uint8Array): void {
  if (typeof part === 'string') writeLatin1(part, bytes, at);
  else bytes.set(part, at);
}
