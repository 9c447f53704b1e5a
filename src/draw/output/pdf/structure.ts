// Writes the structure of a PDF (ISO 32000-1, 14.7): what its words and pictures are, as a tree in the order in which
// they are read.
//
// An element is written once a page has ended that shows nothing of it, so that of a long document few are in memory; a
// table, which is one over all its pages, keeps no more than the numbers of its rows.

import { bytesOfLatin1 } from '#base/runtime.ts';
import type { Rect } from '#core/geometry.ts';
import type { CellPlace, Role, RowRole } from '#core/role.ts';
import type { ContentStream } from './content-stream.ts';
import { textString } from './document-entries.ts';
import { objectText, type PdfReference } from './object.ts';
import { nums } from './syntax.ts';

interface Writer {
  reserve(): PdfReference;
  /** Writes an object whose text is made already. */
  copy(reference: PdfReference, text: string): void;
}

/** What a part of a content stream is shown for: an element, or none. */
export interface Tag {
  readonly type: string;
  /** Entries of the dictionary of an artifact; null = it is an element. */
  readonly artifact: string | null;
}

const LAYOUT: Tag = { type: 'Artifact', artifact: '' };
const PAGINATION: Tag = { type: 'Artifact', artifact: ' <</Type /Pagination>>' };

/** An element that is not written yet. */
interface Element extends Tag {
  readonly artifact: null;
  readonly reference: PdfReference;
  readonly parent: Element | null;
  /** Of its dictionary, each on a line. */
  entries: string;
  readonly kids: string[];
  /** That of its first content; its other content names its own. */
  page: PdfReference | null;
  /** The last page on which it has content. */
  last: number;
  /** Its parts of another kind, the latest of each: links, words in another language, pictures; null = none. */
  parts: Map<string, Element> | null;
  /** That of its content so far; null = its own. */
  part: string | null;
  /** Where a picture is, points. */
  box: Rect | null;
}

type RowPlan = readonly (readonly ((CellPlace & { readonly index: number }) | null)[])[];

/** The cells of a row in the order of its `RowRole`. */
interface Row {
  readonly cells: readonly Element[];
  last: number;
}

export class StructureTree {
  readonly #writer: Writer;
  readonly #root: PdfReference;
  readonly #document: Element;
  readonly #parents: NumberTree;
  #nextKey = 0;
  /** Elements that later pages may go on with, in the order of the document. */
  #open: Element[] = [];
  /** By the layers that they are of. */
  readonly #byName = new Map<string, Element>();
  readonly #rows = new Map<string, Map<number, Row>>();
  readonly #plans = new WeakMap<RowRole, RowPlan>();
  #number = 0;
  #page: PdfReference | null = null;
  /** The tag of the last role: the runs of a text have the same one. */
  #latest: { readonly role: Role; readonly tag: Tag; readonly number: number } | null = null;
  /** BCP 47, of the document; null = it has none. */
  language: string | null = null;
  /** Whether elements are those of PDF 2.0 (ISO 32000-2, 14.8.6), which destinations then are, too. */
  isVersion2 = false;
  /** The elements of headings by their layers, and the first of each page, where destinations are elements. */
  readonly #headings = new Map<string, PdfReference>();
  readonly #firsts: PdfReference[] = [];
  #namespace: PdfReference | null = null;
  /** Refuses what the file must not have; by default, nothing. */
  refuse: ((problem: StructureProblem) => never) | null = null;
  #level = 0;

  constructor(writer: Writer) {
    this.#writer = writer;
    this.#root = writer.reserve();
    this.#parents = new NumberTree(writer);
    this.#document = this.#element('Document', null);
  }

  beginPage(page: PdfReference): void {
    this.#page = page;
    this.#number += 1;
  }

