// Takes a page of a PDF file from outside into a document as a form XObject (ISO 32000-1, 8.10): its fonts, vectors and
// pictures stay as they are.
//
// Everything is read before anything is drawn; what the page refers to is copied, and nothing that acts: no annotations,
// scripts or structure.

import { AppError } from '#base/errors.ts';
import { latin1Of } from '#base/runtime.ts';
import type { Matrix } from '#core/geometry.ts';
import type { ImageResource } from '#core/resources.ts';
import { deflate } from '#draw/encoders/deflate.ts';
import {
  type Dict,
  type FileObject,
  type FileValue,
  isDict,
  isPdfReference,
  type Name,
  nameIn,
  PdfFile,
  type PdfPage,
} from '#draw/images/pdf-file.ts';
import type { Resource } from './content-stream.ts';
import type { PdfDocument } from './document.ts';
import { objectText, type PdfReference } from './object.ts';
import { num } from './syntax.ts';

/** A page with all objects that it refers to, by their numbers in its file. */
export interface EncodedPaper {
  readonly objects: ReadonlyMap<number, FileObject>;
  readonly content: FileObject;
  readonly page: PdfPage;
  readonly isArchive: boolean;
}

/** Most objects of a page, and bytes of their streams. */
const MAX_OBJECTS = 20_000;
/** Entries that lead away from what is drawn. */
const LEFT_OUT = new Set([
  'Parent',
  'StructParent',
  'StructParents',
  'Metadata',
  'PieceInfo',
  'Pg',
  'Annots',
  'Alternates',
  'OPI',
]);

/** @throws AppError `invalid_request` for a page that cannot be taken */
export async function readPaper({ bytes, page: number = 1 }: ImageResource): Promise<EncodedPaper> {
  const file = await PdfFile.open(bytes);
  const page = await file.page(number);
  const content = await unmarked(file, await contentOf(file, page.dict));
  const objects = new Map<number, FileObject>();
  const todo: FileValue[] = [page.resources, page.dict.get('Group') ?? null, content.value];
  for (let value = todo.pop(); value !== undefined; value = todo.pop()) {
    for (const found of referencesIn(value)) {
      if (objects.has(found)) continue;
      const read = await file.object(found);
      const isForm = isDict(read.value) && nameIn(read.value.get('Subtype')) === 'Form';
      const object = isForm ? await unmarked(file, read) : read;
      objects.set(found, object);
      if (objects.size > MAX_OBJECTS)
        throw new AppError('invalid_request', 'The PDF file has too many objects on a page.');
      todo.push(object.value);
    }
  }
  return { objects, content, page, isArchive: await file.isArchive() };
}

/** One stream as it is in the file; several are joined (7.8.2). */
async function contentOf(file: PdfFile, page: Dict): Promise<FileObject> {
  const contents = page.get('Contents') ?? null;
  const parts = Array.isArray(contents) ? contents : [contents];
  const resolved = await file.resolve(contents);
  const list = Array.isArray(resolved) ? resolved : parts;
  const streams = await Promise.all(
    list.filter((each) => isPdfReference(each)).map((each) => file.object(each.reference)),
  );
  const [only] = streams;
  if (only && streams.length === 1) return only;
  const decoded: Uint8Array[] = [];
  for (const stream of streams) decoded.push(await file.decoded(stream), Uint8Array.of(10));
  const joined = new Uint8Array(decoded.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of decoded) {
    joined.set(part, at);
    at += part.length;
  }
  return { value: new Map(), stream: joined };
}

/**
 * Content without what marks it as parts of a structure or as artifacts (14.6), which the paper is not a part of: within
 * what it is here, a picture or an artifact itself, PDF/UA allows neither (ISO 14289-1, 7.1).
 */
async function unmarked(file: PdfFile, object: FileObject): Promise<FileObject> {
  // What is compressed in a way that is not read here is taken as it is.
  const text = latin1Of(await file.decoded(object).catch(() => new Uint8Array()));
  if (!/\b(BMC|BDC|DP|MP)\b/.test(text)) return object;
  const stream = deflate(withoutMarks(text));
  const dict = isDict(object.value) ? [...object.value] : [];
  const others = dict.filter(([key]) => key !== 'Filter' && key !== 'DecodeParms');
  return { value: new Map<string, FileValue>([...others, ['Filter', { name: 'FlateDecode' }]]), stream };
}

/** Strings, which may have strings in them only if these are escaped here, and whatever else there is in content. */
const TOKEN =
  /\\[\s\S]|\((?:[^()\\]|\\[\s\S])*\)|<<|>>|<[^<>]*>|\/[^\s()<>[\]{}/%]*|%[^\n\r]*|[[\]{}]|[^\s()<>[\]{}/%]+|[()]/g;

