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
/** Bytes of texts in a file that are searched for repeats as far as zlib would: those of ten pages of a table. */
const SEARCHED_FULLY = 256 * 1024;
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
 * many together take less space.
 */
const STRUCTURE_TOGETHER = 100_000;
/** More than a file has. */
const MOST_OBJECTS = 2 ** 30;
/** Objects of the structure from which on it has streams of its own, which take some 150 bytes. */
const OWN_STREAM = 40;
/** Its objects begin at rows of so many characters, with references of `REFERENCE`. */
const ROW = 100;
const REFERENCE = 10;
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

  /** @param value at least 0 @param width with spaces before it, at least so many characters; up to 10 */
  integer(value: number, width = 0): this {
    this.#reserve(16);
    const bytes = this.#bytes;
    let digits = 1;
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits += 1;
    for (let space = width - digits; space > 0; space -= 1) bytes[this.length++] = SPACE;
    this.length += digits;
    let rest = value;
    for (let at = this.length - 1; digits > 0; digits -= 1, at -= 1) {
      bytes[at] = 48 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    return this;
  }

  /** A reference to an object, below others in equal rows. */
  reference(number: number): this {
    return this.text(' ')
      .integer(number, REFERENCE - ' '.length - ' 0 R'.length)
      .text(' 0 R');
  }

  /** Spaces up to a multiple of a length; none where it is one. */
  pad(step = REFERENCE): this {
    const end = Math.ceil(this.length / step) * step;
    this.#reserve(end - this.length);
    this.#bytes.fill(SPACE, this.length, end);
    this.length = end;
    return this;
  }

  copy(bytes: Uint8Array): this {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
    return this;
  }
}

const SPACE = 32;

/** Objects that are yet to be written to an object stream. */
class Packed {
  numbers: number[] = [];
  offsets: number[] = [];
  readonly body = new TextBytes();

  /** Begins an object, whose text follows. */
  begin(number: number): TextBytes {
    this.numbers.push(number);
    this.offsets.push(this.body.length);
    return this.body;
  }

  /** What comes next is the first. */
  clear(): void {
    this.numbers = [];
    this.offsets = [];
    this.body.length = 0;
  }
}

/**
 * Objects of the structure, in their order in a stream, those of a kind by their numbers: cells, lines of cells, and lists.
 * Their rows are written by PNG's filters (7.4.4.4), by what differs from the row above (even) or from the reference before
 * (odd): what counts up, as numbers do, is then the same again and again.
 */
export const ROWS = { cell: 0, line: 1, fewCells: 2, list: 3 } as const;
type Rows = (typeof ROWS)[keyof typeof ROWS];
const ORDER = { [ROWS.cell]: 0, [ROWS.line]: 1, [ROWS.fewCells]: 1, [ROWS.list]: 2 } as const satisfies Record<
  Rows,
  number
>;

/** Objects that are written together, at most some thousand. */
class PackedRows {
  readonly #objects = new Packed();
  /** Of `#objects`. */
  #kinds: Rows[] = [];
  /** Of their texts. */
  #lengths: number[] = [];

  begin(number: number, rows: Rows): TextBytes {
    this.#kinds.push(rows);
    return this.#objects.begin(number);
  }

  end(): void {
    const { body, offsets } = this.#objects;
    this.#lengths.push(body.length - (offsets.at(-1) ?? 0));
    body.pad(ROW);
  }

  get length(): number {
    return this.#objects.body.length;
  }

  get count(): number {
    return this.#kinds.length;
  }

  /** Takes the objects as texts of their own. */
  *take(): Generator<readonly [number: number, text: string]> {
    const { numbers, offsets, body } = this.#objects;
    const texts = latin1Of(body.bytes);
    for (const [i, number] of numbers.entries()) yield [number, texts.slice(offsets[i], offsets[i + 1]).trimEnd()];
    this.clear();
  }

