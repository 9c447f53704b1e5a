// Parses PDF files: as much of ISO 32000 as Platen writes, without any tool installed.
//
// Reads cross-reference streams and tables, object streams and Flate. It reads no encryption, as none is written.

import { inflateSync } from 'node:zlib';

/** An indirect reference, `12 0 R`. */
export class Ref {
  readonly number: number;
  constructor(number: number) {
    this.number = number;
  }
}

/** A word that is not a value: an operator of a content stream, or a keyword such as `obj`. */
export class Keyword {
  readonly word: string;
  constructor(word: string) {
    this.word = word;
  }
}

/** A name keeps its slash, `/Type`; a string is its bytes. */
export type PdfName = `/${string}`;
export type PdfValue =
  | null
  | boolean
  | number
  | PdfName
  | Uint8Array
  | readonly PdfValue[]
  | PdfDict
  | PdfStream
  | Ref
  | Keyword;
export type PdfDict = ReadonlyMap<PdfName, PdfValue>;

export class PdfStream {
  readonly dict: PdfDict;
  /** As stored, still encoded by its filters. */
  readonly raw: Uint8Array;
  constructor(dict: PdfDict, raw: Uint8Array) {
    this.dict = dict;
    this.raw = raw;
  }

  /** The data with a Flate filter decoded; an image's own coding stays. */
  data(): Uint8Array {
    if (this.dict.get('/Filter') !== '/FlateDecode') return this.raw;
    const data = inflateSync(this.raw);
    const settings = this.dict.get('/DecodeParms');
    if (this.dict.has('/Subtype') || !isDict(settings)) return data;
    const colors = Number(settings.get('/Colors') ?? 1);
    return unfiltered(data, colors * Number(settings.get('/Columns')), colors);
  }
}

/** Rows that were written by PNG's filters, of which none is but the first three. @param step of what is before */
export function unfiltered(data: Uint8Array, row: number, step: number): Buffer {
  const rows = Buffer.alloc((data.length / (row + 1)) * row);
  for (let at = 0; at < rows.length; at += 1) {
    const line = Math.floor(at / row);
    const filter = data[line * (row + 1)] ?? 9;
    if (filter > 2) throw new Error(`Filter ${filter}`);
    const before = filter === 2 ? at - row : filter === 1 && at % row >= step ? at - step : -1;
    rows[at] = (data[at + line + 1] ?? 0) + (rows[before] ?? 0);
  }
  return rows;
}

export const isDict = (value: PdfValue | undefined): value is PdfDict => value instanceof Map;
export const isName = (value: PdfValue | undefined): value is PdfName => typeof value === 'string';

const SPACE = new Set([0, 9, 10, 12, 13, 32]);
const DELIMITER = new Set([...'()<>[]{}/%'].map((char) => char.charCodeAt(0)));
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Reads values one after another, in the syntax that a file's body and a content stream share. */
export class PdfReader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /**
   * Returns undefined at the end. A `Keyword` is returned as it is; the three tokens of a reference become one `Ref`.
   */
  read(): PdfValue | undefined {
    const value = this.#value();
    if (typeof value !== 'number' || !Number.isInteger(value)) return value;
    const back = this.#at;
    if (typeof this.#value() === 'number') {
      const third = this.#value();
      if (third instanceof Keyword && third.word === 'R') return new Ref(value);
    }
    this.#at = back;
    return value;
  }

  /** After the keyword `stream`: returns its bytes. `length` comes from the dictionary. */
  streamData(length: number): Uint8Array {
    if (this.#bytes[this.#at] === 13) this.#at += 1;
    const start = this.#at + 1;
    this.#at = start + length;
    return this.#bytes.subarray(start, this.#at);
  }

  #value(): PdfValue | undefined {
    this.#skip();
    const byte = this.#bytes[this.#at];
    if (byte === undefined) return undefined;
    const char = String.fromCharCode(byte);
    const next = this.#bytes[this.#at + 1];
    if (char === '/') return this.#name();
    if (char === '(') return this.#literal();
    if (char === '<' && next === 60) return this.#dict();
    if (char === '<') return this.#hex();
    if (char === '[') return this.#array();
    if (DELIMITER.has(byte)) {
      this.#at += char === '>' && next === 62 ? 2 : 1;
      return new Keyword(char === '>' ? '>>' : char);
    }
    const word = this.#word();
    if (/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/.test(word)) return Number(word);
    if (word === 'true' || word === 'false') return word === 'true';
    return word === 'null' ? null : new Keyword(word);
  }

  #skip(): void {
    for (;;) {
      while (SPACE.has(this.#bytes[this.#at] ?? -1)) this.#at += 1;
      if (this.#bytes[this.#at] !== 37) return;
      while (this.#at < this.#bytes.length && this.#bytes[this.#at] !== 10 && this.#bytes[this.#at] !== 13)
        this.#at += 1;
    }
  }

  #word(): string {
    const start = this.#at;
    for (; this.#at < this.#bytes.length; this.#at += 1) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (SPACE.has(byte) || DELIMITER.has(byte)) break;
    }
    return Buffer.from(this.#bytes.subarray(start, this.#at)).toString('latin1');
  }

  #name(): PdfName {
    this.#at += 1;
    return `/${this.#word().replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))}`;
  }

  #literal(): Uint8Array {
    let text = '';
    let depth = 0;
    for (;;) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new Error('a string does not end');
      const char = String.fromCharCode(byte);
      if (char === '\\') text += this.#escape();
      else if (char === '(' && ++depth === 1) continue;
      else if (char === ')' && --depth === 0) return Buffer.from(text, 'latin1');
      else text += char;
    }
  }

  #escape(): string {
    const rest = Buffer.from(this.#bytes.subarray(this.#at, this.#at + 3)).toString('latin1');
    const octal = /^[0-7]{1,3}/.exec(rest)?.[0];
    this.#at += octal?.length ?? 1;
    return octal ? String.fromCharCode(Number.parseInt(octal, 8)) : (ESCAPES[rest.charAt(0)] ?? rest.charAt(0));
  }

  #hex(): Uint8Array {
    const end = this.#bytes.indexOf(62, this.#at);
    const digits = Buffer.from(this.#bytes.subarray(this.#at + 1, end))
      .toString('latin1')
      .replace(/\s/g, '');
    this.#at = end + 1;
    return Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex');
  }

  #until(close: string): PdfValue[] {
    const values: PdfValue[] = [];
    for (;;) {
      const value = this.read();
      if (value === undefined) throw new Error(`a "${close}" is missing`);
      if (value instanceof Keyword && value.word === close) return values;
      values.push(value);
    }
  }

  #array(): PdfValue[] {
    this.#at += 1;
    return this.#until(']');
  }

  #dict(): PdfDict {
    this.#at += 2;
    const values = this.#until('>>');
    const dict = new Map<PdfName, PdfValue>();
    for (let i = 0; i + 1 < values.length; i += 2) {
      const key = values[i];
      if (!isName(key)) throw new Error('a dictionary key is no name');
      dict.set(key, values[i + 1] ?? null);
    }
    return dict;
  }
}

