// Joins PDF files that Platen wrote into one, page after page (ISO 32000-1, 7.5).
//
// The joined file is written as it is made, and one of the input files is in memory at a time. What several files have is
// written once: fonts with the glyphs of all of them, pictures and everything else that is the same in every byte. Objects
// keep their text and get new numbers; catalogue, page tree, outline and destinations are made anew. The name of a
// destination begins with the number of its file, because each file has the same names.

import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '#base/errors.ts';
import { bytesOfLatin1 } from '#base/runtime.ts';
import type { Size } from '#core/geometry.ts';
import type { PageNumbers } from '#core/template/document-properties.ts';
import type { LabelSheet } from '#design/label-sheet.ts';
import { type JoinedFont, JoinedFonts } from './joined-fonts.ts';
import { type PageForm, type PlacedPage, SheetPages } from './label-sheets.ts';
import type { Dictionary, PdfReference, PdfValue } from './object.ts';
import { ObjectFile, ROWS } from './object-file.ts';
import { type OutlineEntry, writeOutline } from './outline.ts';
import { PageTree } from './page-tree.ts';
import {
  contentOf,
  findReference,
  foreign,
  numberIn,
  objectReferencesIn,
  type ReadPdf,
  readPdf,
  referenceIn,
  renumbered,
  renumberedInRows,
  type WrittenObject,
} from './read-pdf.ts';
import { NumberTree } from './structure.ts';
import { num } from './syntax.ts';

export interface FileToJoin {
  /** Called once, when the files before it are joined. */
  readonly read: () => Promise<Uint8Array>;
  /** What the outline calls it; its own headings are below. */
  readonly title: string;
}

/** Bytes that are yielded at a time: what is written to a client waits as a whole until it is read. */
const PIECE = 64 * 1024;
/** Most objects that are remembered, to write equal ones once. */
const MOST_REMEMBERED = 50_000;

/**
 * Yields the joined file piece by piece. Its properties (title, author, language, viewer) are those of the first file.
 *
 * @param sheet puts each page into a cell; null = pages stay as they are
 * @throws Error when a file was not written by Platen
 */
export async function* joinPdfs(
  files: readonly FileToJoin[],
  sheet: LabelSheet | null = null,
): AsyncGenerator<Uint8Array> {
  const joined = new JoinedFile(sheet);
  const digits = String(files.length).length;
  for (const [index, file] of files.entries()) {
    // Each file takes milliseconds, so the event loop gets a turn between files.
    await setImmediate();
    const part = String(index + 1).padStart(digits, '0');
    await joined.add(await readPdf(Buffer.from(await file.read())), file.title, part);
    yield* inPieces(joined.file.take());
  }
  yield* inPieces([joined.finish()]);
}

/** The pages of a file. @throws Error when it was not written by Platen */
export async function countPages(bytes: Uint8Array): Promise<number> {
  const { objects, root } = await readPdf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  const { text } = objectOf(objects, referenceIn(objectOf(objects, root).text, 'Pages'));
  return numberIn(text, 'Count');
}

/** The numbers of the pages of files of these lengths over all of them. */
export function numbersOver(counts: readonly number[]): readonly PageNumbers[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let last = 0;
  return counts.map((count) => {
    last += count;
    return { first: last - count + 1, last, total };
  });
}

function* inPieces(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const part of parts) for (let at = 0; at < part.length; at += PIECE) yield part.subarray(at, at + PIECE);
}

class JoinedFile {
  readonly file = new ObjectFile();
  readonly #pages = new PageTree(this.file);
  readonly #fonts = new JoinedFonts(this.file);
  readonly #outline: OutlineEntry[] = [];
  readonly #destinations = new NameTree(this.file);
  /** By the digest of an object, with the references that it has in the joined file. */
  readonly #known = new Map<string, PdfReference>();
  readonly #sheets: SheetPages | null;
  readonly #structure = new JoinedStructure(this.file);
  /** The entries of the catalogue that say what the file conforms to. */
  #conforming = '';
  #properties: { readonly catalogue: string; readonly info: string } | null = null;

