// Checks PDF files by the rules of veraPDF's published profiles (veraPDF-validation-profiles: PDFUA-1, PDFA-3B, PDFA-2B,
// PDFA-2U, PDFA-4, PDFA-4F and PDFUA-2), by their numbers; the predicates are ours.
//
// What is about things that our files never have (forms, media, optional content, Type 1 fonts, signatures) is checked by
// their absence. `NOT_EVALUATED` lists what nothing here evaluates. Beside these, each of the 106 rules of PDFUA-1.xml and the 146
// of PDFA-3B.xml is evaluated, as of veraPDF-validation-profiles 6f2a87f.

import {
  isDict,
  isName,
  Keyword,
  type PdfDict,
  PdfFile,
  PdfReader,
  PdfStream,
  type PdfValue,
  Ref,
} from '../../../golden/pdf-file.ts';

/** Rules that this checker does not evaluate, with the reason. */
export const NOT_EVALUATED: Readonly<Record<string, string>> = {
  'UA-1 7.2-30 to 7.2-32': 'hold as soon as the catalogue has a language, which 7.2-34 checks',
  'UA-1 7.21.4.2-2, A-3b 6.2.11.4.2-2': 'a CIDSet, which our fonts do not have (its absence is checked)',
  'A-3b 6.1.6-1, 6.1.6-2, 6.1.9-1, 6.1.4-2': 'spacing of objects and strings; qpdf --check reads all of them',
  'A-3b 6.1.8-1': 'names in UTF-8: all of ours are ASCII',
  'A-3b 6.2.4.2-1, 6.2.4.4-1, 6.2.4.4-2':
    'ICC-based, DeviceN and Separation colours, which our files do not have (absence checked)',
  'A-3b 6.2.8.3-1 to -5': 'JPEG 2000, which our files do not have (absence checked)',
  'UA-2 of ISO 32005': 'what may be in what, beyond the tables, lists and headings of UA-1: 1,600 of the 1,689 rules',
  'A-2b, A-2u, A-4, A-4f': 'evaluated by the rules of A-3b, which say the same, and by those of their own that differ',
  'A-3b 6.6.2.3.1-2': 'types of XMP values: xmllint and the fixed form of the packet stand for it',
};

interface Element {
  readonly type: string;
  readonly dict: PdfDict;
  readonly parent: Element | null;
  readonly kids: Element[];
}

/** Marked content of a page or form: what each operator that paints is in. */
interface Painted {
  readonly page: number;
  readonly tag: string | null;
  readonly id: number | null;
}

const STANDARD = new Set(
  'Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu WT WP Figure Formula Form'.split(
    ' ',
  ),
);
const PAINTING = new Set(['f', 'f*', 'S', 'B', 'b', 's', 'F', 'Do', 'sh', 'Tj', 'TJ']);

export class Model {
  readonly file: PdfFile;
  readonly text: string;
  readonly catalog: PdfDict;
  readonly info: PdfDict;
  readonly dicts: PdfDict[] = [];
  readonly streams: PdfStream[] = [];
  readonly pages: PdfDict[] = [];
  readonly elements: Element[] = [];
  readonly painted: Painted[] = [];
  /** By page, the identifiers that the structure refers to. */
  readonly used = new Map<PdfValue, Set<number>>();
  readonly unknownOperators: string[] = [];
  readonly undefinedNames: string[] = [];
  deepest = 0;
  /** Codes shown by font. */
  readonly shown = new Map<PdfValue, Set<number>>();

  constructor(bytes: Uint8Array) {
    this.file = new PdfFile(bytes);
    this.text = Buffer.from(bytes).toString('latin1');
    this.catalog = this.file.dict(this.file.trailer.get('/Root'));
    this.info = this.file.dict(this.file.trailer.get('/Info'));
    this.#walk(this.file.trailer.get('/Root') ?? null, new Set());
    this.#readPages(this.catalog.get('/Pages') ?? null);
    const root = this.file.dict(this.catalog.get('/StructTreeRoot'));
    for (const kid of this.list(root.get('/K'))) this.#readElement(kid, null);
    for (const [i, page] of this.pages.entries()) {
      const content = this.file.resolve(page.get('/Contents'));
      if (content instanceof PdfStream) this.#readContent(content, this.file.dict(page.get('/Resources')), i, null);
    }
  }

  list(value: PdfValue | undefined): readonly PdfValue[] {
    const resolved = this.file.resolve(value);
    return resolved === null ? [] : Array.isArray(resolved) ? resolved : [value ?? null];
  }

