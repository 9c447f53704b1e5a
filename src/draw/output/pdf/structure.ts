// Writes the structure of a PDF (ISO 32000-1, 14.7): what its words and pictures are, as a tree in the order in which
// they are read.
//
// An element is written once a page has ended that shows nothing of it, so that of a long document few are in memory; a
// table, which is one over all its pages, keeps no more than the numbers of its rows. Most cells have one part on one
// page: of these no more is kept than its number in the row.

import { bytesOfLatin1 } from '#base/runtime.ts';
import type { Rect } from '#core/geometry.ts';
import type { CellPlace, CellRole, ListStyle, Role, RowRole } from '#core/role.ts';
import type { ContentStream } from './content-stream.ts';
import { textString } from './document-entries.ts';
import { objectText, PdfReference } from './object.ts';
import { ROWS, type TextBytes } from './object-file.ts';
import { nums } from './syntax.ts';

/** Characters of the types, and of the other entries, of elements that are written below each other. */
const SHORT_TYPE = 2;
const SHORT_ENTRIES = 45;
/** Cells of a row up to which rows of as many are written below each other. */
const FEW_CELLS = 4;
/** Parts of pages after which elements that are done are written: what is written together takes less space. */
const MOST_WAITING = 4000;

interface Writer {
  /** @returns the number of the first of so many objects */
  reserveNumbers(count: number): number;
  /** Begins an object whose text follows, until it is ended. */
  beginElement(number: number, rows: (typeof ROWS)[keyof typeof ROWS]): TextBytes;
  endElement(): void;
  /** Writes an object that is like no other. */
  copy(reference: PdfReference, text: string, stream: null): void;
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
  readonly number: number;
  /** The one that it is in; of a cell, the table. */
  readonly parent: Element | null;
  /** Of its dictionary. */
  readonly entries: string;
  /** The numbers of elements, those of marked content as -1 - n, and references as text. */
  readonly kids: (number | string)[];
  /** That of its first content, whose others name their own; 0 = none. */
  page: number;
  /** The last page on which it has content. */
  last: number;
  /** Its parts of another kind, the latest of each: links, words in another language, pictures; null = none. */
  parts: Map<string, Element> | null;
  /** That of its content so far; null = its own. */
  part: string | null;
  /** Where a picture is, points. */
  box: Rect | null;
}

/** The cells of a row, line by line. */
interface RowPlan {
  readonly lines: readonly (readonly PlannedCell[])[];
  /** By the cells' indices, alike for cells of one look in lines of as many cells. */
  readonly looks: readonly number[];
}

interface PlannedCell {
  /** -1 = there is none. */
  readonly index: number;
  readonly entries: Readonly<Record<'header-cell' | 'cell', string>>;
}

interface Row {
  readonly name: string;
  readonly row: number;
  readonly kind: 'header-cell' | 'cell';
  readonly table: Element;
  readonly plan: RowPlan;
  /** The page that it begins on. */
  readonly page: number;
  /** The marked content of each cell on that page; undefined = none yet. */
  readonly parts: (number | undefined)[];
  /** Those of the cells that have content, in its order, so that they count up as it does. */
  readonly numbers: (number | undefined)[];
  /** The cells of which there is more. */
  elements: (Element | undefined)[] | null;
  last: number;
}

/** A cell of which there is no more than a part. Those of a page get numbers together, so that these count up. */
interface Cell extends Tag {
  readonly artifact: null;
  readonly row: Row;
  readonly index: number;
}