  /** What an operation with this role is shown for. */
  tagOf(role: Role | undefined): Tag {
    if (!role) return LAYOUT;
    if (role.kind === 'artefact') return PAGINATION;
    const known = this.#latest;
    if (known?.role === role && known.number === this.#number) return known.tag;
    const tag = this.#tagOf(role);
    this.#latest = { role, tag, number: this.#number };
    return tag;
  }

  #tagOf(role: Exclude<Role, { kind: 'artefact' }>): Tag {
    if (role.kind === 'figure') {
      if (role.alt === null) this.refuse?.({ kind: 'no-alt', layer: role.layer });
      if (role.alt === '' || (role.alt === null && !role.hasWords)) return LAYOUT;
      const { layer, link, alt } = role;
      const parent = link === undefined ? this.#parentOf(layer) : this.#linkOf(layer, link);
      return this.#named(`Figure ${layer}`, 'Figure', parent, alt === null ? '' : altEntry(alt));
    }
    if (role.kind === 'link') return this.#linkOf(role.layer, role.link ?? '');
    const element = this.#blockOf(role);
    const { link, lang, alt } = role;
    if (alt === null) this.refuse?.({ kind: 'no-alt', layer: 'table' in role ? role.table : role.layer });
    if (alt === null || alt === '') return LAYOUT;
    if (link === undefined && lang === undefined && alt === undefined) {
      element.part = null;
      return element;
    }
    const key = `${link} ${lang} ${alt}`;
    const around = link === undefined ? element : this.#part(element, `link ${link}`, 'Link', '');
    const entries = (lang === undefined ? '' : langEntry(lang)) + (alt === undefined ? '' : altEntry(alt));
    if (alt !== undefined) return this.#part(around, key, 'Figure', entries);
    if (lang !== undefined) return this.#part(around, key, 'Span', entries);
    around.part = null;
    return around;
  }