  #walk(value: PdfValue, seen: Set<number>): void {
    if (value instanceof Ref) {
      if (seen.has(value.number)) return;
      seen.add(value.number);
      this.#walk(this.file.resolve(value), seen);
    } else if (value instanceof PdfStream) {
      this.streams.push(value);
      this.#walk(value.dict, seen);
    } else if (isDict(value)) {
      this.dicts.push(value);
      for (const each of value.values()) this.#walk(each, seen);
    } else if (Array.isArray(value)) for (const each of value) this.#walk(each, seen);
  }

  #readPages(node: PdfValue): void {
    const dict = this.file.dict(node);
    if (dict.get('/Type') === '/Page') this.pages.push(dict);
    else for (const kid of this.list(dict.get('/Kids'))) this.#readPages(kid);
  }

  #readElement(value: PdfValue, parent: Element | null): void {
    const dict = this.file.dict(value);
    const element: Element = { type: String(dict.get('/S')).slice(1), dict, parent, kids: [] };
    this.elements.push(element);
    parent?.kids.push(element);
    for (const kid of this.list(dict.get('/K'))) {
      const resolved = this.file.resolve(kid);
      if (typeof resolved === 'number') this.#use(this.file.resolve(dict.get('/Pg')), resolved);
      else if (isDict(resolved) && resolved.get('/Type') === '/MCR') {
        const at = resolved.get('/Stm') ?? resolved.get('/Pg') ?? dict.get('/Pg');
        this.#use(this.file.resolve(at), Number(resolved.get('/MCID')));
      } else if (isDict(resolved) && resolved.has('/S')) this.#readElement(kid, element);
    }
  }

  #use(stream: PdfValue, id: number): void {
    const used = this.used.get(stream) ?? new Set();
    if (used.has(id)) throw new Error(`marked content ${id} is of two elements`);
    this.used.set(stream, used.add(id));
  }

  /** @param around what the form is in, which is shown; null = nothing */
  #readContent(stream: PdfStream, resources: PdfDict, page: number, around: Painted | null): void {
    const reader = new PdfReader(stream.data());
    const open: Painted[] = around ? [around] : [];
    let operands: PdfValue[] = [];
    let font: PdfValue = null;
    /** The fonts in force outside. */
    const saved: PdfValue[] = [];
    const named = (kind: `/${string}`, name: PdfValue | undefined) => {
      const value = this.file.resolve(this.file.dict(resources.get(kind)).get(name as `/${string}`));
      if (value === null) this.undefinedNames.push(String(name));
      return value;
    };
    for (let value = reader.read(); value !== undefined; value = reader.read()) {
      if (!(value instanceof Keyword)) {
        operands.push(value);
        continue;
      }
      const { word } = value;
      if (!OPERATORS.has(word)) this.unknownOperators.push(word);
      if (word === 'BMC' || word === 'BDC') {
        const properties = operands[1];
        const id = isDict(properties) ? properties.get('/MCID') : undefined;
        open.push({ page, tag: String(operands[0]).slice(1), id: typeof id === 'number' ? id : null });
        if (typeof id === 'number' && around) this.painted.push({ page, tag: 'nested', id });
      } else if (word === 'EMC') open.pop();
      else if (word === 'q') this.deepest = Math.max(this.deepest, saved.push(font));
      else if (word === 'Q') font = saved.pop() ?? null;
      else if (word === 'Tf') font = named('/Font', operands[0]);
      if (word === 'Tj' || word === 'TJ') {
        for (const part of operands.flat()) if (part instanceof Uint8Array) this.#show(font, part);
      }
      if (word === 'gs') named('/ExtGState', operands[0]);
      if (PAINTING.has(word)) {
        const own = open.findLast(({ id, tag }) => id !== null || tag === 'Artifact') ?? { page, tag: null, id: null };
        const form = word === 'Do' ? named('/XObject', operands[0]) : null;
        const isForm = form instanceof PdfStream && form.dict.get('/Subtype') === '/Form';
        if (isForm) {
          this.#readContent(form, this.file.dict(form.dict.get('/Resources')), page, own.tag === null ? null : own);
        } else this.painted.push(own);
      }
      operands = [];
    }
  }

  #show(font: PdfValue, codes: Uint8Array): void {
    const known = this.shown.get(font) ?? new Set();
    this.shown.set(font, known);
    for (let i = 0; i + 1 < codes.length; i += 2) known.add((codes[i] ?? 0) * 256 + (codes[i + 1] ?? 0));
  }

  get metadata(): string {
    const stream = this.file.resolve(this.catalog.get('/Metadata'));
    return stream instanceof PdfStream ? Buffer.from(stream.data()).toString() : '';
  }

  annotations(): readonly { readonly page: PdfDict; readonly dict: PdfDict }[] {
    return this.pages.flatMap((page) =>
      this.list(page.get('/Annots')).map((each) => ({ page, dict: this.file.dict(each) })),
    );
  }

  /** The element that a key of the parent tree leads to. */
  parentOf(key: PdfValue | undefined): string | null {
    const root = this.file.dict(this.catalog.get('/StructTreeRoot'));
    const find = (node: PdfDict): PdfValue => {
      for (const kid of this.list(node.get('/Kids'))) {
        const found = find(this.file.dict(kid));
        if (found !== null) return found;
      }
      const nums = this.list(node.get('/Nums'));
      for (let i = 0; i + 1 < nums.length; i += 2) if (nums[i] === key) return nums[i + 1] ?? null;
      return null;
    };
    const element = this.file.dict(find(this.file.dict(root.get('/ParentTree'))));
    return element.has('/S') ? String(element.get('/S')).slice(1) : null;
  }

  fonts(): readonly PdfDict[] {
    return this.dicts.filter((dict) => dict.get('/Type') === '/Font' && dict.get('/Subtype') === '/Type0');
  }

  ofType(...types: string[]): readonly Element[] {
    return this.elements.filter(({ type }) => types.includes(type));
  }
}