export class StructureTree {
  readonly #writer: Writer;
  readonly #root: number;
  readonly #document: Element;
  readonly #parents: NumberTree;
  #nextKey = 0;
  /** Elements that later pages may go on with, in the order of the document. */
  #open: Element[] = [];
  /** By the layers that they are of. */
  readonly #byName = new Map<string, Element>();
  readonly #rows = new Map<string, Map<number, Row>>();
  readonly #plans = new WeakMap<RowRole, RowPlan>();
  readonly #looks = new Map<string, number>();
  #number = 0;
  #page = 0;
  /** The last role and its tag: the runs of a text have the same one. */
  #role: Role | null = null;
  #tag: Tag = LAYOUT;
  #row: Row | null = null;
  /** BCP 47, of the document; null = it has none. */
  language: string | null = null;
  /** Whether elements are those of PDF 2.0 (ISO 32000-2, 14.8.6), which destinations then are, too. */
  isVersion2 = false;
  /** The elements of headings by their layers, and the first of each page, where destinations are elements. */
  readonly #headings = new Map<string, number>();
  readonly #firsts: number[] = [];
  #namespace = 0;
  /** Refuses what the file must not have; by default, nothing. */
  refuse: ((problem: StructureProblem) => never) | null = null;
  #level = 0;
  /** The elements of footnotes, in the order of their marks. */
  readonly #notes: number[] = [];
  /** What streams with marked content have, by the number of the list of it, which is yet to be written. */
  #lists: { readonly list: number; readonly marked: readonly (Element | Cell)[] }[] = [];
  #waiting = 0;

  constructor(writer: Writer) {
    this.#writer = writer;
    this.#root = writer.reserveNumbers(1);
    this.#parents = new NumberTree(writer);
    this.#document = this.#element('Document', null);
  }

  beginPage(page: PdfReference): void {
    this.#page = page.number;
    this.#number += 1;
  }

  /** What an operation with this role is shown for. */
  tagOf(role: Role | undefined): Tag {
    if (!role) return LAYOUT;
    if (role.kind === 'artefact') return PAGINATION;
    if (this.#role !== role) {
      this.#tag = this.#tagOf(role);
      this.#role = role;
    }
    return this.#tag;
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
    if (role.kind === 'note') return this.#noteOf(role.number, this.#document);
    const { link, lang, alt, note } = role;
    const isPlain = link === undefined && lang === undefined && alt === undefined && note === undefined;
    if (isPlain && 'table' in role) {
      const row = this.#rowOf(role);
      const known = row.elements?.[role.index];
      if (!known) return { type: cellType(role), artifact: null, row, index: role.index } as Cell;
      known.part = null;
      return known;
    }
    const element = this.#blockOf(role);
    if (alt === null) this.refuse?.({ kind: 'no-alt', layer: 'table' in role ? role.table : role.layer });
    if (alt === null || alt === '') return LAYOUT;
    if (isPlain) {
      element.part = null;
      return element;
    }
    if (note !== undefined) {
      const type = this.isVersion2 ? 'Span' : 'Reference';
      const refers = this.isVersion2 ? `/Ref [${this.#numberOfNote(note)} 0 R]` : '';
      const mark = this.#part(element, `note ${note}`, type, (lang === undefined ? '' : langEntry(lang)) + refers);
      this.#noteOf(note, element, mark);
      return mark;
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

  #numberOfNote(note: number): number {
    const number = this.#notes[note - 1] ?? this.#writer.reserveNumbers(1);
    this.#notes[note - 1] = number;
    return number;
  }

  /** A footnote, which is read after its mark; in PDF 2.0 each refers to the other. @param parent what has the mark */
  #noteOf(note: number, parent: Element, mark: Element | null = null): Element {
    const name = `note\u001f${note}`;
    const known = this.#byName.get(name);
    if (known) return known;
    const id = `/ID (note-${String(note).padStart(NOTE_DIGITS, '0')})`;
    const refers = this.isVersion2 && mark ? `/Ref [${mark.number} 0 R]` : '';
    const type = this.isVersion2 ? 'FENote' : 'Note';
    return this.#named(name, type, parent, id + refers, this.#numberOfNote(note));
  }