  constructor(sheet: LabelSheet | null) {
    this.#sheets = sheet && new SheetPages(this.file, this.#pages, sheet);
  }

  /** @param part its number, as many digits as every file's, so that the names of destinations are in their order */
  async add(file: ReadPdf, title: string, part: string): Promise<void> {
    const { objects, root, info } = file;
    const catalogue = objects.get(root)?.text ?? '';
    const isFirst = this.#properties === null;
    this.#properties ??= { catalogue, info: objects.get(info ?? 0)?.text ?? '<<\n>>' };
    const fonts = await this.#fontsOf(file);
    // A sheet of labels shows pages as pictures: they have no structure of their own.
    const copier = new Copier(this.file, file, fonts, this.#known, part, this.#sheets ? null : this.#structure.nextKey);
    const pages = new Map<number, PlacedPage>();
    for (const number of pagesOf(objects, referenceIn(catalogue, 'Pages'))) {
      const { text } = objectOf(objects, number);
      const placed = this.#sheets
        ? this.#sheets.add(await copier.form(text))
        : { page: await this.#addPage(text, copier), y: 0, scale: 1 };
      if (pages.size === 0) {
        const top = topOn(placed, sizeOf(text).height);
        this.#outline.push({ level: 1, text: title, page: placed.page, top });
      }
      pages.set(number, placed);
    }
    await this.#conform(file, catalogue, copier, isFirst);
    if (!this.#sheets) this.#structure.add(file, (number) => pages.get(number)?.page ?? copier.copyOf(number));
    const outlines = findReference(catalogue, 'Outlines');
    if (outlines !== null) this.#outline.push(...headingsOf(objects, outlines, 2, pages));
    const destinations = findReference(catalogue, 'Dests');
    if (destinations === null) return;
    for (const { name, page, top } of destinationsOf(objectOf(objects, destinations).text, pages)) {
      this.#destinations.add(nameInPart(part, name), [page, 'FitH', top]);
    }
  }

  /**
   * Keeps what all files conform to.
   *
   * @throws AppError `invalid_request` where the joined file could not conform, or would lose what is attached
   */
  async #conform({ objects, info }: ReadPdf, catalogue: string, copier: Copier, isFirst: boolean): Promise<void> {
    const entries = ['Metadata', 'OutputIntents'].map(
      (key) => new RegExp(`^/${key} .*\\n`, 'm').exec(catalogue)?.[0] ?? '',
    );
    const structure = objects.get(findReference(catalogue, 'StructTreeRoot') ?? 0)?.text ?? '';
    const problem = /^\/AF \[/m.test(catalogue)
      ? 'pdf.invoice and pdf.attachments belong to one file'
      : info === null || structure.includes('/Namespaces ')
        ? 'A-4, A-4f and UA-2 are for single files'
        : this.#sheets && entries[0] !== ''
          ? 'sheets of labels conform to no level of pdf.conforms'
          : null;
    if (problem) throw new AppError('invalid_request', `${problem}; leave it out, or do not merge the files.`);
    if (isFirst && entries.join('') !== '') {
      const text = entries.join('');
      const references = await copier.copyAll(objectReferencesIn(text));
      this.#conforming = renumbered(text, (old) => numberOf(references, old));
    } else if (entries[0] === '' && this.#conforming.includes('/Metadata')) this.#conforming = '';
  }

  async #addPage(text: string, copier: Copier): Promise<PdfReference> {
    const parent = referenceIn(text, 'Parent');
    const references = await copier.copyAll(objectReferencesIn(text), new Set([parent]));
    const page = this.file.reserve();
    this.#pages.add((node) => {
      const copied = renumbered(text, (old) => (old === parent ? node.number : numberOf(references, old)));
      this.file.copy(page, copier.keyed(copied), null);
      return page;
    });
    return page;
  }

  finish(): Uint8Array {
    const { file } = this;
    this.#sheets?.finish();
    this.#fonts.finish();
    const outline = writeOutline(file, this.#outline);
    const destinations = this.#destinations.finish();
    const catalogue = file.reserve();
    const { catalogue: own, info: information } = this.#properties ?? { catalogue: '', info: '<<\n>>' };
    const pages = this.#pages.finish();
    const kept = entriesOf(own, ['Lang', 'PageLabels', 'ViewerPreferences']);
    const structure = this.#structure.finish();
    const tagged = structure ? `/MarkInfo <<\n/Marked true\n>>\n/StructTreeRoot ${structure.number} 0 R\n` : '';
    const names = destinations ? `/Names <<\n/Dests ${destinations.number} 0 R\n>>\n` : '';
    const text = `<<\n/Type /Catalog\n/Pages ${pages.number} 0 R\n/Outlines ${outline.number} 0 R\n/PageMode /UseOutlines\n${tagged}${this.#conforming}${names}${kept}>>`;
    file.copy(catalogue, text, null);
    const info = file.reserve();
    file.copy(info, information, null);
    return file.finish(catalogue, info);
  }

  /** The fonts of a file by their numbers in it. */
  async #fontsOf(file: ReadPdf): Promise<ReadonlyMap<number, JoinedFont>> {
    const fonts = new Map<number, JoinedFont>();
    for (const [number, object] of file.objects) {
      if (/\/Subtype \/Type0\n/.test(object.text)) fonts.set(number, await this.#fonts.add(file, object));
    }
    return fonts;
  }
}

/** Copies objects of one file, each once, what they refer to first. */
class Copier {
  readonly #to: ObjectFile;
  readonly #file: ReadPdf;
  readonly #fonts: ReadonlyMap<number, JoinedFont>;
  readonly #known: Map<string, PdfReference>;
  readonly #part: string;
  readonly #firstKey: number | null;
  readonly #copies = new Map<number, PdfReference>();
  /** The fonts whose codes change, by their names in content streams. */
  readonly #changed: ReadonlyMap<string, JoinedFont>;

  /**
   * @param part the number of the file, for the names of its destinations
   * @param firstKey of its streams and links in the parent tree of the structure; null = there is none
   */
  constructor(
    to: ObjectFile,
    file: ReadPdf,
    fonts: ReadonlyMap<number, JoinedFont>,
    known: Map<string, PdfReference>,
    part: string,
    firstKey: number | null,
  ) {
    this.#to = to;
    this.#firstKey = firstKey;
    this.#file = file;
    this.#fonts = fonts;
    this.#known = known;
    this.#part = part;
    this.#changed = fontNames(file, fonts);
  }

  /** @returns the copies by the numbers of the originals */
  async copyAll(
    numbers: Iterable<number>,
    except: ReadonlySet<number> = new Set(),
  ): Promise<ReadonlyMap<number, PdfReference>> {
    const copies = new Map<number, PdfReference>();
    for (const number of numbers) if (!except.has(number)) copies.set(number, await this.#copy(number));
    return copies;
  }

  /** A page as a form XObject (8.10), which other pages can show. */
  async form(page: string): Promise<PageForm> {
    const content = objectOf(this.#file.objects, referenceIn(page, 'Contents'));
    const { text, stream } = await this.#recoded(content);
    const entries = `/Resources ${entryOf(page, 'Resources')}\n/Group ${entryOf(page, 'Group')}\n`;
    const references = await this.copyAll(objectReferencesIn(entries));
    const size = sizeOf(page);
    const own = renumbered(entries, (old) => numberOf(references, old));
    const head = `<<\n/Type /XObject\n/Subtype /Form\n/BBox [0 0 ${num(size.width)} ${num(size.height)}]\n${own}`;
    const annotations = [...objectReferencesIn(/\/Annots \[[^[\]]*\]/.exec(page)?.[0] ?? '')];
    return {
      form: this.#write(head + text.slice('<<\n'.length), stream),
      ...size,
      annotations: annotations.map((number) => this.#linked(objectOf(this.#file.objects, number).text)),
    };
  }

  async #copy(number: number): Promise<PdfReference> {
    const done = this.#fonts.get(number)?.reference ?? this.#copies.get(number);
    if (done) return done;
    const object = objectOf(this.#file.objects, number);
    const references = await this.copyAll(objectReferencesIn(object.text));
    const { text, stream } = await this.#recoded(object);
    const renamed = renumbered(text, (old) => numberOf(references, old));
    const copy = this.#write(this.#linked(renamed), stream);
    this.#copies.set(number, copy);
    return copy;
  }

  /** The copy of an object, if it was copied. */
  copyOf(number: number): PdfReference | undefined {
    return this.#copies.get(number);
  }

  /** With the keys of the joined file's parent tree. */
  keyed(text: string): string {
    return text.replace(/^\/(StructParents?) (\d+)\n/gm, (_, name: string, key: string) =>
      this.#firstKey === null ? '' : `/${name} ${this.#firstKey + Number(key)}\n`,
    );
  }

  /** A link to a place in its file, to the place's name in the joined file; other objects as they are. */
  #linked(own: string): string {
    const text = this.keyed(own);
    if (!isAnnotation(text)) return text;
    return text.replace(/^\/Dest \/(.*)$/m, (_, name: string) => `/Dest (${nameInPart(this.#part, name)})`);
  }

  #write(text: string, stream: Uint8Array | string | null): PdfReference {
    // An annotation belongs to one page (12.5.2).
    const isShared = !isAnnotation(text);
    const digest = createHash('sha256').update(text, 'latin1').update('\n');
    const key = (stream === null ? digest : digest.update(stream)).digest('base64');
    const known = isShared ? this.#known.get(key) : undefined;
    if (known) return known;
    const copy = this.#to.reserve();
    if (typeof stream === 'string') this.#to.writeText(copy, text, stream);
    else this.#to.copy(copy, text, stream);
    if (this.#known.size < MOST_REMEMBERED) this.#known.set(key, copy);
    return copy;
  }

  /** A content stream with the codes of the joined fonts, not deflated; other objects as they are. */
  async #recoded(
    object: WrittenObject,
  ): Promise<{ readonly text: string; readonly stream: Uint8Array | string | null }> {
    if (this.#changed.size === 0 || !isContent(object)) return object;
    const content = (await contentOf(object)).toString('latin1');
    const stream = recode(content, this.#changed);
    if (stream === content) return object;
    return { text: object.text.replace(/^\/(?:Filter|Length) .*\n/gm, ''), stream };
  }
}

/** Whether its stream may show text: the content of a page, which has no entries of its own, a form or a tile. */
const isContent = ({ text, stream }: WrittenObject): boolean =>
  stream !== null &&
  (!text.includes('/Type /') || text.includes('/Subtype /Form\n') || text.includes('/PatternType 1\n')) &&
  !/\/(?:Function|Shading)Type /.test(text);

/** A resource name has one meaning in a whole file. */
function fontNames({ objects }: ReadPdf, fonts: ReadonlyMap<number, JoinedFont>): ReadonlyMap<string, JoinedFont> {
  const names = new Map<string, JoinedFont>();
  for (const { text } of objects.values()) {
    for (const [, name = '', number] of text.matchAll(/\/(F\d+) (\d+) 0 R\n/g)) {
      const font = fonts.get(Number(number));
      if (font && !font.isSame) names.set(name, font);
    }
  }
  return names;
}

const OPERATORS = /^\/(F\d+) [\d.]+ Tf$|<([0-9a-f]*)> Tj$|\[([^[\]]*)\] TJ$|^([qQ])$/gm;

/** Changes the codes of what is shown (9.4.3); the font is part of the graphics state (8.4.2). */
function recode(content: string, fonts: ReadonlyMap<string, JoinedFont>): string {
  let font: JoinedFont | undefined;
  const saved: (JoinedFont | undefined)[] = [];
  const show = (codes: string) =>
    font
      ? codes.replace(/[0-9a-f]{4}/g, (code) =>
          (font?.codes[Number.parseInt(code, 16)] ?? 0).toString(16).padStart(4, '0'),
        )
      : codes;
  return content.replace(OPERATORS, (whole, name?: string, one?: string, several?: string, state?: string) => {
    if (name !== undefined) font = fonts.get(name);
    else if (state === 'q') saved.push(font);
    else if (state === 'Q') font = saved.pop();
    else if (one !== undefined) return `<${show(one)}> Tj`;
    else if (several !== undefined)
      return `[${several.replace(/<([0-9a-f]*)>/g, (_, codes: string) => `<${show(codes)}>`)}] TJ`;
    return whole;
  });
}

function objectOf(objects: ReadPdf['objects'], number: number): WrittenObject {
  const object = objects.get(number);
  if (!object) throw foreign(`object ${number} is missing`);
  return object;
}

function numberOf(references: ReadonlyMap<number, PdfReference>, old: number): number {
  const copy = references.get(old);
  if (!copy) throw foreign(`object ${old} is missing`);
  return copy.number;
}

const isAnnotation = (text: string): boolean => text.includes('/Type /Annot\n');

/** What joined pages call a destination that their file calls `name`. */
const nameInPart = (part: string, name: string): string => `${part}.${name}`;

/** A height on a page of a file, on the joined page. Points from the bottom. */
const topOn = ({ y, scale }: PlacedPage, top: number): number => y + top * scale;

/** Of a page, points. */
function sizeOf(page: string): Size {
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(page) ?? [];
  if (width === undefined || height === undefined) throw foreign('a page has no size');
  return { width: Number(width), height: Number(height) };
}

/** The text of a dictionary within a dictionary, which holds no strings. */
function entryOf(text: string, key: string): string {
  const start = text.indexOf(`/${key} <<`) + key.length + 2;
  if (start < key.length + 2) throw foreign(`${key} is missing`);
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const two = text.slice(at, at + 2);
    if (two !== '<<' && two !== '>>') continue;
    depth += two === '<<' ? 1 : -1;
    at += 1;
    if (depth === 0) return text.slice(start, at + 1);
  }
  throw foreign(`${key} has no end`);
}

/** The numbers of the pages in their order. */
function* pagesOf(objects: ReadPdf['objects'], node: number): Generator<number> {
  const { text } = objectOf(objects, node);
  if (/\/Type \/Page\n/.test(text)) yield node;
  else for (const kid of objectReferencesIn(/\/Kids \[[^[\]]*\]/.exec(text)?.[0] ?? '')) yield* pagesOf(objects, kid);
}

/** The headings of an outline (12.3.3) below a node. */
function* headingsOf(
  objects: ReadPdf['objects'],
  node: number,
  level: number,
  pages: ReadonlyMap<number, PlacedPage>,
): Generator<OutlineEntry> {
  for (let item = findReference(objectOf(objects, node).text, 'First'); item !== null; ) {
    const { text } = objectOf(objects, item);
    const placed = pages.get(referenceIn(text, 'Dest'));
    const top = Number(/\/FitH (-?[\d.]+)\]/.exec(text)?.[1] ?? 0);
    if (placed) yield { level, text: titleOf(text), page: placed.page, top: topOn(placed, top) };
    yield* headingsOf(objects, item, level + 1, pages);
    item = findReference(text, 'Next');
  }
}

/** The destinations of a file (12.3.2.3), in the order of their names. @param text of the dictionary that has them */
function* destinationsOf(
  text: string,
  pages: ReadonlyMap<number, PlacedPage>,
): Generator<{ readonly name: string; readonly page: PdfReference; readonly top: number }> {
  const found = [...text.matchAll(/^\/(\S+) \[(\d+) 0 R \/FitH (-?[\d.]+)\]$/gm)];
  for (const [, name = '', page, top] of found.sort(([, a = ''], [, b = '']) => (a < b ? -1 : 1))) {
    const placed = pages.get(Number(page));
    if (placed) yield { name, page: placed.page, top: topOn(placed, Number(top)) };
  }
}

function titleOf(text: string): string {
  const [, plain, hex] = /\/Title (?:\(([^()]*)\)|<([0-9a-f]*)>)/.exec(text) ?? [];
  if (plain !== undefined) return plain;
  const bytes = Buffer.from(hex ?? '', 'hex');
  return hex?.startsWith('feff') ? new TextDecoder('utf-16be').decode(bytes.subarray(2)) : bytes.toString('latin1');
}

/** Entries of a dictionary without references, as text: one a line, dictionaries on several. */
function entriesOf(dictionary: string, keys: readonly string[]): string {
  return keys
    .map((key) => new RegExp(`^/${key} (?:<<\\n[\\s\\S]*?\\n>>|.*)\\n`, 'm').exec(dictionary)?.[0] ?? '')
    .join('');
}

// Joins the structures of files (ISO 32000-1, 14.7): each is a part of the joined one's.

class JoinedStructure {
  readonly #file: ObjectFile;
  readonly #root: PdfReference;
  readonly #document: PdfReference;
  readonly #parents: NumberTree;
  readonly #parts: PdfReference[] = [];
  readonly #notes: NameTree;
  /** Of the next file in the parent tree. */
  nextKey = 0;

  constructor(file: ObjectFile) {
    this.#file = file;
    this.#notes = new NameTree(file);
    this.#root = file.reserve();
    this.#document = file.reserve();
    this.#parents = new NumberTree(file);
  }

  /** @param copyOf a page, an annotation or a form in the joined file */
  add({ objects, root }: ReadPdf, copyOf: (number: number) => PdfReference | undefined): void {
    const top = findReference(objectOf(objects, root).text, 'StructTreeRoot');
    if (top === null) return;
    const { text } = objectOf(objects, top);
    const document = referenceIn(text, 'K');
    const elements = new Map<number, PdfReference>();
    for (const number of elementsIn(objects, document)) elements.set(number, this.#file.reserve());
    const copied = (own: string) =>
      renumberedInRows(own, (old) => {
        const copy = old === top ? this.#document : (elements.get(old) ?? copyOf(old));
        if (!copy) throw foreign(`object ${old} is missing`);
        return copy.number;
      });
    const prefix = String(this.#parts.length + 1).padStart(PART_DIGITS, '0');
    for (const [number, copy] of elements) {
      const own = objectOf(objects, number).text;
      const part = number === document ? own.replace('/S/Document', '/S/Part') : own;
      // Notes of all files have names of their own.
      const [, note] = (/^<<\/S\/(FE)?Note\b/.test(part) ? /\/ID \(note-(\d{1,9})\)/.exec(part) : null) ?? [];
      const named = note === undefined ? part : part.replace(`/ID (note-${note})`, `/ID (note-${prefix}-${note})`);
      if (note !== undefined) this.#notes.add(`note-${prefix}-${note}`, copy);
      this.#write(copy, copied(named));
      if (number === document) this.#parts.push(copy);
    }
    let last = -1;
    for (const [key, number] of numbersIn(objects, referenceIn(text, 'ParentTree'))) {
      last = key;
      let copy = elements.get(number);
      if (!copy) {
        copy = this.#file.reserve();
        this.#write(copy, copied(objectOf(objects, number).text));
      }
      this.#parents.add(this.nextKey + key, copy.number);
    }
    this.nextKey += last + 1;
  }

  #write(copy: PdfReference, text: string): void {
    const rows = /^<<\/S\/TR\//.test(text)
      ? ROWS.line
      : /^\[|\/K\[\d+ 0 R(?: +\d+ 0 R){2,}\]>>$/.test(text)
        ? ROWS.list
        : /^<<\/S\/[A-Z][A-Z\d ]\/P.*>>$/.test(text)
          ? ROWS.cell
          : null;
    if (rows === null) this.#file.copy(copy, text, null);
    else {
      this.#file.beginElement(copy.number, rows).text(text);
      this.#file.endElement();
    }
  }

  /** @returns the root; null = no file has a structure */
  finish(): PdfReference | null {
    const parts = this.#parts.map(({ number }) => `${number} 0 R`).join(' ');
    this.#file.copy(this.#document, `<<\n/S /Document\n/P ${this.#root.number} 0 R\n/K [${parts}]\n>>`, null);
    const tree = `/ParentTree ${this.#parents.finish()} 0 R\n`;
    const notes = this.#notes.finish();
    const kids = `/K ${this.#document.number} 0 R\n${notes ? `/IDTree ${notes.number} 0 R\n` : ''}`;
    this.#file.copy(this.#root, `<<\n/Type /StructTreeRoot\n${kids}${tree}>>`, null);
    return this.#parts.length > 0 ? this.#root : null;
  }
}

/** Those of rows of tables, which have no words, are on the same line. */
const KIDS = /^(?:<<\/S\/TR\/P \d{1,10} 0 R)?\/K(.*)$/m;

/** A structure element and those in it, in their order. */
function* elementsIn(objects: ReadPdf['objects'], number: number): Generator<number> {
  const text = objects.get(number)?.text ?? '';
  if (!/^<<\n?\/[SKP]/.test(text)) return;
  yield number;
  for (const kid of objectReferencesIn(KIDS.exec(text)?.[1] ?? '')) yield* elementsIn(objects, kid);
}

/** The numbers of a number tree with their objects. */
function* numbersIn(objects: ReadPdf['objects'], node: number): Generator<readonly [key: number, number: number]> {
  const { text } = objectOf(objects, node);
  for (const kid of objectReferencesIn(/^\/Kids .*$/m.exec(text)?.[0] ?? '')) yield* numbersIn(objects, kid);
  for (const [, key, number] of (/^\/Nums .*$/m.exec(text)?.[0] ?? '').matchAll(/\b(\d{1,10}) (\d{1,10}) 0 R/g)) {
    yield [Number(key), Number(number)];
  }
}

// Writes a name tree (ISO 32000-1, 7.9.6): values by name, which a reader finds without reading all of them.
//
// Leaves are written as they fill, so of many names few are in memory. Names are given in their order.

/** The most names of a leaf, and the most children of another node. */
const MOST_KIDS = 64;

/** Of the number of a part in the names of notes. */
const PART_DIGITS = 6;

interface TreeNode {
  readonly reference: PdfReference;
  /** Its first and last name. */
  readonly first: string;
  readonly last: string;
}

interface Writer {
  reserve(): PdfReference;
  write(reference: PdfReference, data: Dictionary): void;
}

class NameTree {
  readonly #writer: Writer;
  readonly #leaves: TreeNode[] = [];
  /** Names and values of the leaf that is not full. */
  #open: { readonly name: string; readonly value: PdfValue }[] = [];

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** @param name ASCII; after those that were added before, by their bytes */
  add(name: string, value: PdfValue): void {
    this.#open.push({ name, value });
    if (this.#open.length === MOST_KIDS) this.#closeLeaf();
  }

  /** Writes the rest. @returns the root; null = nothing was added */
  finish(): PdfReference | null {
    this.#closeLeaf();
    let level: readonly TreeNode[] = this.#leaves;
    while (level.length > MOST_KIDS) {
      const above: TreeNode[] = [];
      for (let at = 0; at < level.length; at += MOST_KIDS) above.push(this.#writeNode(level.slice(at, at + MOST_KIDS)));
      level = above;
    }
    if (level.length === 0) return null;
    // The root is the only node without limits.
    const root = this.#writer.reserve();
    this.#writer.write(root, { Kids: level.map(({ reference }) => reference) });
    return root;
  }

  #closeLeaf(): void {
    const names = this.#open.flatMap(({ name, value }) => [bytesOfLatin1(name), value]);
    const [first, last] = [this.#open[0], this.#open.at(-1)];
    if (!first || !last) return;
    this.#open = [];
    this.#leaves.push(this.#write(first.name, last.name, { Names: names }));
  }

  #writeNode(kids: readonly TreeNode[]): TreeNode {
    const [first = '', last = ''] = [kids[0]?.first, kids.at(-1)?.last];
    return this.#write(first, last, { Kids: kids.map(({ reference }) => reference) });
  }

  #write(first: string, last: string, entries: Dictionary): TreeNode {
    const reference = this.#writer.reserve();
    this.#writer.write(reference, { Limits: [bytesOfLatin1(first), bytesOfLatin1(last)], ...entries });
    return { reference, first, last };
  }
}