const OPERATORS = new Set(
  'b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EI EMC ET EX f F f* G g gs h i ID j J K k l m M MP n q Q re RG rg ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y'.split(
    ' ',
  ),
);

type Rule = readonly [ids: string, check: (model: Model) => boolean | readonly string[]];

const kidsAre = (model: Model, type: string, ...allowed: string[]) =>
  model
    .ofType(type)
    .flatMap(({ kids }) => kids.filter((kid) => !allowed.includes(kid.type)).map((kid) => `${kid.type} in ${type}`));
/** Whether each note has a name, and no two have one. */
const named = (model: Model) => {
  const names = model.ofType('Note').map(({ dict }) => String(dict.get('/ID') ?? ''));
  return !names.includes('') && new Set(names).size === names.length;
};

const parentIs = (model: Model, type: string, ...allowed: string[]) =>
  model
    .ofType(type)
    .filter(({ parent }) => !allowed.includes(parent?.type ?? ''))
    .map(({ parent }) => `${type} in ${parent?.type}`);
const lacks = (model: Model, ...keys: `/${string}`[]) =>
  keys.filter((key) => model.catalog.has(key) || model.dicts.some((dict) => dict.has(key))).map((key) => `has ${key}`);
const span = (element: Element, key: '/ColSpan' | '/RowSpan') => {
  const attributes = element.dict.get('/A');
  return isDict(attributes) ? Number(attributes.get(key) ?? 1) : 1;
};

/** Rows of a table with fewer or more columns than others, and cells that overlap. */
function irregular(model: Model): readonly string[] {
  return model.ofType('Table').flatMap((table) => {
    const taken = new Set<string>();
    const faults: string[] = [];
    const widths = table.kids.map((row, y) => {
      let x = 0;
      for (const cell of row.kids) {
        while (taken.has(`${x} ${y}`)) x += 1;
        for (let dy = 0; dy < span(cell, '/RowSpan'); dy += 1) {
          for (let dx = 0; dx < span(cell, '/ColSpan'); dx += 1) {
            const key = `${x + dx} ${y + dy}`;
            if (taken.has(key)) faults.push(`cells overlap in row ${y}`);
            taken.add(key);
          }
        }
      }
      return y;
    });
    const columns = widths.map((y) => [...taken].filter((key) => key.endsWith(` ${y}`)).length);
    if (new Set(columns).size > 1) faults.push(`rows of ${[...new Set(columns)].join(', ')} columns`);
    return faults;
  });
}

/** Cells with no header above: a table that has headers has one for each. */
function headless(model: Model): readonly string[] {
  return model.ofType('TH').flatMap(({ dict }) => {
    const attributes = dict.get('/A');
    return isDict(attributes) && attributes.has('/Scope') ? [] : ['a TH has no scope'];
  });
}

function headings(model: Model): readonly string[] {
  let last = 0;
  return model.elements.flatMap(({ type }) => {
    const level = Number(/^H([1-6])$/.exec(type)?.[1] ?? 0);
    if (level === 0) return [];
    const isWrong = level > last + 1;
    const before = last;
    last = level;
    return isWrong ? [`H${level} after ${before}`] : [];
  });
}

/** Widths of the font dictionary that differ from those of the font program by more than a thousandth. */
function widths(model: Model): readonly string[] {
  return model.fonts().flatMap((font) => {
    const descendant = model.file.dict(model.list(font.get('/DescendantFonts'))[0]);
    const descriptor = model.file.dict(descendant.get('/FontDescriptor'));
    const [, list] = model.list(descendant.get('/W'));
    const said = (Array.isArray(list) ? list : []).map(Number);
    const program = model.file.resolve(descriptor.get('/FontFile2'));
    if (!(program instanceof PdfStream)) return [];
    const data = Buffer.from(program.data());
    const tables = new Map<string, number>();
    for (let i = 0; i < data.readUInt16BE(4); i += 1) {
      tables.set(data.toString('latin1', 12 + 16 * i, 16 + 16 * i), data.readUInt32BE(20 + 16 * i));
    }
    const em = data.readUInt16BE((tables.get('head') ?? 0) + 18);
    const hmtx = tables.get('hmtx') ?? 0;
    return said.flatMap((width, i) => {
      const own = (data.readUInt16BE(hmtx + 4 * i) * 1000) / em;
      return Math.abs(own - width) > 1 ? [`glyph ${i}: ${width} and ${own}`] : [];
    });
  });
}