  /** The part of an element with which its content goes on. */
  #part(element: Element, key: string, type: string, entries: string): Element {
    const known = element.part === key ? element.parts?.get(key) : undefined;
    if (known) return known;
    const part = this.#element(type, element, entries);
    element.parts ??= new Map();
    element.parts.set(key, part);
    element.part = key;
    return part;
  }

  #linkOf(layer: string, link: string): Element {
    return this.#named(`Link ${layer} ${link}`, 'Link', this.#parentOf(layer), '');
  }

  #blockOf(role: Extract<Role, { layer: string; level: number } | { table: string }>): Element {
    if ('table' in role) return this.#cellOf(role);
    const { layer, level, language } = role;
    const lang = language === null || language === this.language ? '' : langEntry(language);
    const known = this.#byName.get(layer);
    if (known) return known;
    if (level > 0) {
      if (level > this.#level + 1) this.refuse?.({ kind: 'level', layer, level, after: this.#level });
      this.#level = level;
    }
    const element = this.#named(layer, level > 0 ? `H${level}` : 'P', this.#parentOf(layer), lang);
    if (level > 0 && this.isVersion2) this.#headings.set(layer, element.reference);
    return element;
  }

  /** Where a destination leads in PDF 2.0: a heading, or else what is first on a page, from 1. */
  destination(layer: string | null, page: number): PdfReference {
    return this.#headings.get(layer ?? '') ?? this.#firsts[page - 1] ?? this.#document.reference;
  }

  #cellOf(role: Extract<Role, { table: string }>): Element {
    const { table, row, column, line, of } = role;
    const rows = this.#rows.get(table) ?? new Map<number, Row>();
    this.#rows.set(table, rows);
    let known = rows.get(row);
    if (!known) {
      known = { cells: this.#row(this.#named(table, 'Table', this.#parentOf(table), ''), role), last: 0 };
      rows.set(row, known);
    }
    if (known.last !== this.#number) for (const cell of known.cells) this.#touch(cell);
    known.last = this.#number;
    const cell = known.cells[of.cells.findIndex((place) => place.column === column && place.line === line)];
    if (!cell) throw new Error('A cell is not among those of its row.');
    return cell;
  }

  /** The elements of a row's lines and of all its cells. */
  #row(table: Element, { kind, of }: Extract<Role, { table: string }>): readonly Element[] {
    const cells: Element[] = [];
    let plan = this.#plans.get(of);
    if (!plan) {
      plan = planOf(of);
      this.#plans.set(of, plan);
    }
    for (const line of plan) {
      const row = this.#element('TR', table);
      for (const place of line) {
        if (place) cells[place.index] = this.#element(kind === 'cell' ? 'TD' : 'TH', row, cellEntries(kind, place));
        else this.#element('TD', row);
      }
    }
    return cells;
  }

  /** The list that a layer is in: its name is that of the list's frame, with the number of the entry. */
  #parentOf(layer: string): Element {
    let parent = this.#document;
    if (!layer.includes('].')) return parent;
    for (const { index, 0: entry } of layer.matchAll(/\[\d+\]\./g)) {
      const list = layer.slice(0, index);
      const items = this.#named(`L ${list}`, 'L', parent, '');
      const item = `LI ${list}${entry}`;
      parent = this.#byName.get(item) ?? this.#named(item, 'LBody', this.#element('LI', items), '');
    }
    return parent;
  }

  #named(name: string, type: string, parent: Element, entries: string): Element {
    const known = this.#byName.get(name);
    if (known) return known;
    const element = this.#element(type, parent, entries);
    this.#byName.set(name, element);
    return element;
  }

  #element(type: string, parent: Element | null, entries = ''): Element {
    const reference = this.#writer.reserve();
    const element: Element = {
      type,
      artifact: null,
      reference,
      parent,
      entries,
      kids: [],
      page: null,
      last: this.#number,
      parts: null,
      part: null,
      box: null,
    };
    if (parent) {
      parent.kids.push(`${reference.number} 0 R`);
      this.#touch(parent);
    }
    this.#open.push(element);
    if (parent && this.isVersion2) this.#firsts[this.#number - 1] ??= reference;
    return element;
  }

  /** The page goes on with an element, and with those that it is in. */
  #touch(element: Element): void {
    for (let each: Element | null = element; each && each.last !== this.#number; each = each.parent) {
      each.last = this.#number;
    }
  }

  /** The operator that begins a part of a stream. */
  begin(tag: Tag, content: ContentStream): string {
    if (tag.artifact !== null) return tag.artifact === '' ? '/Artifact BMC' : `/Artifact${tag.artifact} BDC`;
    const element = tag as Element;
    const id = content.marked.push(element.reference) - 1;
    const isOnPage = this.#continue(element);
    if (content.isPage && isOnPage) element.kids.push(String(id));
    else {
      if (!content.isPage) content.reference ??= this.#writer.reserve();
      const page = isOnPage ? '' : `/Pg ${this.#page?.number} 0 R `;
      const form = content.reference ? `/Stm ${content.reference.number} 0 R ` : '';
      element.kids.push(`<</Type /MCR ${page}${form}/MCID ${id}>>`);
    }
    return `/${element.type} <</MCID ${id}>> BDC`;
  }

  /** An element gets content. @returns whether that is on the page of its first */
  #continue(element: Element): boolean {
    element.page ??= this.#page;
    this.#touch(element);
    return element.page === this.#page;
  }

  /** Adds the area that a picture is drawn on. @param box points, on the page */
  extend(tag: Tag, box: Rect): void {
    if (tag.type !== 'Figure') return;
    const element = tag as Element;
    const { box: own } = element;
    const right = Math.max(box.x + box.width, own ? own.x + own.width : box.x);
    const top = Math.max(box.y + box.height, own ? own.y + own.height : box.y);
    const [x, y] = [Math.min(box.x, own?.x ?? box.x), Math.min(box.y, own?.y ?? box.y)];
    element.box = { x, y, width: right - x, height: top - y };
  }

  /** Adds the annotation of a link. @returns its key in the parent tree */
  addLink(role: Role | undefined, href: string, annotation: PdfReference): number {
    const isWords = role && role.kind !== 'artefact' && role.kind !== 'figure' && role.kind !== 'link';
    const block = isWords ? this.#blockOf(role) : null;
    const layer = role && 'layer' in role ? role.layer : '';
    // Its words may be followed by others already.
    const name = `link ${href}`;
    const link = block ? (block.parts?.get(name) ?? this.#part(block, name, 'Link', '')) : this.#linkOf(layer, href);
    const page = this.#continue(link) ? '' : `/Pg ${this.#page?.number} 0 R `;
    link.kids.push(`<</Type /OBJR ${page}/Obj ${annotation.number} 0 R>>`);
    return this.#key(link.reference);
  }

  /** The key of a stream with marked content, for its dictionary; null = it has none. */
  keyOf(content: ContentStream): number | null {
    if (content.marked.length === 0) return null;
    const list = this.#writer.reserve();
    this.#writer.copy(list, objectText(content.marked));
    return this.#key(list);
  }

  #key(value: PdfReference): number {
    const key = this.#nextKey;
    this.#nextKey += 1;
    this.#parents.add(key, value);
    return key;
  }

  /** Writes the elements that the page, which has ended, shows nothing of. */
  endPage(): void {
    this.#latest = null;
    const done = this.#open.filter(({ last }) => last < this.#number);
    if (done.length === 0) return;
    for (const element of done) if (element !== this.#document) this.#write(element);
    this.#open = this.#open.filter(({ last }) => last >= this.#number);
    for (const [name, { last }] of this.#byName) if (last < this.#number) this.#byName.delete(name);
    for (const rows of this.#rows.values()) {
      for (const [row, { last }] of rows) if (last < this.#number) rows.delete(row);
    }
  }

  #write({ reference, type, parent, entries, kids, page, box }: Element): void {
    let text = `<<\n/S /${type}\n/P ${(parent?.reference ?? this.#root).number} 0 R\n${entries}`;
    if (this.isVersion2) {
      this.#namespace ??= this.#writer.reserve();
      text += `/NS ${this.#namespace.number} 0 R\n`;
    }
    if (box) {
      const { x, y, width, height } = box;
      text += `/A <</O /Layout /BBox [${nums([x, y, x + width, y + height])}]>>\n`;
    }
    if (page) text += `/Pg ${page.number} 0 R\n`;
    if (kids.length === 1) text += `/K ${kids[0]}\n`;
    else if (kids.length > 1) text += `/K [${kids.join(' ')}]\n`;
    this.#writer.copy(reference, `${text}>>`);
  }

  /** Writes the rest. @returns the root */
  finish(): PdfReference {
    for (const element of this.#open) if (element !== this.#document) this.#write(element);
    this.#write(this.#document);
    const parents = this.#parents.finish();
    const next = `/ParentTree ${parents.number} 0 R\n/ParentTreeNextKey ${this.#nextKey}\n`;
    let kids = `/K ${this.#document.reference.number} 0 R\n`;
    if (this.#namespace) {
      this.#writer.copy(this.#namespace, '<<\n/Type /Namespace\n/NS (http://iso.org/pdf2/ssn)\n>>');
      kids += `/Namespaces [${this.#namespace.number} 0 R]\n`;
    }
    this.#writer.copy(this.#root, `<<\n/Type /StructTreeRoot\n${kids}${next}>>`);
    return this.#root;
  }
}

/** The cells of each line of a row, with their numbers in it; null = a place that has none. */
function planOf({ cells, lines, columns }: RowRole): RowPlan {
  const isCovered: boolean[][] = Array.from({ length: lines }, () => []);
  for (const { column, span, line, lineSpan } of cells) {
    for (const covered of isCovered.slice(line, line + lineSpan))
      for (let x = column; x < column + span; x += 1) covered[x] = true;
  }
  return isCovered.map((covered, line) =>
    Array.from({ length: columns }, (_, column) => {
      const index = cells.findIndex((place) => place.line === line && place.column === column);
      const place = cells[index];
      return place ? [{ ...place, index }] : covered[column] ? [] : [null];
    }).flat(),
  );
}

/** What a conforming file must not have. */
export type StructureProblem =
  | { readonly kind: 'no-alt'; readonly layer: string }
  | { readonly kind: 'level'; readonly layer: string; readonly level: number; readonly after: number };

const altEntry = (alt: string): string => `/Alt ${objectText(textString(alt))}\n`;
const langEntry = (lang: string): string => `/Lang ${objectText(bytesOfLatin1(lang))}\n`;

function cellEntries(kind: 'header-cell' | 'cell', { span, lineSpan }: CellPlace): string {
  if (kind === 'cell' && span === 1 && lineSpan === 1) return '';
  const scope = kind === 'cell' ? '' : '/Scope /Column ';
  return `/A <</O /Table ${scope}${span > 1 ? `/ColSpan ${span} ` : ''}${lineSpan > 1 ? `/RowSpan ${lineSpan} ` : ''}>>\n`;
}

/** The most numbers of a leaf. */
const MOST_NUMBERS = 64;

/** Writes a number tree (7.9.7), whose numbers are given in their order; leaves are written as they fill. */
export class NumberTree {
  readonly #writer: Writer;
  readonly #leaves: PdfReference[] = [];
  #open: { readonly key: number; readonly value: PdfReference }[] = [];

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  add(key: number, value: PdfReference): void {
    this.#open.push({ key, value });
    if (this.#open.length === MOST_NUMBERS) this.#leaves.push(this.#close(true));
  }

  #close(isLeaf: boolean): PdfReference {
    const reference = this.#writer.reserve();
    const limits = isLeaf ? `/Limits [${this.#open[0]?.key} ${this.#open.at(-1)?.key}]\n` : '';
    const pairs = this.#open.map(({ key, value }) => `${key} ${value.number} 0 R`);
    this.#writer.copy(reference, `<<\n${limits}/Nums [${pairs.join(' ')}]\n>>`);
    this.#open = [];
    return reference;
  }

  /** @returns the root */
  finish(): PdfReference {
    if (this.#leaves.length === 0) return this.#close(false);
    if (this.#open.length > 0) this.#leaves.push(this.#close(true));
    const root = this.#writer.reserve();
    this.#writer.copy(root, `<<\n/Kids ${objectText(this.#leaves)}\n>>`);
    return root;
  }
}
