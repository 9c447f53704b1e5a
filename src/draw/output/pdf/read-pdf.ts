// Reads the objects of a PDF file that Platen wrote (ISO 32000-1, 7.5).
//
// It reads only what object-file.ts writes: of PNG's filters three, strings without parentheses in them.

import { promisify } from 'node:util';
import { inflate } from 'node:zlib';

/** Most bytes of one inflated stream; files from Platen have some hundred kilobytes at most. */
const MAX_INFLATED = 64 * 1024 * 1024;

const unpack = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);

/** An object as read from a file. */
export interface WrittenObject {
  /** Its value; for a stream, the dictionary. */
  readonly text: string;
  readonly stream: Uint8Array | null;
}

export interface ReadPdf {
  readonly objects: ReadonlyMap<number, WrittenObject>;
  /** The number of the catalogue. */
  readonly root: number;
  /** null = a file of PDF/A-4 has none. */
  readonly info: number | null;
}

/** @throws Error when the file was not written by Platen */
export async function readPdf(bytes: Buffer): Promise<ReadPdf> {
  const end = bytes.toString('latin1', Math.max(0, bytes.length - 64));
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(end)?.[1] ?? Number.NaN);
  if (!Number.isInteger(start)) throw foreign('it does not end as ours do');
  const table = objectAt(bytes, start);
  const places = await placesOf(table);
  const objects = new Map<number, WrittenObject>();
  const packed = new Map<number, Promise<readonly string[]>>();
  for (const [number, [kind, where = 0, index = 0]] of places.entries()) {
    if (kind === 1) {
      const object = objectAt(bytes, where);
      if (!/\/Type \/(XRef|ObjStm)\n/.test(object.text)) objects.set(number, object);
    } else if (kind === 2) {
      let texts = packed.get(where);
      if (!texts) {
        texts = unpackObjects(objectAt(bytes, places[where]?.[1] ?? Number.NaN));
        packed.set(where, texts);
      }
      const text = (await texts)[index];
      if (text === undefined) throw foreign(`object ${number} is missing`);
      objects.set(number, { text, stream: null });
    }
  }
  return { objects, root: referenceIn(table.text, 'Root'), info: findReference(table.text, 'Info') };
}

/** By object number: type, offset or object stream, index in that stream. */
async function placesOf(table: WrittenObject): Promise<(readonly number[])[]> {
  const widths = /\/W \[(\d) (\d) (\d)\]/.exec(table.text)?.slice(1).map(Number) ?? [];
  const width = widths.reduce((sum, one) => sum + one, 0);
  const rows = await contentOf(table);
  if (width === 0 || rows.length % width !== 0) throw foreign('its cross-references are damaged');
  return Array.from({ length: rows.length / width }, (_, row) => {
    let at = row * width;
    return widths.map((bytes) => {
      const value = bytes === 0 ? 0 : rows.readUIntBE(at, bytes);
      at += bytes;
      return value;
    });
  });
}

/** Rows that are written by what differs from what is before or above (7.4.4.4). @param step of what is before */
function summed(bytes: Buffer, row: number, step: number): Buffer {
  const rows = Buffer.alloc(Math.floor(bytes.length / (row + 1)) * row);
  for (let at = 0; at < rows.length; at += 1) {
    const [line, column] = [Math.floor(at / row), at % row];
    const filter = bytes[line * (row + 1)];
    const before = filter === 2 ? at - row : filter === 1 && column >= step ? at - step : -1;
    rows[at] = (bytes[at + line + 1] ?? 0) + (rows[before] ?? 0);
  }
  return rows;
}

/** The objects of an object stream (7.5.7), in order. */
async function unpackObjects(stream: WrittenObject): Promise<readonly string[]> {
  const first = numberIn(stream.text, 'First');
  const text = (await contentOf(stream)).toString('latin1');
  const index = text.slice(0, first).trim().split(/\s+/).map(Number);
  const offsets = index.filter((_, i) => i % 2 === 1);
  return offsets.map((offset, i) => text.slice(first + offset, first + (offsets[i + 1] ?? text.length)).trimEnd());
}

/** The bytes of an object's stream, inflated. */
export async function contentOf({ text, stream }: WrittenObject): Promise<Buffer> {
  if (!stream) throw foreign('a stream is missing');
  if (!text.includes('/Filter /FlateDecode')) return Buffer.from(stream);
  const bytes = await unpack(Buffer.from(stream), { maxOutputLength: MAX_INFLATED });
  if (!/\/Predictor 1[25]\n/.test(text)) return bytes;
  const colors = text.includes('/Colors ') ? numberIn(text, 'Colors') : 1;
  return summed(bytes, colors * numberIn(text, 'Columns'), colors);
}

function objectAt(bytes: Buffer, offset: number): WrittenObject {
  const begin = bytes.indexOf(' obj\n', offset) + 5;
  if (!Number.isInteger(offset) || begin < 5 || begin > offset + 20) throw foreign(`there is no object at ${offset}`);
  const streamAt = bytes.indexOf('\nstream\n', begin);
  const endAt = bytes.indexOf('\nendobj\n', begin);
  if (streamAt < 0 || (endAt >= 0 && endAt < streamAt)) {
    if (endAt < 0) throw foreign(`the object at ${offset} has no end`);
    return { text: bytes.toString('latin1', begin, endAt), stream: null };
  }
  const text = bytes.toString('latin1', begin, streamAt);
  const from = streamAt + 8;
  return { text, stream: bytes.subarray(from, from + numberIn(text, 'Length')) };
}

/** The number of a key in an object's text. @throws Error without it */
export function numberIn(text: string, key: string): number {
  const value = new RegExp(`/${key} (-?[\\d.]+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw foreign(`${key} is missing`);
  return Number(value);
}

/** The object to which a key refers. @throws Error without it */
export function referenceIn(text: string, key: string): number {
  const value = findReference(text, key);
  if (value === null) throw foreign(`${key} is missing`);
  return value;
}

export function findReference(text: string, key: string): number | null {
  const value = new RegExp(`/${key} \\[?(\\d+) 0 R`).exec(text)?.[1];
  return value === undefined ? null : Number(value);
}

/** Strings are matched so that they are skipped: `(5 0 R)` is a string, not a reference. */
const STRING_OR_REFERENCE = /\([^()]*\)|<[0-9a-f]*>|\b(\d+) 0 R\b/g;

export const renumbered = (text: string, numberOf: (old: number) => number) =>
  text.replace(STRING_OR_REFERENCE, (whole, old?: string) =>
    old === undefined ? whole : `${numberOf(Number(old))} 0 R`,
  );

/** The same for the structure, whose references stay below each other. */
export const renumberedInRows = (text: string, numberOf: (old: number) => number) =>
  text.replace(/\([^()]*\)|<[0-9a-f]*>|( {0,5})\b(\d{1,10}) 0 R\b/g, (whole, spaces: string, old?: string) => {
    if (old === undefined) return whole;
    const width = spaces.length === 0 ? 0 : spaces.length + old.length - 1;
    return `${spaces.slice(0, 1)}${String(numberOf(Number(old))).padStart(width)} 0 R`;
  });

/** The objects to which a text refers, each once. */
export function objectReferencesIn(text: string): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const [, number] of text.matchAll(STRING_OR_REFERENCE)) if (number !== undefined) numbers.add(Number(number));
  return numbers;
}

export const foreign = (problem: string) => new Error(`This PDF was not written by Platen: ${problem}.`);