  #linkOf(layer: string, link: string): Element {
    return this.#named(`Link ${layer} ${link}`, 'Link', this.#parentOf(layer), '');
  }

  #blockOf(role: Extract<Role, { layer: string; level: number } | { table: string }>): Element {
    if ('table' in role) return this.#elementOf(this.#rowOf(role), role.index);
    const { layer, level, language, item } = role;
    const lang = language === null || language === this.language ? '' : langEntry(language);
    if (item) return this.#itemOf(layer, item, lang);
    const known = this.#byName.get(layer);
    if (known) return known;
    if (level > 0) {
      if (level > this.#level + 1) this.refuse?.({ kind: 'level', layer, level, after: this.#level });
      this.#level = level;
    }
    const element = this.#named(layer, level > 0 ? `H${level}` : 'P', this.#parentOf(layer), lang);
    if (level > 0 && this.isVersion2) this.#headings.set(layer, element.number);
    return element;
  }

  /** The marker or the words of an item in the list that a text is. */
  #itemOf(layer: string, { number, style, isLabel }: Item, lang: string): Element {
    const numbering = `/A <</O /List /ListNumbering /${NUMBERING[style]}>>`;
    const list = this.#named(`L ${layer}`, 'L', this.#parentOf(layer), numbering + lang);
    const name = `LI ${layer}\u001f${number}`;
    const entry = this.#named(name, 'LI', list, '');
    const type = isLabel ? 'Lbl' : 'LBody';
    return this.#named(`${type} ${name}`, type, entry, '');
  }

  /** Where a destination leads in PDF 2.0: a heading, or else what is first on a page, from 1. */
  destination(layer: string | null, page: number): PdfReference {
    return new PdfReference(this.#headings.get(layer ?? '') ?? this.#firsts[page - 1] ?? this.#document.number);
  }

  #rowOf({ table: name, row, kind, of }: CellRole): Row {
    const latest = this.#row;
    if (latest?.row === row && latest.name === name && latest.last === this.#number) return latest;
    const rows = this.#rows.get(name) ?? new Map<number, Row>();
    this.#rows.set(name, rows);
    let known = rows.get(row);
    if (!known) {
      const table = this.#named(name, 'Table', this.#parentOf(name), '');
      let plan = this.#plans.get(of);
      if (!plan) {
        plan = planOf(of, this.#looks);
        this.#plans.set(of, plan);
      }
      const none = { parts: [], numbers: [], elements: null };
      known = { name, row, kind, table, plan, page: this.#page, ...none, last: this.#number };
      rows.set(row, known);
    }
    known.last = this.#number;
    this.#touch(known.table);
    this.#row = known;
    return known;
  }

  /** A cell with all that an element can have. */
  #elementOf(row: Row, index: number): Element {
    row.elements ??= [];
    const known = row.elements[index];
    if (known) return known;
    const { plan, kind, table, parts } = row;
    const { entries } = plan.lines.flat().find((cell) => cell.index === index) ?? NO_CELL;
    const element = newElement(cellType({ kind }), this.#numberOf(row, index), table, entries[kind], this.#number);
    const part = parts[index];
    if (part !== undefined) {
      element.page = row.page;
      element.kids.push(-1 - part);
    }
    row.elements[index] = element;
    return element;
  }

  #numberOf({ numbers }: Row, index: number): number {
    const number = numbers[index] ?? this.#writer.reserveNumbers(1);
    numbers[index] = number;
    if (this.isVersion2) this.#firsts[this.#number - 1] ??= number;
    return number;
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

  #named(name: string, type: string, parent: Element, entries: string, number?: number): Element {
    const known = this.#byName.get(name);
    if (known) return known;
    const element = this.#element(type, parent, entries, number);
    this.#byName.set(name, element);
    return element;
  }

  #element(type: string, parent: Element | null, entries = '', number = this.#writer.reserveNumbers(1)): Element {
    const element = newElement(type, number, parent, entries, this.#number);
    if (parent) {
      parent.kids.push(number);
      this.#touch(parent);
    }
    this.#open.push(element);
    if (parent && this.isVersion2) this.#firsts[this.#number - 1] ??= number;
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
    const id = content.marked.length;
    if ('row' in tag) {
      const { row, index } = tag as Cell;
      if (content.isPage && row.page === this.#page && row.parts[index] === undefined && !row.elements?.[index]) {
        row.parts[index] = id;
        content.marked.push(tag as Cell);
      } else this.#mark(this.#elementOf(row, index), content);
    } else this.#mark(tag as Element, content);
    return `/${tag.type}<</MCID ${id}>>BDC`;
  }

  #mark(element: Element, content: ContentStream): void {
    const id = content.marked.push(element) - 1;
    const isOnPage = this.#continue(element);
    if (content.isPage && isOnPage) element.kids.push(-1 - id);
    else {
      if (!content.isPage) content.reference ??= new PdfReference(this.#writer.reserveNumbers(1));
      const page = isOnPage ? '' : `/Pg ${this.#page} 0 R `;
      const form = content.reference ? `/Stm ${content.reference.number} 0 R ` : '';
      element.kids.push(`<</Type /MCR ${page}${form}/MCID ${id}>>`);
    }
  }

  /** An element gets content. @returns whether that is on the page of its first */
  #continue(element: Element): boolean {
    element.page ||= this.#page;
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
    const isWords = role && ('table' in role || 'level' in role);
    const block = isWords ? this.#blockOf(role) : null;
    const layer = role && 'layer' in role ? role.layer : '';
    // Its words may be followed by others already.
    const name = `link ${href}`;
    const link = block ? (block.parts?.get(name) ?? this.#part(block, name, 'Link', '')) : this.#linkOf(layer, href);
    const page = this.#continue(link) ? '' : `/Pg ${this.#page} 0 R `;
    link.kids.push(`<</Type /OBJR ${page}/Obj ${annotation.number} 0 R>>`);
    return this.#key(link.number);
  }

  /** The key of a stream with marked content, for its dictionary; null = it has none. */
  keyOf(content: ContentStream): number | null {
    const marked = content.marked as (Element | Cell)[];
    if (marked.length === 0) return null;
    const [first] = marked;
    if (content.isPage) this.#sortMarked(marked, content);
    // Destinations may lead to it.
    if (this.isVersion2 && first && 'row' in first) this.#numberOf(first.row, first.index);
    const list = this.#writer.reserveNumbers(1);
    this.#lists.push({ list, marked });
    this.#waiting += marked.length;
    return this.#key(list);
  }

  /** Gives what is alike on a page identifiers that count up. */
  #sortMarked(marked: (Element | Cell)[], content: ContentStream): void {
    if (marked.every((of, id) => id === 0 || lookOf(of) >= lookOf(marked[id - 1] as Element | Cell))) return;
    // What is of several pages names its parts otherwise, and keeps them.
    const moved = marked.flatMap((of, id) => {
      const element = 'row' in of ? of.row.elements?.[of.index] : of;
      const kid = element?.page === this.#page ? element.kids.indexOf(-1 - id) : -1;
      return !element || kid >= 0 ? [{ of, id, element, kid }] : [];
    });
    const ids = moved.map(({ id }) => id);
    for (const [i, { of, id: old, element, kid }] of moved.sort((a, b) => lookOf(a.of) - lookOf(b.of)).entries()) {
      const id = ids[i] ?? 0;
      if (element) element.kids[kid] = -1 - id;
      else (of as Cell).row.parts[(of as Cell).index] = id;
      marked[id] = of;
      if (id !== old) content.renumber(old, id);
    }
  }

  /** Writes which parts of pages are of which elements. */
  #writeLists(): void {
    const cells = this.#lists.flatMap(({ marked }) => marked.filter((of): of is Cell => 'row' in of));
    for (const { row, index } of cells.sort((a, b) => lookOf(a) - lookOf(b))) this.#numberOf(row, index);
    for (const { list, marked } of this.#lists) {
      const numbers = marked.map((of) => ('row' in of ? this.#numberOf(of.row, of.index) : of.number));
      this.#writeReferences(this.#writer.beginElement(list, ROWS.list), '[', numbers).text(']');
      this.#writer.endElement();
    }
    this.#lists = [];
  }

  #key(value: number): number {
    const key = this.#nextKey;
    this.#nextKey += 1;
    this.#parents.add(key, value);
    return key;
  }

  /** Writes the elements that the page, which has ended, shows nothing of. */
  endPage(): void {
    this.#role = null;
    this.#row = null;
    if (this.#waiting > MOST_WAITING) this.#writeBefore(this.#number);
    for (const [name, { last }] of this.#byName) if (last < this.#number) this.#byName.delete(name);
  }

  /** Writes the rows that no later page goes on with, and the elements that no page from this one on shows anything of. */
  #writeBefore(number: number): void {
    this.#waiting = 0;
    this.#writeLists();
    for (const rows of this.#rows.values()) {
      // Only the last one of a page may go on.
      const last = [...rows.values()].at(-1);
      const done = [...rows.values()].filter((row) => row !== last || row.last < number);
      this.#writeRows(done);
      for (const { row } of done) rows.delete(row);
    }
    const isDone = ({ last }: Element) => last < number;
    if (!this.#open.some(isDone)) return;
    for (const element of this.#open) if (isDone(element) && element !== this.#document) this.#write(element);
    this.#open = this.#open.filter((element) => !isDone(element));
  }

  /** Writes like below like: the numbers of cells with content, those without, and lines count up. */
  #writeRows(rows: readonly Row[]): void {
    const writer = this.#writer;
    const lines = rows.flatMap((row) =>
      row.plan.lines.map((cells) => {
        const own = cells.map(({ index }) => row.numbers[index] ?? writer.reserveNumbers(1));
        return { row, cells, own, number: 0, isBelow: false };
      }),
    );
    let length = 0;
    for (const line of lines.toSorted((a, b) => a.own.length - b.own.length)) {
      line.number = writer.reserveNumbers(1);
      line.isBelow = line.own.length === length && length <= FEW_CELLS;
      length = line.own.length;
    }
    for (const { row, cells, own, number: above, isBelow } of lines) {
      const { kind, page, parts, elements, table } = row;
      for (const [i, { index, entries }] of cells.entries()) {
        const element = elements?.[index];
        const part = parts[index];
        const type = index === -1 || kind === 'cell' ? 'TD' : 'TH';
        if (element) this.#write(element, above);
        else this.#writeLeaf(own[i] ?? 0, type, above, part === undefined ? 0 : page, part ?? 0, entries[kind]);
      }
      table.kids.push(above);
      // Short, so that eight columns have room in a row.
      const text = writer.beginElement(above, isBelow ? ROWS.fewCells : ROWS.line);
      text.text(`<</S/TR/P ${table.number} 0 R${this.#namespaceEntry()}`);
      this.#writeReferences(text, '/K[', own).text(']>>');
      writer.endElement();
    }
  }

  /** Writes an element with one part, below others like it. @param page 0 = it has none */
  #writeLeaf(number: number, type: string, above: number, page: number, part: number, entries: string): void {
    const text = this.#writer.beginElement(number, ROWS.cell).text('<</S/').text(type.padEnd(SHORT_TYPE)).text('/P');
    text.reference(above).text(this.#namespaceEntry());
    if (page) text.text('/Pg').reference(page).text('/K').integer(part, 6);
    text.text(entries).text('>>');
    this.#writer.endElement();
  }

  #namespaceEntry(): string {
    if (!this.isVersion2) return '';
    this.#namespace ||= this.#writer.reserveNumbers(1);
    return `/NS ${this.#namespace} 0 R`;
  }

  #writeReferences(text: TextBytes, before: string, numbers: readonly number[]): TextBytes {
    const [first = 0, ...others] = numbers;
    text.text(before).integer(first).text(' 0 R');
    for (const number of others) text.reference(number);
    return text;
  }

  #write({ number, type, parent, entries, kids, page, box }: Element, above = parent?.number ?? this.#root): void {
    const [only = 0] = kids;
    if (kids.length === 1 && Number(only) < 0 && type.length <= SHORT_TYPE && entries.length <= SHORT_ENTRIES) {
      this.#writeLeaf(number, type, above, page, -1 - Number(only), entries);
      return;
    }
    const head = `<</S/${type}/P ${above} 0 R${this.#namespaceEntry()}${entries}`;
    if (kids.length > 2 && kids.every((kid) => Number(kid) >= 0)) {
      const text = this.#writer.beginElement(number, ROWS.list).text(head);
      // On a line of its own, where no words can be that begin like it.
      this.#writeReferences(text.text(page ? `/Pg ${page} 0 R` : ''), '\n/K[', kids as number[]).text(']>>');
      this.#writer.endElement();
      return;
    }
    const area = box && `/A<</O/Layout/BBox[${nums([box.x, box.y, box.x + box.width, box.y + box.height])}]>>`;
    const parts = kids.map((kid) => (typeof kid === 'string' ? kid : kid < 0 ? -1 - kid : `${kid} 0 R`)).join(' ');
    const on = page ? `/Pg ${page} 0 R` : '';
    writePlain(this.#writer, number, `${head}${area ?? ''}${on}${parts && `\n/K[${parts}]`}>>`);
  }

  /** Writes the rest. @returns the root */
  finish(): PdfReference {
    this.#writeBefore(this.#number + 1);
    this.#write(this.#document);
    const parents = this.#parents.finish();
    const next = `/ParentTree ${parents} 0 R\n`;
    let kids = `/K ${this.#document.number} 0 R\n`;
    if (this.#notes.length > 0) {
      const names = this.#notes.map((note, i) => `(note-${String(i + 1).padStart(NOTE_DIGITS, '0')}) ${note} 0 R`);
      kids += `/IDTree <</Names [${names.join(' ')}]>>\n`;
      // For readers of PDF 1.7, which leave out what they do not know.
      if (this.isVersion2) kids += '/RoleMap <</FENote /Note>>\n';
    }
    if (this.#namespace) {
      writePlain(this.#writer, this.#namespace, '<<\n/Type /Namespace\n/NS (http://iso.org/pdf2/ssn)\n>>');
      kids += `/Namespaces [${this.#namespace} 0 R]\n`;
    }
    writePlain(this.#writer, this.#root, `<<\n/Type /StructTreeRoot\n${kids}${next}>>`);
    return new PdfReference(this.#root);
  }
}

function writePlain(writer: Writer, number: number, text: string): void {
  writer.copy(new PdfReference(number), text, null);
}

function newElement(type: string, number: number, parent: Element | null, entries: string, last: number): Element {
  const empty = { page: 0, parts: null, part: null, box: null };
  return { type, artifact: null, number, parent, entries, kids: [], last, ...empty };
}

const cellType = ({ kind }: Pick<CellRole, 'kind'>) => (kind === 'cell' ? 'TD' : 'TH');

const NO_CELL: PlannedCell = { index: -1, entries: { cell: '', 'header-cell': '' } };

/** By which what is marked on a page is sorted, and cells are numbered. */
const lookOf = (of: Element | Cell) =>
  'row' in of ? 2 * (of.row.plan.looks[of.index] ?? 0) + (of.row.kind === 'cell' ? 0 : 1) : -1;

function planOf({ cells, lines, columns }: RowRole, known: Map<string, number>): RowPlan {
  const isCovered: boolean[][] = Array.from({ length: lines }, () => []);
  for (const { column, span, line, lineSpan } of cells) {
    for (const covered of isCovered.slice(line, line + lineSpan))
      for (let x = column; x < column + span; x += 1) covered[x] = true;
  }
  const planned = isCovered.map((covered, line) =>
    Array.from({ length: columns }, (_, column) => {
      const index = cells.findIndex((place) => place.line === line && place.column === column);
      const place = cells[index];
      if (!place) return covered[column] ? [] : [NO_CELL];
      return [
        { index, entries: { cell: cellEntries('cell', place), 'header-cell': cellEntries('header-cell', place) } },
      ];
    }).flat(),
  );
  const looks = cells.map(({ line, span, lineSpan }) => {
    const look = `${planned[line]?.length} ${span} ${lineSpan}`;
    const rank = known.get(look) ?? known.size;
    known.set(look, rank);
    return rank;
  });
  return { lines: planned, looks };
}

type Item = NonNullable<Extract<Role, { level: number }>['item']>;

/** ISO 32000-1, 14.8.5.5. */
const NUMBERING = {
  ...{ disc: 'Disc', circle: 'Circle', square: 'Square', decimal: 'Decimal', 'decimal-leading-zero': 'Decimal' },
  ...{ 'lower-alpha': 'LowerAlpha', 'upper-alpha': 'UpperAlpha' },
  ...{ 'lower-roman': 'LowerRoman', 'upper-roman': 'UpperRoman' },
} as const satisfies Record<ListStyle, string>;

/** What a conforming file must not have. */
export type StructureProblem =
  | { readonly kind: 'no-alt'; readonly layer: string }
  | { readonly kind: 'level'; readonly layer: string; readonly level: number; readonly after: number };

/** Of the names of notes, whose order is that of their numbers. */
const NOTE_DIGITS = 6;

/** In PDFDocEncoding where it can be (D.2), as the values of payment codes, which have several lines. */
const altEntry = (alt: string): string =>
  `/Alt ${objectText(/^[\n -~]*$/.test(alt) ? bytesOfLatin1(alt) : textString(alt))}`;
const langEntry = (lang: string): string => `/Lang ${objectText(bytesOfLatin1(lang))}`;

function cellEntries(kind: 'header-cell' | 'cell', { span, lineSpan }: CellPlace): string {
  if (kind === 'cell' && span === 1 && lineSpan === 1) return '';
  const scope = kind === 'cell' ? '' : '/Scope/Column';
  return `/A<</O/Table${scope}${span > 1 ? `/ColSpan ${span}` : ''}${lineSpan > 1 ? `/RowSpan ${lineSpan}` : ''}>>`;
}

/** The most numbers of a leaf. */
const MOST_NUMBERS = 64;

/** Writes a number tree (7.9.7), whose numbers are given in their order; leaves are written as they fill. */
export class NumberTree {
  readonly #writer: Writer;
  readonly #leaves: number[] = [];
  #open: { readonly key: number; readonly value: number }[] = [];

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  add(key: number, value: number): void {
    this.#open.push({ key, value });
    if (this.#open.length === MOST_NUMBERS) this.#leaves.push(this.#close(true));
  }

  #close(isLeaf: boolean): number {
    const number = this.#writer.reserveNumbers(1);
    const limits = isLeaf ? `/Limits [${this.#open[0]?.key} ${this.#open.at(-1)?.key}]\n` : '';
    const pairs = this.#open.map(({ key, value }) => `${key} ${value} 0 R`);
    writePlain(this.#writer, number, `<<\n${limits}/Nums [${pairs.join(' ')}]\n>>`);
    this.#open = [];
    return number;
  }

  /** @returns the root */
  finish(): number {
    if (this.#leaves.length === 0) return this.#close(false);
    if (this.#open.length > 0) this.#leaves.push(this.#close(true));
    const root = this.#writer.reserveNumbers(1);
    writePlain(this.#writer, root, `<<\n/Kids [${this.#leaves.map((number) => `${number} 0 R`).join(' ')}]\n>>`);
    return root;
  }
}
