// Reads PDF files from outside (ISO 32000-1, 7): their objects, and the pages that a picture may show.
//
// Nothing is trusted: the file, its objects, their depth and what they inflate to are bounded, and what is damaged,
// encrypted or unknown is refused. Streams stay as they are compressed, unless a page has several.

import { AppError } from '#base/errors.ts';
import { inflate, latin1Of } from '#base/runtime.ts';
import type { Rect } from '#core/geometry.ts';

/** A name, without its slash. */
export interface Name {
  readonly name: string;
}
export interface Reference {
  readonly reference: number;
}
export type Dict = ReadonlyMap<string, FileValue>;
export type FileValue = number | boolean | null | Uint8Array | Name | Reference | readonly FileValue[] | Dict;
/** An object: its value, and the bytes of its stream as they are in the file. */
export interface FileObject {
  readonly value: FileValue;
  readonly stream: Uint8Array | null;
}

export interface PdfPage {
  /** The part of the page that readers show, points, y up. */
  readonly box: Rect;
  /** Degrees clockwise: 0, 90, 180 or 270. */
  readonly turn: number;
  readonly dict: Dict;
  readonly resources: FileValue;
}

const MAX_OBJECTS = 100_000;
const MAX_PAGES = 2_000;
const MAX_DEPTH = 60;
/** Bytes of all streams that are inflated. */
const MAX_INFLATED = 32 * 1024 * 1024;
const POINTS_PER_PIXEL = 0.75;

const refuse = (problem: string): never => {
  throw new AppError('invalid_request', `The PDF file ${problem}.`);
};
const damaged = (what: string): never => refuse(`is damaged: ${what}; save it anew with another program`);

export const isDict = (value: FileValue | undefined): value is Dict => value instanceof Map;
export const isPdfReference = (value: FileValue | undefined): value is Reference =>
  typeof value === 'object' && value !== null && 'reference' in value;
export const nameIn = (value: FileValue | undefined): string | null =>
  typeof value === 'object' && value !== null && 'name' in value ? (value as Name).name : null;

const isSpace = (code: number) => code === 32 || code === 10 || code === 13 || code === 9 || code === 12 || code === 0;
const DELIMITERS = new Set(Array.from('()<>[]{}/%', (letter) => letter.charCodeAt(0)));
const isRegular = (code: number) => !Number.isNaN(code) && !isSpace(code) && !DELIMITERS.has(code);

