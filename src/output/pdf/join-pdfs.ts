// Joins PDF files that Platen wrote into one, page after page (ISO 32000-1, 7.5).
//
// It reads only what object-file.ts writes: cross-reference and object streams without predictors, strings without
// parentheses in them. Objects keep their text and get new numbers; the catalogue and page tree of each file are
// replaced by one of the whole.

import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';

const HEADER = Buffer.from('%PDF-1.7\n%\xff\xff\xff\xff\n', 'latin1');
/** Most bytes of one inflated object stream; files from Platen have some hundred kilobytes at most. */
const MAX_INFLATED = 64 * 1024 * 1024;

const unpack = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);

/** An object as read from a file. */
interface FileObject {
  /** Its value; for a stream, the dictionary. */
  readonly text: string;
  readonly stream: Uint8Array | null;
}

interface ReadFile {
  readonly objects: ReadonlyMap<number, FileObject>;
  /** The number of the catalogue. */
  readonly root: number;
  readonly info: number;
}

/**
 * Yields the joined file piece by piece: one of the input files is in memory at a time.
 *
 * @param read called one after the other
 * @throws Error when a file was not written by Platen
 */
export async function* joinPdfs(read: readonly (() => Promise<Uint8Array>)[]): AsyncGenerator<Uint8Array> {
  yield HEADER;
  const offsets: number[] = [];
  const kids: number[] = [];
  let length = HEADER.length;
  const object = (number: number, text: string, stream: Uint8Array | null = null): readonly Uint8Array[] => {
    offsets[number] = length;
    const head = Buffer.from(`${number} 0 obj\n${text}\n${stream ? 'stream\n' : 'endobj\n'}`, 'latin1');
    const pieces = stream ? [head, ...inPieces(stream), Buffer.from('\nendstream\nendobj\n')] : [head];
    for (const piece of pieces) length += piece.length;
    return pieces;
  };

  const [catalogue, pages] = [1, 2];
  let last = 2;
  for (const next of read) {
    // Each file takes milliseconds, so the event loop gets a turn between files.
    await setImmediate();
    const { objects, root, info } = await readFile(Buffer.from(await next()));
    const base = last;
    const tree = referenceIn(objects.get(root)?.text ?? '', 'Pages');
    const left = new Set([root, info, tree]);
    for (const [number, { text, stream }] of objects) {
      last = Math.max(last, base + number);
      if (left.has(number)) continue;
      const isPage = /\/Type \/Page\n/.test(text);
      if (isPage) kids.push(base + number);
      // References to a file's page tree (the parent of a page) are changed to the common one.
      yield* object(
        base + number,
        renumbered(text, (old) => (old === tree ? pages : base + old)),
        stream,
      );
    }
  }
  yield* object(
    pages,
    `<<\n/Type /Pages\n/Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}]\n/Count ${kids.length}\n>>`,
  );
  yield* object(catalogue, `<<\n/Type /Catalog\n/Pages ${pages} 0 R\n>>`);
  yield Buffer.from(tableOf(offsets, last, length, catalogue), 'latin1');
}

/** Bytes that are yielded at a time: what is written to a client waits as a whole until it is read. */
const PIECE = 64 * 1024;

function inPieces(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, index) =>
    bytes.subarray(index * PIECE, (index + 1) * PIECE),
  );
}

/** The cross-reference table (7.5.4): twenty bytes per object. */
function tableOf(offsets: readonly number[], last: number, start: number, root: number): string {
  let rows = '0000000000 65535 f \n';
  for (let number = 1; number <= last; number += 1) {
    const offset = offsets[number];
    rows += offset === undefined ? '0000000000 00000 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`;
  }
  return `xref\n0 ${last + 1}\n${rows}trailer\n<<\n/Size ${last + 1}\n/Root ${root} 0 R\n>>\nstartxref\n${start}\n%%EOF\n`;
}

/** Strings are matched so that they are skipped: `(5 0 R)` is a string, not a reference. */
const STRING_OR_REFERENCE = /\([^()]*\)|<[0-9a-f]*>|\b(\d+) 0 R\b/g;

const renumbered = (text: string, numberOf: (old: number) => number) =>
  text.replace(STRING_OR_REFERENCE, (whole, old?: string) =>
    old === undefined ? whole : `${numberOf(Number(old))} 0 R`,
  );

async function readFile(bytes: Buffer): Promise<ReadFile> {
  const end = bytes.toString('latin1', Math.max(0, bytes.length - 64));
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(end)?.[1] ?? Number.NaN);
  if (!Number.isInteger(start)) throw foreign('it does not end as ours do');
  const table = objectAt(bytes, start);
  const places = await placesOf(table);
  const objects = new Map<number, FileObject>();
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
  return { objects, root: referenceIn(table.text, 'Root'), info: referenceIn(table.text, 'Info') };
}

/** By object number: type, offset or object stream, index in that stream. */
async function placesOf(table: FileObject): Promise<(readonly number[])[]> {
  const widths = /\/W \[(\d) (\d) (\d)\]/.exec(table.text)?.slice(1).map(Number) ?? [];
  const rows = await contentOf(table);
  const width = widths.reduce((sum, one) => sum + one, 0);
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

/** The objects of an object stream (7.5.7), in order. */
async function unpackObjects(stream: FileObject): Promise<readonly string[]> {
  const first = numberIn(stream.text, 'First');
  const text = (await contentOf(stream)).toString('latin1');
  const index = text.slice(0, first).trim().split(/\s+/).map(Number);
  const offsets = index.filter((_, i) => i % 2 === 1);
  return offsets.map((offset, i) => text.slice(first + offset, first + (offsets[i + 1] ?? text.length)).trimEnd());
}

async function contentOf({ text, stream }: FileObject): Promise<Buffer> {
  if (!stream) throw foreign('a stream is missing');
  return text.includes('/Filter /FlateDecode')
    ? unpack(Buffer.from(stream), { maxOutputLength: MAX_INFLATED })
    : Buffer.from(stream);
}

function objectAt(bytes: Buffer, offset: number): FileObject {
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

function numberIn(text: string, key: string): number {
  const value = new RegExp(`/${key} (\\d+)\\b(?! 0 R)`).exec(text)?.[1];
  if (value === undefined) throw foreign(`${key} is missing`);
  return Number(value);
}

function referenceIn(text: string, key: string): number {
  const value = new RegExp(`/${key} (\\d+) 0 R`).exec(text)?.[1];
  if (value === undefined) throw foreign(`${key} is missing`);
  return Number(value);
}

const foreign = (problem: string) => new Error(`This PDF was not written by Platen: ${problem}.`);