/** Codes that are shown and have no text, or one that is no text. */
function untexted(model: Model): readonly string[] {
  return [...model.shown].flatMap(([font, codes]) => {
    const stream = model.file.resolve(model.file.dict(font).get('/ToUnicode'));
    const map = stream instanceof PdfStream ? Buffer.from(stream.data()).toString('latin1') : '';
    const texts = new Map<number, string>();
    for (const [, from = '', list = ''] of map.matchAll(/^<([0-9a-f]{4})> <[0-9a-f]{4}> \[(.*)\]$/gm)) {
      for (const [i, [, text = '']] of [...list.matchAll(/<([0-9a-f]*)>/g)].entries())
        texts.set(Number.parseInt(from, 16) + i, text);
    }
    return [...codes].flatMap((code) => {
      const text = texts.get(code) ?? '';
      const isBad = text === '' || (text.match(/.{4}/g) ?? []).some((unit) => /^(0000|feff|fffe)$/.test(unit));
      return isBad ? [`code ${code}: ${text}`] : [];
    });
  });
}

const has = (model: Model, pattern: RegExp) => pattern.test(model.metadata);
const paintedWrong = (model: Model) =>
  model.painted.filter(({ tag }) => tag === null).map(({ page }) => `page ${page + 1}`);
const annotationsLack = (model: Model, test: (dict: PdfDict, page: PdfDict) => boolean) =>
  model
    .annotations()
    .filter(({ dict, page }) => !test(dict, page))
    .map(({ dict }) => String(dict.get('/Subtype')));

const FONTS: readonly Rule[] = [
  ['UA-1 7.21.3.1-1, A-3b 6.2.11.3.1-1', (m) => m.fonts().every((font) => font.get('/Encoding') === '/Identity-H')],
  [
    'UA-1 7.21.3.2-1, A-3b 6.2.11.3.2-1',
    (m) =>
      m.dicts.every((dict) => dict.get('/Subtype') !== '/CIDFontType2' || dict.get('/CIDToGIDMap') === '/Identity'),
  ],
  ['UA-1 7.21.3.3-1 to -3, A-3b 6.2.11.3.3-1 to -3', (m) => m.fonts().every((font) => isName(font.get('/Encoding')))],
  [
    'UA-1 7.21.4.1-1, A-3b 6.2.11.4.1-1',
    (m) =>
      m.dicts
        .filter((dict) => dict.get('/Type') === '/FontDescriptor')
        .every((dict) => dict.has('/FontFile2') || dict.has('/FontFile3')),
  ],
  [
    'UA-1 7.21.4.1-2, A-3b 6.2.11.4.1-2',
    (m) => [...m.shown].every(([font, codes]) => Math.max(...codes) < glyphCount(m, font)),
  ],
  ['UA-1 7.21.4.2-1, 7.21.4.2-2, A-3b 6.2.11.4.2-1, -2', (m) => lacks(m, '/CharSet', '/CIDSet')],
  ['UA-1 7.21.5-1, A-3b 6.2.11.5-1', widths],
  [
    'UA-1 7.21.6-1 to -4, A-3b 6.2.11.6-1 to -4, 6.2.11.2-4 to -6',
    (m) =>
      m.dicts.every((dict) => !['/TrueType', '/Type1', '/MMType1', '/Type3'].includes(String(dict.get('/Subtype')))),
  ],
  ['UA-1 7.21.7-1, 7.21.7-2, A-2u 6.2.11.7.2-1', untexted],
  ['UA-1 7.21.8-1, A-3b 6.2.11.8-1', (m) => [...m.shown.values()].every((codes) => !codes.has(0))],
  ['A-3b 6.2.11.2-1 to -3', (m) => m.fonts().every((font) => isName(font.get('/BaseFont')))],
  [
    'A-3b 6.2.11.2-7',
    (m) => m.streams.every(({ dict }) => !dict.has('/Subtype') || dict.get('/Subtype') !== '/Type1C'),
  ],
];

function glyphCount(model: Model, font: PdfValue): number {
  const descendant = model.file.dict(model.list(model.file.dict(font).get('/DescendantFonts'))[0]);
  const [, list] = model.list(descendant.get('/W'));
  return Array.isArray(list) ? list.length : 0;
}