export class PdfFile {
  readonly #bytes: Uint8Array;
  /** Object number → offset in the file, or object stream and index in it. */
  readonly #places = new Map<
    number,
    { readonly offset: number } | { readonly stream: number; readonly index: number }
  >();
  readonly #objects = new Map<number, PdfValue>();
  readonly #opened = new Map<number, { readonly data: Uint8Array; readonly offsets: readonly number[] }>();
  readonly trailer: PdfDict;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const text = Buffer.from(bytes).toString('latin1');
    const start = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1] ?? Number.NaN);
    if (text.startsWith('xref', start)) {
      this.trailer = this.#readTable(text, start);
      return;
    }
    const table = Number.isNaN(start) ? null : this.#at(start);
    if (!(table instanceof PdfStream)) throw new Error('no cross-reference stream');
    this.trailer = table.dict;
    const widths = table.dict.get('/W') as readonly number[];
    const rows = Buffer.from(table.data());
    let at = 0;
    for (let number = 0; at < rows.length; number++) {
      const [kind = 0, where = 0, index = 0] = widths.map((width) => {
        at += width;
        return width === 0 ? 0 : rows.readUIntBE(at - width, width);
      });
      if (kind === 1) this.#places.set(number, { offset: where });
      if (kind === 2) this.#places.set(number, { stream: where, index });
    }
  }

  /** The classic cross-reference table, which Platen does not write but other programs do. */
  #readTable(text: string, start: number): PdfDict {
    const rows = /xref\s+0 (\d+)\s+((?:\d{10} \d{5} [nf]\s+)+)trailer/y;
    rows.lastIndex = start;
    for (const [number, entry] of (rows.exec(text)?.[2]?.match(/\d{10} \d{5} [nf]/g) ?? []).entries()) {
      if (entry.endsWith('n')) this.#places.set(number, { offset: Number(entry.slice(0, 10)) });
    }
    const trailer = new PdfReader(this.#bytes, rows.lastIndex).read();
    if (!isDict(trailer)) throw new Error('no trailer');
    return trailer;
  }

  /** Returns the value, with references followed. */
  resolve(value: PdfValue | undefined): PdfValue {
    return value instanceof Ref ? this.resolve(this.#object(value.number)) : (value ?? null);
  }

  /** Returns the dictionary, or that of a stream; empty if the value is neither. */
  dict(value: PdfValue | undefined): PdfDict {
    const resolved = this.resolve(value);
    if (resolved instanceof PdfStream) return resolved.dict;
    return isDict(resolved) ? resolved : new Map();
  }

  #object(number: number): PdfValue {
    const known = this.#objects.get(number);
    if (known !== undefined) return known;
    const place = this.#places.get(number);
    const value = place === undefined ? null : 'offset' in place ? this.#at(place.offset) : this.#packed(place);
    this.#objects.set(number, value);
    return value;
  }

  #at(offset: number): PdfValue {
    const reader = new PdfReader(this.#bytes, offset);
    for (let word = 0; word < 3; word++) reader.read();
    const value = reader.read() ?? null;
    const after = reader.read();
    if (!isDict(value) || !(after instanceof Keyword) || after.word !== 'stream') return value;
    return new PdfStream(value, reader.streamData(Number(this.resolve(value.get('/Length')))));
  }

  #packed({ stream, index }: { readonly stream: number; readonly index: number }): PdfValue {
    const { data, offsets } = this.#opened.get(stream) ?? this.#open(stream);
    return new PdfReader(data, offsets[index] ?? 0).read() ?? null;
  }

  #open(stream: number): { readonly data: Uint8Array; readonly offsets: readonly number[] } {
    const packed = this.#object(stream);
    if (!(packed instanceof PdfStream)) throw new Error(`${stream} is no object stream`);
    const data = packed.data();
    const numbers = new PdfReader(data);
    // Object numbers and offsets alternate.
    const offsets = Array.from({ length: Number(packed.dict.get('/N')) }, () => {
      numbers.read();
      return Number(packed.dict.get('/First')) + Number(numbers.read());
    });
    this.#opened.set(stream, { data, offsets });
    return { data, offsets };
  }
}