  /** The data of their stream, deflated, where the first object is, and their numbers in its order. */
  deflated(): { readonly data: Uint8Array; readonly first: number; readonly numbers: readonly number[] } {
    const { numbers, offsets, body } = this.#objects;
    const order = this.#order();
    const sorted = Array.from(order, (i) => numbers[i] ?? 0);
    const index = new TextBytes();
    const isShort = sorted.every((number) => number < 1000);
    const [width, most, inRow] = isShort ? [3, 5, 10] : [9, 9, 5];
    let offset = 0;
    for (const [place, i] of order.entries()) {
      if (place % inRow === 0) index.pad(ROW);
      index
        .integer(sorted[place] ?? 0, width)
        .text(' ')
        .integer(offset, most)
        .text(' ');
      offset += (offsets[i + 1] ?? body.length) - (offsets[i] ?? 0);
    }
    const first = index.pad(ROW).length;
    const rows = new FilteredRows((first + offset) / ROW);
    rows.add(index.bytes, 0, first, ROWS.cell);
    for (const i of order) rows.add(body.bytes, offsets[i] ?? 0, this.#lengths[i] ?? 0, this.#kinds[i] ?? ROWS.cell);
    return { data: deflateInBlocks(rows.bytes, true), first, numbers: sorted };
  }

  /** The objects by their kinds, and those of a kind by their numbers. */
  #order(): Float64Array {
    const keys = Float64Array.from(
      this.#objects.numbers,
      (number, i) => (ORDER[this.#kinds[i] ?? 0] * MOST_OBJECTS + number) * STRUCTURE_TOGETHER + i,
    );
    return keys.sort().map((key) => key % STRUCTURE_TOGETHER);
  }

  clear(): void {
    this.#objects.clear();
    this.#kinds = [];
    this.#lengths = [];
  }
}

/** Rows that are written by what differs, each with its filter before it. */
class FilteredRows {
  readonly bytes: Uint8Array;
  #place = 0;
  /** The row above: in which bytes, where, and how long without the spaces at its end. There is none above the first. */
  #above: Uint8Array = new Uint8Array(ROW);
  #aboveAt = 0;
  #aboveLength = ROW;

  constructor(count: number) {
    this.bytes = new Uint8Array(count * (ROW + 1));
  }

  /** @param length of the text, with spaces after it up to a whole row */
  add(from: Uint8Array, start: number, length: number, kind: Rows): void {
    const isAlong = kind % 2 === 1;
    for (let row = start; row < start + length; row += ROW) {
      const used = Math.min(ROW, start + length - row);
      const to = this.bytes;
      const out = this.#place + 1;
      to[this.#place] = isAlong ? 1 : 2;
      if (isAlong) {
        for (let i = 0; i < REFERENCE; i += 1) to[out + i] = from[row + i] as number;
        const end = Math.min(ROW, used + REFERENCE);
        for (let i = REFERENCE; i < end; i += 1) {
          to[out + i] = (from[row + i] as number) - (from[row + i - REFERENCE] as number);
        }
      } else {
        const [above, aboveAt] = [this.#above, this.#aboveAt];
        const end = Math.max(used, this.#aboveLength);
        for (let i = 0; i < end; i += 1) to[out + i] = (from[row + i] as number) - (above[aboveAt + i] as number);
      }
      this.#above = from;
      this.#aboveAt = row;
      this.#aboveLength = used;
      this.#place += ROW + 1;
    }
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
  /** Bytes of texts so far. */
  #searched = 0;
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
  readonly #packed = new Packed();
  readonly #structure = new PackedRows();

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
    const deflated = 'Filter' in data ? null : this.#deflated(stream);
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

  /** Begins an object of the structure, whose text follows, until it is ended. @param rows what those of its kind are like */
  beginElement(number: number, rows: Rows): TextBytes {
    return this.#structure.begin(number, rows);
  }

  endElement(): void {
    this.#structure.end();
    if (this.#structure.length >= STRUCTURE_TOGETHER) this.#writeStructure();
  }

  /** As `copy`, with a stream that is yet to be deflated. @param text of the dictionary, without `Length` and `Filter` */
  writeText({ number }: PdfReference, text: string, stream: string): void {
    const deflated = this.#deflated(stream);
    if (deflated) this.#own.add(deflated);
    const more = `${deflated ? '/Filter /FlateDecode\n' : ''}/Length ${(deflated ?? stream).length}\n>>`;
    this.#placeStream(number, text.slice(0, -'>>'.length) + more, deflated ?? stream);
  }

  /** A text is searched fully while the file is short: of long ones, the time counts more than a twentieth of the bytes. */
  #deflated(stream: Uint8Array | string): Uint8Array | null {
    if (typeof stream === 'string') this.#searched += stream.length;
    return deflateIfSmaller(stream, typeof stream === 'string' && this.#searched <= SEARCHED_FULLY);
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
    this.#packed.begin(number).text(text).text('\n');
    if (this.#packed.numbers.length === PACKED_TOGETHER) this.#writePacked();
  }

  #writePacked(): void {
    const { numbers, offsets, body } = this.#packed;
    if (numbers.length === 0) return;
    const index = new TextBytes();
    for (const [i, number] of numbers.entries())
      index
        .integer(number)
        .text(' ')
        .integer(offsets[i] ?? 0)
        .text(' ');
    const data = { Type: 'ObjStm', N: numbers.length, First: index.length };
    this.write(this.#objectStream(numbers), data, index.copy(body.bytes).bytes.slice());
    this.#packed.clear();
  }

  #writeStructure(): void {
    if (this.#structure.count === 0) return;
    const { data, first, numbers } = this.#structure.deflated();
    this.#own.add(data);
    this.#writeStream(
      this.#objectStream(numbers).number,
      {
        ...{ Type: 'ObjStm', N: numbers.length, First: first, Filter: 'FlateDecode' },
        DecodeParms: { Predictor: 15, Colors: REFERENCE, Columns: ROW / REFERENCE },
      },
      data,
    );
    this.#structure.clear();
  }

  /** Reserves the number of an object stream that has these objects. */
  #objectStream(numbers: readonly number[]): PdfReference {
    const stream = this.reserve();
    for (const [i, number] of numbers.entries()) this.#places.set(number, IN_STREAM, stream.number, i);
    return stream;
  }

  /** Writes the rest of the objects, few together. */
  #writeRest(): void {
    if (this.#structure.count < OWN_STREAM) {
      for (const [number, text] of this.#structure.take()) this.#pack(number, text);
    }
    this.#writeStructure();
    this.#writePacked();
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

function deflateIfSmaller(stream: Uint8Array | string, isSearchedFully: boolean): Uint8Array | null {
  if (stream.length < WORTH_DEFLATING) return null;
  let deflated = typeof stream === 'string' ? undefined : KEPT.get(stream);
  if (!deflated) {
    deflated = deflate(stream, isSearchedFully);
    if (typeof stream !== 'string') KEPT.set(stream, deflated);
  }
  return deflated.length + FILTER_LENGTH < stream.length ? deflated : null;
}

function copyTo(bytes: Uint8Array, at: number, part: string | Uint8Array): void {
  if (typeof part === 'string') writeLatin1(part, bytes, at);
  else bytes.set(part, at);
}