const ACCESSIBLE: readonly Rule[] = [
  ['UA-1 5-1, 5-3 to 5-5', (m) => has(m, /<pdfuaid:part>\d<\/pdfuaid:part>/)],
  ['UA-1 6.2-1', (m) => m.file.dict(m.catalog.get('/MarkInfo')).get('/Marked') === true],
  ['UA-1 7.1-1, 7.1-2', (m) => m.painted.filter(({ tag }) => tag === 'nested').map(({ page }) => `page ${page + 1}`)],
  ['UA-1 7.1-3', paintedWrong],
  [
    'UA-1 7.1-3 (each content is of an element)',
    (m) =>
      m.painted.flatMap(({ id, page }) => {
        const at = m.pages[page] ?? null;
        const known = [...m.used].some(
          ([stream, ids]) => id === null || (ids.has(id) && (stream === at || stream instanceof PdfStream)),
        );
        return known || id === null ? [] : [`page ${page + 1}: ${id}`];
      }),
  ],
  ['UA-1 7.1-4', (m) => m.file.dict(m.catalog.get('/MarkInfo')).get('/Suspects') !== true],
  [
    'UA-1 7.1-5 to 7.1-7',
    (m) =>
      m.elements
        .filter(({ type, dict }) => !STANDARD.has(type) && !(type === 'FENote' && dict.has('/NS')))
        .map(({ type }) => type),
  ],
  ['UA-1 7.1-8', (m) => m.metadata !== ''],
  ['UA-1 7.1-9', (m) => has(m, /<dc:title><rdf:Alt><rdf:li xml:lang="x-default">[^<]/)],
  ['UA-1 7.1-10', (m) => m.file.dict(m.catalog.get('/ViewerPreferences')).get('/DisplayDocTitle') === true],
  ['UA-1 7.1-11', (m) => m.catalog.has('/StructTreeRoot') && m.elements[0]?.type === 'Document'],
  ['UA-1 7.1-12', (m) => m.elements.every(({ dict }) => dict.has('/P'))],
  ['UA-1 7.2-2, 7.2-21 to 7.2-25, 7.2-33, 7.2-34', (m) => m.catalog.has('/Lang')],
  [
    'UA-1 7.2-29',
    (m) =>
      [m.catalog, ...m.elements.map(({ dict }) => dict)].every((dict) => {
        const lang = dict.get('/Lang');
        return !lang || /^[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*$/.test(Buffer.from(lang as Uint8Array).toString('latin1'));
      }),
  ],
  ['UA-1 7.2-3, 7.2-11 to 7.2-14, 7.2-16, 7.2-39', (m) => kidsAre(m, 'Table', 'TR')],
  ['UA-1 7.2-4', (m) => parentIs(m, 'TR', 'Table')],
  ['UA-1 7.2-5 to 7.2-7, 7.2-36 to 7.2-38', (m) => m.ofType('THead', 'TBody', 'TFoot').length === 0],
  ['UA-1 7.2-8', (m) => parentIs(m, 'TH', 'TR')],
  ['UA-1 7.2-9', (m) => parentIs(m, 'TD', 'TR')],
  ['UA-1 7.2-10', (m) => kidsAre(m, 'TR', 'TH', 'TD')],
  ['UA-1 7.2-15, 7.2-41 to 7.2-43', irregular],
  ['UA-1 7.2-17', (m) => parentIs(m, 'LI', 'L')],
  ['UA-1 7.2-18', (m) => parentIs(m, 'LBody', 'LI')],
  ['UA-1 7.2-19, 7.2-40', (m) => kidsAre(m, 'L', 'LI')],
  ['UA-1 7.2-20', (m) => kidsAre(m, 'LI', 'LBody', 'Lbl')],
  ['UA-1 7.2-26 to 7.2-28', (m) => m.ofType('TOC', 'TOCI').length === 0],
  ['UA-1 7.3-1', (m) => m.ofType('Figure').every(({ dict }) => (dict.get('/Alt') as Uint8Array | undefined)?.length)],
  ['UA-1 7.4.2-1', headings],
  ['UA-1 7.4.4-1 to 7.4.4-3', (m) => m.ofType('H').length === 0],
  ['UA-1 7.5-1, 7.5-2', headless],
  ['UA-1 7.7-1', (m) => m.ofType('Formula').length === 0],
  ['UA-1 7.9-1, 7.9-2', named],
  ['UA-1 7.10-1, 7.10-2, 7.15-1, A-3b 6.9-1 to -4', (m) => lacks(m, '/OCProperties', '/AcroForm', '/OCGs')],
  ['UA-1 7.16-1, A-3b 6.1.3-2', (m) => !m.file.trailer.has('/Encrypt')],
  [
    'UA-1 7.18.1-1, -3, 7.18.2-1, 7.18.4-1, -2, 7.18.6.2-1, -2, 7.18.8-1',
    (m) => annotationsLack(m, (dict) => dict.get('/Subtype') === '/Link'),
  ],
  [
    'UA-1 7.18.1-2, 7.18.5-2',
    (m) => annotationsLack(m, (dict) => (dict.get('/Contents') as Uint8Array | undefined)?.length !== undefined),
  ],
  ['UA-1 7.18.3-1', (m) => annotationsLack(m, (_, page) => page.get('/Tabs') === '/S')],
  ['UA-1 7.18.5-1', (m) => annotationsLack(m, (dict) => m.parentOf(dict.get('/StructParent')) === 'Link')],
  [
    'UA-1 7.20-1, A-3b 6.2.9-1 to -3',
    (m) =>
      m.streams.every(({ dict }) => !['/Ref', '/OPI', '/PS', '/Subtype2'].some((key) => dict.has(key as `/${string}`))),
  ],
  [
    'UA-1 7.20-2',
    (m) => [...m.used.keys()].every((stream) => !(stream instanceof PdfStream) || stream.dict.has('/StructParents')),
  ],
];

const ARCHIVE: readonly Rule[] = [
  ['A-3b 6.1.2-2', (m) => /^%[\x80-\xff]{4}/.test(m.text.slice(9))],
  ['A-3b 6.1.3-1', (m) => m.list(m.file.trailer.get('/ID')).length === 2],
  ['A-3b 6.1.3-3', (m) => /%%EOF\n?$/.test(m.text)],
  [
    'A-3b 6.1.7.1-1, 6.1.7.1-2',
    (m) =>
      m.streams.every(({ raw }) => raw.length >= 0) && !/[^\r\n]endstream/.test(m.text.replace(/\nendstream/g, '')),
  ],
  [
    'A-3b 6.1.7.1-3',
    (m) => m.streams.every(({ dict }) => !['/FFilter', '/FDecodeParms'].some((key) => dict.has(key as `/${string}`))),
  ],
  [
    'A-3b 6.1.7.2-1, 6.1.10-1',
    (m) =>
      m.streams.every(({ dict }) => ['undefined', '/FlateDecode', '/DCTDecode'].includes(String(dict.get('/Filter')))),
  ],
  ['A-3b 6.1.12-1, -2, 6.4.3-1 to -3', (m) => lacks(m, '/Perms', '/ByteRange')],
  [
    'A-3b 6.1.13-1, -2, -5',
    (m) =>
      !/(?<![\d.])\d{11,}(?![\d.])/.test(
        m.dicts.map((dict) => [...dict.values()].filter((value) => typeof value === 'number').join(' ')).join(' '),
      ),
  ],
  [
    'A-3b 6.1.13-3',
    (m) =>
      m.dicts.every((dict) =>
        [...dict.values()].every((value) => !(value instanceof Uint8Array) || value.length < 32_768),
      ),
  ],
  [
    'A-3b 6.1.13-4',
    (m) =>
      m.dicts.every((dict) =>
        [...dict.keys(), ...dict.values()].every((value) => !isName(value) || value.length <= 128),
      ),
  ],
  ['A-3b 6.1.13-7', (m) => Number(m.file.trailer.get('/Size')) < 8_388_607],
  ['A-3b 6.1.13-8', (m) => m.deepest <= 28],
  ['A-3b 6.1.13-9, -10', (m) => m.fonts().length < 65_536],
  [
    'A-3b 6.1.13-11',
    (m) =>
      m.pages.every((page) =>
        (['/MediaBox', '/CropBox', '/TrimBox', '/BleedBox'] as const).every((key) => {
          const [a = 0, b = 0, c = 3, d = 3] = m.list(page.get(key)).map(Number);
          return [c - a, d - b].every((side) => side >= 3 && side <= 14_400);
        }),
      ),
  ],
  ['A-3b 6.2.2-1', (m) => m.unknownOperators],
  ['A-3b 6.2.2-2', (m) => m.undefinedNames],
  [
    'A-3b 6.2.3-1, 6.2.3-2',
    (m) => {
      const intents = m.list(m.catalog.get('/OutputIntents')).map((each) => m.file.dict(each));
      const profile = m.file.resolve(intents[0]?.get('/DestOutputProfile'));
      const bytes = profile instanceof PdfStream ? Buffer.from(profile.data()) : Buffer.alloc(128);
      return (
        intents.length === 1 &&
        intents[0]?.get('/S') === '/GTS_PDFA1' &&
        bytes.readUInt32BE(0) === bytes.length &&
        bytes.toString('latin1', 12, 20) === 'mntrRGB ' &&
        bytes.toString('latin1', 36, 40) === 'acsp' &&
        (bytes[8] ?? 9) < 5
      );
    },
  ],
  ['A-3b 6.2.3-3', (m) => lacks(m, '/DestOutputProfileRef')],
  [
    'A-3b 6.2.4.2-1, -2, 6.2.4.3-2 to -4, 6.2.4.4-1, -2',
    (m) =>
      m.dicts.every((dict) => {
        const space = dict.get('/ColorSpace');
        return space === undefined || space === '/DeviceRGB' || space === '/DeviceGray';
      }),
  ],
  ['A-3b 6.2.5-1 to -6', (m) => lacks(m, '/TR', '/TR2', '/HTP', '/HTO', '/HalftoneType', '/TransferFunction')],
  ['A-3b 6.2.6-1', (m) => lacks(m, '/RI', '/Intent')],
  ['A-3b 6.2.8-1, -2', (m) => lacks(m, '/Alternates', '/OPI')],
  ['A-3b 6.2.8-3', (m) => m.dicts.every((dict) => dict.get('/Interpolate') !== true)],
  [
    'A-3b 6.2.8-4, -5, 6.2.8.3-1 to -5',
    (m) =>
      m.dicts.every(
        (dict) =>
          dict.get('/Subtype') !== '/Image' ||
          (dict.get('/BitsPerComponent') === 8 && dict.get('/Filter') !== '/JPXDecode'),
      ),
  ],
  [
    'A-3b 6.2.10-1, -2',
    (m) =>
      m.dicts.every(
        (dict) =>
          !dict.has('/BM') ||
          /^\/(Normal|Multiply|Screen|Overlay|Darken|Lighten|ColorDodge|ColorBurn|HardLight|SoftLight|Difference|Exclusion|Hue|Saturation|Color|Luminosity)$/.test(
            String(dict.get('/BM')),
          ),
      ),
  ],
  [
    'A-3b 6.3.1-1, 6.3.3-1 to -4',
    (m) => annotationsLack(m, (dict) => dict.get('/Subtype') === '/Link' && !dict.has('/AP')),
  ],
  ['A-3b 6.3.2-1, 6.3.2-2', (m) => annotationsLack(m, (dict) => dict.get('/F') === 4)],
  ['A-3b 6.4.1-1 to -3, 6.4.2-1, -2', (m) => lacks(m, '/AcroForm', '/XFA', '/NeedsRendering')],
  [
    'A-3b 6.5.1-1, -2',
    (m) => annotationsLack(m, (dict) => !dict.has('/A') || m.file.dict(dict.get('/A')).get('/S') === '/URI'),
  ],
  [
    'A-3b 6.5.2-1, -2, 6.10-1, -2, 6.11-1',
    (m) => lacks(m, '/AA', '/AlternatePresentations', '/PresSteps', '/Requirements'),
  ],
  ['A-3b 6.6.2.1-1, -4, -5', (m) => m.metadata.includes('</x:xmpmeta>') && !m.metadata.includes('\ufffd')],
  ['A-3b 6.6.2.1-2, -3', (m) => !/<\?xpacket[^>]*(bytes|encoding)=/.test(m.metadata)],
  [
    'A-3b 6.6.2.3.1-1, 6.6.2.3.2-1, 6.6.2.3.3-1 to -18',
    (m) => {
      if (has(m, /<pdfaid:part>4</)) return true;
      const used = new Set(
        [...m.metadata.matchAll(/<(pdfuaid|fx):(\w+)>/g)].map(([, prefix, name]) => `${prefix}:${name}`),
      );
      return [...used].filter((name) => {
        const [prefix, own] = name.split(':');
        const schema =
          m.metadata.split('<pdfaSchema:schema>').find((each) => each.includes(`<pdfaSchema:prefix>${prefix}<`)) ?? '';
        return !new RegExp(
          `<pdfaProperty:name>${own}</pdfaProperty:name><pdfaProperty:valueType>\\w+</pdfaProperty:valueType><pdfaProperty:category>(internal|external)</pdfaProperty:category><pdfaProperty:description>`,
        ).test(schema);
      });
    },
  ],
  [
    'A-3b 6.8-1',
    (m) =>
      m.streams.every(
        ({ dict }) =>
          dict.get('/Type') !== '/EmbeddedFile' || /^\/[-\w+.]+\/[-\w+.]+$/.test(String(dict.get('/Subtype'))),
      ),
  ],
  [
    'UA-1 7.11-1, A-3b 6.8-2 to 6.8-4',
    (m) =>
      m.dicts
        .filter((dict) => dict.has('/EF'))
        .every(
          (dict) =>
            dict.has('/F') &&
            dict.has('/UF') &&
            dict.has('/AFRelationship') &&
            m.list(m.catalog.get('/AF')).some((each) => m.file.dict(each) === dict),
        ),
  ],
];

const identified = (part: number, conformance: string | null): Rule => [
  'A-3b 6.6.4-1 to -7',
  (m) =>
    has(m, new RegExp(`<pdfaid:part>${part}</pdfaid:part>`)) &&
    (conformance === null
      ? !m.metadata.includes('pdfaid:conformance')
      : has(m, new RegExp(`<pdfaid:conformance>${conformance}</pdfaid:conformance>`))),
];
const VERSION_1: Rule = ['UA-1 6.1-1, A-3b 6.1.2-1', (m) => /^%PDF-1\.[0-7]\n/.test(m.text)];
const VERSION_2: Rule = ['A-4 6.1.2-1, UA-2 6.1-1', (m) => /^%PDF-2\.\d\n/.test(m.text)];
const FOUR: readonly Rule[] = [
  VERSION_2,
  ['A-4 6.1.3-4, -5', (m) => !m.file.trailer.has('/Info')],
  ['A-4 6.7.3-5', (m) => has(m, /<pdfaid:rev>\d{4}</)],
];
const isElement = (m: Model, destination: PdfValue | undefined) => m.file.dict(m.list(destination)[0]).has('/S');

/** The rules of each level. */
const LEVELS: Readonly<Record<string, readonly Rule[]>> = {
  'UA-1': [...ACCESSIBLE, ...FONTS, VERSION_1, ['UA-1 5-2', (m) => has(m, /<pdfuaid:part>1</)]],
  'A-2b': [...ARCHIVE, ...FONTS, VERSION_1, identified(2, 'B'), ['A-2b 6.8-5', (m) => !m.catalog.has('/AF')]],
  'A-2u': [...ARCHIVE, ...FONTS, VERSION_1, identified(2, 'U')],
  'A-3b': [...ARCHIVE, ...FONTS, VERSION_1, identified(3, 'B')],
  'A-4': [...ARCHIVE, ...FONTS, ...FOUR, identified(4, null)],
  'A-4f': [
    ...ARCHIVE,
    ...FONTS,
    ...FOUR,
    identified(4, 'F'),
    ['A-4f 6.9-5', (m) => m.file.dict(m.catalog.get('/Names')).has('/EmbeddedFiles')],
  ],
  'UA-2': [
    ...ACCESSIBLE,
    ...FONTS,
    VERSION_2,
    ['UA-2 5-2, 5-5', (m) => has(m, /<pdfuaid:part>2</) && has(m, /<pdfuaid:rev>\d{4}</)],
    [
      'UA-2 8.2.5.2-1, -2',
      (m) =>
        m.elements.filter(({ parent }) => parent === null).length === 1 &&
        Buffer.from((m.file.dict(m.elements[0]?.dict.get('/NS')).get('/NS') as Uint8Array) ?? []).toString() ===
          'http://iso.org/pdf2/ssn',
    ],
    // No notes of PDF 1.7; those of PDF 2.0 and what cites them refer to each other.
    [
      'UA-2 8.2.5.14',
      (m) =>
        m.ofType('Note').length === 0 &&
        m.ofType('FENote').every(({ dict }) => {
          const cited = m.list(dict.get('/Ref')).map((mark) => m.list(m.file.dict(mark).get('/Ref')));
          return cited.length > 0 && cited.every((notes) => notes.some((note) => m.file.dict(note) === dict));
        }) &&
        m.elements.flatMap(({ dict }) => m.list(dict.get('/Ref'))).every((other) => m.file.dict(other).has('/Ref')),
    ],
    [
      'UA-2 8.8-1',
      (m) =>
        [
          ...m.dicts.filter((dict) => dict.has('/Dest') && !isName(dict.get('/Dest'))).map((dict) => dict.get('/Dest')),
          ...m.file.dict(m.catalog.get('/Dests')).values(),
        ].every((destination) => isElement(m, destination)),
    ],
    ['UA-2 8.14.1-1', (m) => m.dicts.filter((dict) => dict.has('/EF')).every((dict) => dict.has('/Desc'))],
  ],
};

/** The rules of a level that a file breaks, with where; none = it conforms, as far as this checks. */
export function faultsOf(bytes: Uint8Array, level: string): readonly string[] {
  const model = new Model(bytes);
  return (LEVELS[level] ?? []).flatMap(([ids, check]) => {
    const found = check(model);
    if (found === true || (Array.isArray(found) && found.length === 0)) return [];
    return [`${ids}: ${Array.isArray(found) ? [...new Set(found)].slice(0, 3).join('; ') : 'broken'}`];
  });
}

/** The rules of a level that are evaluated, by their numbers in veraPDF's profiles. */
export const rulesOf = (level: string): readonly string[] => (LEVELS[level] ?? []).map(([ids]) => ids);