function withoutMarks(text: string): string {
  const kept: string[] = [];
  /** Of each part that is open, whether what begins it was left out. */
  const open: boolean[] = [];
  const tokens = new RegExp(TOKEN);
  let [from, first, nested, depth] = [0, -1, 0, 0];
  for (let found = tokens.exec(text); found; found = tokens.exec(text)) {
    const [token] = found;
    // Strings with balanced brackets in them (7.3.4.2).
    if (token === '(') depth += 1;
    else if (token === ')') depth = Math.max(0, depth - 1);
    if (depth > 0 || token === ')') continue;
    if (token === '<<' || token === '[') nested += 1;
    if (token === '>>' || token === ']') nested -= 1;
    if (first < 0) first = found.index;
    if (nested > 0 || !/^[A-Za-z'"][\w*'"]*$/.test(token) || /^(true|false|null)$/.test(token)) continue;
    const end = found.index + token.length;
    let isLeftOut = token === 'MP' || token === 'DP';
    if (token === 'ID') {
      // The data of an inline image (8.9.7).
      const after = /\sEI(?=[\s]|$)/g;
      after.lastIndex = end;
      tokens.lastIndex = after.exec(text) ? after.lastIndex : text.length;
    } else if (token === 'BMC' || token === 'BDC') {
      const operands = text.slice(first, found.index);
      isLeftOut = /^\/Artifact\b|\/MCID\b/.test(operands) || !operands.includes('<<');
      open.push(isLeftOut);
    } else if (token === 'EMC') isLeftOut = open.pop() ?? true;
    if (isLeftOut) {
      kept.push(text.slice(from, first));
      from = end;
    }
    first = -1;
  }
  return kept.join('') + text.slice(from);
}

function* referencesIn(value: FileValue): Generator<number> {
  if (isPdfReference(value)) yield value.reference;
  else if (isDict(value)) {
    for (const [key, each] of value) if (!LEFT_OUT.has(key) && key !== 'Length') yield* referencesIn(each);
  } else if (Array.isArray(value)) for (const each of value as readonly FileValue[]) yield* referencesIn(each);
}

/** A page as a resource, in its own coordinates; it is in the file once. */
export function paperResource(document: PdfDocument, paper: EncodedPaper): Resource {
  return document.resource('XObject', paper, () => {
    const copies = new Map([...paper.objects.keys()].map((number) => [number, document.reserve()] as const));
    for (const [number, { value, stream }] of paper.objects) {
      document.copy(copies.get(number) as PdfReference, textOf(value, copies, stream), stream);
    }
    const { content, page } = paper;
    const { x, y, width, height } = page.box;
    const form = new Map<string, FileValue>([
      ['Type', { name: 'XObject' }],
      ['Subtype', { name: 'Form' }],
      ['BBox', [x, y, x + width, y + height]],
      ['Resources', page.resources],
      ...[page.dict].flatMap((dict) => (dict.has('Group') ? [['Group', dict.get('Group') as FileValue] as const] : [])),
      ...(isDict(content.value) ? [...content.value].filter(([key]) => /^(Filter|DecodeParms)$/.test(key)) : []),
    ]);
    const reference = document.reserve();
    const stream = content.stream ?? new Uint8Array();
    document.copy(reference, textOf(form, copies, stream), stream);
    return reference;
  });
}

/** From the page to a unit square, turned as readers show it. */
export function sheetMatrix({ box: { x, y, width: w, height: h }, turn }: PdfPage): Matrix {
  if (turn === 90) return [0, -1 / w, 1 / h, 0, -y / h, 1 + x / w];
  if (turn === 180) return [-1 / w, 0, 0, -1 / h, 1 + x / w, 1 + y / h];
  if (turn === 270) return [0, 1 / w, -1 / h, 0, 1 + y / h, -x / w];
  return [1 / w, 0, 0, 1 / h, -x / w, -y / h];
}

/** A value as text, with the numbers that its objects have in the document. */
function textOf(value: FileValue, copies: ReadonlyMap<number, PdfReference>, stream: Uint8Array | null): string {
  if (isPdfReference(value)) return objectText(copies.get(value.reference) ?? []);
  if (isDict(value)) {
    let text = '<<\n';
    for (const [key, each] of value) {
      if (LEFT_OUT.has(key) || (key === 'Length' && stream)) continue;
      text += `/${nameOf(key)} ${textOf(each, copies, null)}\n`;
    }
    return `${text}${stream ? `/Length ${stream.length}\n` : ''}>>`;
  }
  if (Array.isArray(value))
    return `[${(value as readonly FileValue[]).map((each) => textOf(each, copies, null)).join(' ')}]`;
  if (value instanceof Uint8Array) return objectText(value);
  if (typeof value === 'number') return num(value, 6);
  const name = nameIn(value);
  return name === null ? String(value) : `/${nameOf(name)}`;
}

/** A name with what has to be escaped (7.3.5). */
const nameOf = (name: Name['name']): string =>
  name.replace(/[^!-~]|[#()<>[\]{}/%]/g, (letter) => `#${letter.charCodeAt(0).toString(16).padStart(2, '0')}`);