/** Reads values from text with one character per byte. */
class Reader {
  at: number;
  readonly #text: string;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  #skip(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.at);
      if (isSpace(code)) this.at += 1;
      else if (code === 37) {
        const end = this.#text.slice(this.at, this.at + 10_000).search(/[\r\n]/);
        this.at = end < 0 ? this.#text.length : this.at + end;
      } else return;
    }
  }

  /** The next word or sign; '' = the end. */
  word(): string {
    this.#skip();
    const from = this.at;
    while (isRegular(this.#text.charCodeAt(this.at))) this.at += 1;
    if (this.at === from) this.at += /^(<<|>>)/.test(this.#text.slice(from, from + 2)) ? 2 : 1;
    return this.#text.slice(from, this.at);
  }

  #peek(): string {
    const { at } = this;
    const word = this.word();
    this.at = at;
    return word;
  }

  value(depth = 0): FileValue {
    if (depth > MAX_DEPTH) damaged('its objects are nested too deeply');
    const word = this.word();
    if (word === '<<') return this.#dict(depth);
    if (word === '[') {
      const list: FileValue[] = [];
      while (this.#peek() !== ']') {
        if (this.#peek() === '') damaged('a list has no end');
        list.push(this.value(depth + 1));
      }
      this.word();
      return list;
    }
    if (word === '/') return { name: this.#name() };
    if (word === '(') return this.#literal();
    if (word === '<') return this.#hexadecimal();
    if (/^[+-]?(\d{1,12}(\.\d*)?|\.\d+)$/.test(word)) return this.#number(word);
    if (word === 'true' || word === 'false') return word === 'true';
    return word === 'null' ? null : damaged(`it has ${JSON.stringify(word.slice(0, 20))} where a value should be`);
  }

  #number(word: string): FileValue {
    const { at } = this;
    if (/^\d+$/.test(word) && /^\d{1,5}$/.test(this.word()) && this.word() === 'R') return { reference: Number(word) };
    this.at = at;
    return Number(word);
  }

  #dict(depth: number): Dict {
    const dict = new Map<string, FileValue>();
    for (let word = this.word(); word !== '>>'; word = this.word()) {
      if (word !== '/') damaged('a dictionary has no end');
      dict.set(this.#name(), this.value(depth + 1));
    }
    return dict;
  }

  #name(): string {
    const from = this.at;
    while (isRegular(this.#text.charCodeAt(this.at))) this.at += 1;
    return this.#text
      .slice(from, this.at)
      .replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }

  #literal(): Uint8Array {
    const bytes: number[] = [];
    for (let depth = 1; depth > 0; this.at += 1) {
      const letter = this.#text[this.at] ?? damaged('a string has no end');
      if (letter === '\\') {
        this.at += 1;
        const escaped = this.#text.slice(this.at, this.at + 3);
        const octal = /^[0-7]{1,3}/.exec(escaped)?.[0];
        if (octal !== undefined) {
          bytes.push(Number.parseInt(octal, 8) & 255);
          this.at += octal.length - 1;
        } else if (escaped.startsWith('\r\n')) this.at += 1;
        else if (!/^[\r\n]/.test(escaped)) bytes.push((ESCAPED[escaped[0] ?? ''] ?? escaped[0] ?? '').charCodeAt(0));
        continue;
      }
      depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
      if (depth > 0) bytes.push(letter.charCodeAt(0));
    }
    return Uint8Array.from(bytes);
  }

  #hexadecimal(): Uint8Array {
    const end = this.#text.indexOf('>', this.at);
    if (end < 0) damaged('a string has no end');
    const digits = this.#text.slice(this.at, end).replace(/[^0-9a-f]/gi, '');
    this.at = end + 1;
    return Uint8Array.from({ length: Math.ceil(digits.length / 2) }, (_, i) =>
      Number.parseInt(digits.slice(2 * i, 2 * i + 2).padEnd(2, '0'), 16),
    );
  }
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

type Place = { readonly offset: number } | { readonly stream: number; readonly index: number };

export class PdfFile {
  readonly #bytes: Uint8Array;
  readonly #text: string;
  readonly #places = new Map<number, Place>();
  readonly #objects = new Map<number, FileObject>();
  readonly #packed = new Map<number, readonly FileValue[]>();
  #trailer: Dict = new Map();
  #inflated = 0;

  private constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#text = latin1Of(bytes);
  }

  /** @throws AppError `invalid_request` for what is damaged or encrypted */
  static async open(bytes: Uint8Array): Promise<PdfFile> {
    const file = new PdfFile(bytes);
    const start = /startxref\s+(\d+)\s+%%EOF/.exec(file.#text.slice(-2_048))?.[1];
    if (start === undefined) damaged('it has no end');
    await file.#readTables(Number(start));
    if (file.#trailer.has('Encrypt')) refuse('is encrypted; save it without a password');
    return file;
  }

  async #readTables(start: number): Promise<void> {
    const done = new Set<number>();
    const todo = [start];
    for (let at = todo.shift(); at !== undefined; at = todo.shift()) {
      if (done.has(at)) continue;
      done.add(at);
      if (done.size > 100) damaged('it has too many cross-reference tables');
      const reader = new Reader(this.#text, at);
      const trailer = reader.word() === 'xref' ? this.#readTable(reader) : await this.#readStream(at);
      if (this.#trailer.size === 0) this.#trailer = trailer;
      for (const key of ['XRefStm', 'Prev']) {
        const next = trailer.get(key);
        if (typeof next === 'number') todo.push(next);
      }
    }
  }

  #readTable(reader: Reader): Dict {
    for (let word = reader.word(); word !== 'trailer'; word = reader.word()) {
      const [first, count] = [Number(word), Number(reader.word())];
      if (!(first >= 0 && count >= 0 && first + count <= MAX_OBJECTS)) damaged('its cross-references cannot be read');
      for (let i = 0; i < count; i += 1) {
        const [offset, , kind] = [Number(reader.word()), reader.word(), reader.word()];
        if (kind === 'n' && !this.#places.has(first + i)) this.#places.set(first + i, { offset });
      }
    }
    const trailer = reader.value();
    return isDict(trailer) ? trailer : damaged('it has no trailer');
  }

  async #readStream(at: number): Promise<Dict> {
    const { value, stream } = this.#objectAt(at);
    if (!isDict(value) || !stream) return damaged('its cross-references cannot be read');
    const widths = numbersOf(value.get('W'));
    const [a = 0, b = 0, c = 0] = widths;
    const rows = await this.decoded({ value, stream });
    const size = Number(value.get('Size') ?? 0);
    const index = value.has('Index') ? numbersOf(value.get('Index')) : [0, size];
    const width = a + b + c;
    if (width === 0 || width > 24) damaged('its cross-references cannot be read');
    let row = 0;
    const field = (from: number, length: number, initial: number) => {
      let number = length === 0 ? initial : 0;
      for (let i = 0; i < length; i += 1) number = number * 256 + (rows[row + from + i] ?? 0);
      return number;
    };
    for (let part = 0; part + 1 < index.length; part += 2) {
      for (let i = 0; i < (index[part + 1] ?? 0) && row + width <= rows.length; i += 1, row += width) {
        const number = (index[part] ?? 0) + i;
        if (number > MAX_OBJECTS) damaged('it has too many objects');
        const [kind, where, last] = [field(0, a, 1), field(a, b, 0), field(a + b, c, 0)];
        if (this.#places.has(number)) continue;
        if (kind === 1) this.#places.set(number, { offset: where });
        else if (kind === 2) this.#places.set(number, { stream: where, index: last });
      }
    }
    return value;
  }

  /** The value of a stream's `Length`, which may be an object of its own. */
  #lengthOf(dict: Dict): number {
    const length = dict.get('Length');
    if (!isPdfReference(length)) return Number(length);
    const place = this.#places.get(length.reference);
    return place && 'offset' in place ? Number(this.#objectAt(place.offset).value) : Number.NaN;
  }

  #objectAt(offset: number): FileObject {
    const reader = new Reader(this.#text, offset);
    const isObject = /^\d+$/.test(reader.word()) && /^\d+$/.test(reader.word()) && reader.word() === 'obj';
    if (!isObject) damaged(`there is no object at ${offset}`);
    const value = reader.value();
    if (!isDict(value) || reader.word() !== 'stream') return { value, stream: null };
    const from = reader.at + (/^\r?\n/.exec(this.#text.slice(reader.at, reader.at + 2))?.[0].length ?? 0);
    const length = this.#lengthOf(value);
    const end = /^\s{0,4}endstream/.test(this.#text.slice(from + length, from + length + 16))
      ? from + length
      : this.#text.indexOf('endstream', from);
    if (!(end >= from)) damaged('a stream has no end');
    return { value, stream: this.#bytes.subarray(from, end) };
  }

  /** @returns null for an object that is not there, as the format says */
  async object(number: number): Promise<FileObject> {
    const known = this.#objects.get(number);
    if (known) return known;
    const place = this.#places.get(number);
    const object = !place
      ? { value: null, stream: null }
      : 'offset' in place
        ? this.#objectAt(place.offset)
        : { value: (await this.#unpacked(place.stream))[place.index] ?? null, stream: null };
    this.#objects.set(number, object);
    return object;
  }

  /** The objects of an object stream (7.5.7). */
  async #unpacked(number: number): Promise<readonly FileValue[]> {
    const known = this.#packed.get(number);
    if (known) return known;
    const place = this.#places.get(number);
    if (!place || !('offset' in place)) return damaged('an object stream is missing');
    const packed = this.#objectAt(place.offset);
    const first = isDict(packed.value) ? Number(packed.value.get('First')) : Number.NaN;
    const text = latin1Of(await this.decoded(packed));
    const offsets = text.slice(0, first).trim().split(/\s+/).map(Number);
    const values = offsets.flatMap((offset, i) => (i % 2 === 1 ? [new Reader(text, first + offset).value()] : []));
    this.#packed.set(number, values);
    return values;
  }

  async resolve(value: FileValue | undefined): Promise<FileValue> {
    let resolved: FileValue = value ?? null;
    for (let hops = 0; isPdfReference(resolved); hops += 1) {
      if (hops > 10) damaged('its references go in a circle');
      resolved = (await this.object(resolved.reference)).value;
    }
    return resolved;
  }

  /** The bytes of a stream that is compressed in no other way than by Flate. */
  async decoded({ value, stream }: FileObject): Promise<Uint8Array> {
    const dict = isDict(value) ? value : new Map<string, FileValue>();
    const filters = await this.#listOf(dict.get('Filter') ?? dict.get('F'));
    const [filter] = filters;
    if (!stream || filters.length > 1 || (filter && nameIn(filter) !== 'FlateDecode')) {
      return refuse('has streams that are compressed in an old way; save it anew with another program');
    }
    if (!filter) return stream;
    let bytes: Uint8Array;
    try {
      bytes = await inflate(stream, MAX_INFLATED - this.#inflated);
    } catch {
      return damaged('a stream cannot be inflated, or is too large');
    }
    this.#inflated += bytes.length;
    const [parameters] = await this.#listOf(dict.get('DecodeParms'));
    const settings = await this.resolve(parameters);
    return isDict(settings) && Number(settings.get('Predictor') ?? 1) > 1 ? unpredicted(bytes, settings) : bytes;
  }

  async #listOf(value: FileValue | undefined): Promise<readonly FileValue[]> {
    const resolved = await this.resolve(value);
    if (resolved === null) return [];
    return Array.isArray(resolved) ? (resolved as readonly FileValue[]) : [resolved];
  }

  /** @param number from 1 @throws AppError `invalid_request` when there is no such page, or it cannot be shown */
  async page(number: number): Promise<PdfPage> {
    const root = await this.resolve(this.#trailer.get('Root'));
    if (!isDict(root)) return damaged('it has no catalogue');
    await this.#checkLayers(root);
    let count = 0;
    const inherited = ['Resources', 'MediaBox', 'CropBox', 'Rotate'];
    const find = async (node: FileValue, above: Dict, depth: number): Promise<Dict | null> => {
      const own = await this.resolve(node);
      if (!isDict(own) || depth > MAX_DEPTH) return damaged('its pages cannot be read');
      const dict = new Map([...[...above].filter(([key]) => inherited.includes(key)), ...own]);
      if (!own.has('Kids')) {
        count += 1;
        if (count > MAX_PAGES) refuse(`has more than ${MAX_PAGES} pages`);
        return count === number ? dict : null;
      }
      for (const kid of await this.#listOf(own.get('Kids'))) {
        const found = await find(kid, dict, depth + 1);
        if (found) return found;
      }
      return null;
    };
    const dict = await find(root.get('Pages') ?? null, new Map(), 0);
    if (!dict) return refuse(`has ${count} ${count === 1 ? 'page' : 'pages'}, and no page ${number}`);
    const media = await this.#boxOf(dict.get('MediaBox'));
    if (!media) return damaged('a page has no size');
    const box = (await this.#boxOf(dict.get('CropBox'))) ?? media;
    const turn = (((Number((await this.resolve(dict.get('Rotate'))) ?? 0) % 360) + 360) % 360) as number;
    return { box, turn: turn % 90 === 0 ? turn : 0, dict, resources: dict.get('Resources') ?? new Map() };
  }

  /** Layers that are switched off would be seen where nobody knows of the switch. */
  async #checkLayers(root: Dict): Promise<void> {
    const properties = await this.resolve(root.get('OCProperties'));
    const settings = isDict(properties) ? await this.resolve(properties.get('D')) : null;
    const off = isDict(settings) ? await this.#listOf(settings.get('OFF')) : [];
    if (off.length > 0) refuse('has hidden layers; save it without them');
  }

  async #boxOf(value: FileValue | undefined): Promise<Rect | null> {
    const list = await Promise.all((await this.#listOf(value)).map((each) => this.resolve(each)));
    const [a, b, c, d] = list.map(Number);
    if (![a, b, c, d].every(Number.isFinite)) return null;
    const [x, y] = [Math.min(a as number, c as number), Math.min(b as number, d as number)];
    const [width, height] = [Math.abs((c as number) - (a as number)), Math.abs((d as number) - (b as number))];
    return width > 0 && height > 0 && width <= 14_400 && height <= 14_400 ? { x, y, width, height } : null;
  }

  /** Whether the file says that it is a PDF/A (ISO 19005): its fonts are within it. */
  async isArchive(): Promise<boolean> {
    const root = await this.resolve(this.#trailer.get('Root'));
    const metadata = isDict(root) ? root.get('Metadata') : undefined;
    if (!isPdfReference(metadata)) return false;
    const packet = latin1Of(await this.decoded(await this.object(metadata.reference)));
    return /pdfaid:part(?:>|=["'])[1-4]/.test(packet);
  }
}

/** The size of a page as it is shown, px. */
export function pageSize({ box, turn }: PdfPage): { readonly width: number; readonly height: number } {
  const [width, height] = [box.width / POINTS_PER_PIXEL, box.height / POINTS_PER_PIXEL];
  return turn % 180 === 0 ? { width, height } : { width: height, height: width };
}

const numbersOf = (value: FileValue | undefined): readonly number[] =>
  Array.isArray(value) ? (value as readonly FileValue[]).map(Number) : [];

/** Undoes PNG's predictors (7.4.4.4). */
function unpredicted(bytes: Uint8Array, settings: Dict): Uint8Array {
  const number = (key: string, initial: number) => Number(settings.get(key) ?? initial);
  if (number('Predictor', 1) < 10) return refuse('has streams that are compressed in an old way; save it anew');
  const bits = number('Colors', 1) * number('BitsPerComponent', 8);
  const row = Math.ceil((bits * number('Columns', 1)) / 8);
  const before = Math.max(1, bits >> 3);
  if (!(row > 0 && row < 1e6)) damaged('a stream cannot be read');
  const rows = Math.floor(bytes.length / (row + 1));
  const out = new Uint8Array(rows * row);
  for (let y = 0; y < rows; y += 1) {
    const kind = bytes[y * (row + 1)] ?? 0;
    for (let x = 0; x < row; x += 1) {
      const at = y * row + x;
      const left = x >= before ? (out[at - before] ?? 0) : 0;
      const up = y > 0 ? (out[at - row] ?? 0) : 0;
      const corner = y > 0 && x >= before ? (out[at - row - before] ?? 0) : 0;
      out[at] = (bytes[y * (row + 1) + 1 + x] ?? 0) + predicted(kind, left, up, corner);
    }
  }
  return out;
}

function predicted(kind: number, left: number, up: number, corner: number): number {
  if (kind === 1) return left;
  if (kind === 2) return up;
  if (kind === 3) return (left + up) >> 1;
  if (kind !== 4) return 0;
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
