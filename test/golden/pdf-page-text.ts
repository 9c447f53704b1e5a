// Converts a one-page PDF's drawing to readable text, which is what a PDF golden holds.
//
// There is one operator per line, indented by nesting, with rounded numbers, fonts by name, and glyphs as the text that
// their font maps them to; then the resources that the operators name, and the structure: what a screen reader reads.
// Object numbers, order and compression have no effect on the text.

import {
  isDict,
  isName,
  Keyword,
  type PdfDict,
  PdfFile,
  type PdfName,
  PdfReader,
  PdfStream,
  type PdfValue,
} from './pdf-file.ts';

const OPENING = new Set(['q', 'BT', 'BDC', 'BMC']);
const CLOSING = new Set(['Q', 'ET', 'EMC']);
/** Left out: their meaning is clear from the place, or they would be the same in every golden. */
const SILENT_KEYS = new Set<PdfName>(['/Type', '/Length', '/Filter', '/ProcSet', '/Parent', '/FormType', '/Resources']);

const IN_EVERY_FILE = new Set<PdfName>([
  ...(['/Type', '/Pages', '/Producer', '/Creator', '/CreationDate', '/MarkInfo', '/StructTreeRoot'] as const),
]);
/** Of annotations and streams: they lead to the structure, which is written by itself. */
const TO_STRUCTURE = new Set<PdfName>(['/StructParent', '/StructParents']);

export function pageText(bytes: Uint8Array): string {
  const file = new PdfFile(bytes);
  const catalog = file.dict(file.trailer.get('/Root'));
  const pages = file.dict(catalog.get('/Pages'));
  const kids = file.resolve(pages.get('/Kids'));
  if (!Array.isArray(kids) || kids.length !== 1) throw new Error('expected a single page');
  const writer = new PageWriter(file);
  const page = writer.page(file.dict(kids[0] as PdfValue));
  const structure = writer.structure(catalog.get('/StructTreeRoot'));
  return page + structure + writer.document(catalog, file.dict(file.trailer.get('/Info')));
}

class PageWriter {
  readonly #file: PdfFile;
  readonly #lines: string[] = [];
  /** Resources that the content has named and that are not yet written, by heading. */
  readonly #pending = new Map<string, PdfValue>();
  readonly #headings = new Map<PdfValue, string>();
  /** The text of each marked content, by its stream. */
  readonly #marked = new Map<PdfValue, Map<number, string>>();

  constructor(file: PdfFile) {
    this.#file = file;
  }

  page(page: PdfDict): string {
    this.#lines.push(`page ${this.#show(page.get('/MediaBox'))}`);
    this.#content(page.get('/Contents'), this.#file.dict(page.get('/Resources')));
    for (const [heading, value] of this.#pending) this.#resource(heading, value);
    const annotations = this.#file.resolve(page.get('/Annots'));
    if (Array.isArray(annotations)) {
      for (const annotation of annotations) this.#lines.push('', `annotation ${this.#show(annotation as PdfValue)}`);
    }
    return `${this.#lines.join('\n')}\n`;
  }

  /** The elements with their text, as they are read; nothing if there are none. */
  structure(root: PdfValue | undefined): string {
    const lines = this.#element(this.#file.dict(root).get('/K') ?? null, 1);
    return lines.length > 1 ? `\nstructure\n${lines.join('\n')}\n` : '';
  }

  #element(value: PdfValue, depth: number): readonly string[] {
    const dict = this.#file.dict(value);
    const said = ['/Alt', '/Lang', '/A'] as const;
    const more = said.flatMap((key) => (dict.has(key) ? [` ${key.slice(1)} ${this.#show(dict.get(key))}`] : []));
    const kids = [this.#file.resolve(dict.get('/K'))].flat() as readonly PdfValue[];
    let text = '';
    const below = kids.flatMap((each) => {
      const kid = this.#file.resolve(each);
      if (typeof kid === 'number') text += this.#marked.get(null)?.get(kid) ?? '';
      if (!isDict(kid)) return [];
      if (kid.get('/Type') === '/OBJR') return [`${'  '.repeat(depth + 1)}annotation`];
      if (kid.get('/Type') !== '/MCR') return this.#element(each, depth + 1);
      const stream = this.#file.resolve(kid.get('/Stm'));
      text += this.#marked.get(stream)?.get(Number(kid.get('/MCID'))) ?? '';
      return [];
    });
    const words = text === '' ? '' : ` ${JSON.stringify(text)}`;
    return [`${'  '.repeat(depth)}${String(dict.get('/S')).slice(1)}${more.join('')}${words}`, ...below];
  }

  /** The document's metadata, without what every file has. */
  document(catalog: PdfDict, information: PdfDict): string {
    const said = new Map([...information, ...catalog].filter(([key]) => !IN_EVERY_FILE.has(key)));
    return said.size === 0 ? '' : `\ndocument ${this.#showDict(said)}\n`;
  }

  #content(contents: PdfValue | undefined, resources: PdfDict): void {
    const resolved = this.#file.resolve(contents);
    const marked = new Map<number, string>();
    this.#marked.set(this.#marked.size === 0 ? null : resolved, marked);
    /** Marked content that has begun: its identifier, null for an artefact, and what is in neither. */
    const begun: (number | null | 'other')[] = [];
    const streams = Array.isArray(resolved) ? resolved.map((part) => this.#file.resolve(part as PdfValue)) : [resolved];
    const reader = new PdfReader(
      Buffer.concat(streams.flatMap((part) => (part instanceof PdfStream ? [part.data(), Buffer.from('\n')] : []))),
    );
    const resource = (kind: PdfName, name: PdfValue | undefined): PdfValue =>
      isName(name) ? this.#file.resolve(this.#file.dict(resources.get(kind)).get(name)) : null;

    let depth = 1;
    let unicode: ReadonlyMap<number, string> = new Map();
    const saved: (typeof unicode)[] = [];
    let operands: PdfValue[] = [];
    for (let value = reader.read(); value !== undefined; value = reader.read()) {
      if (!(value instanceof Keyword)) {
        operands.push(value);
        continue;
      }
      const { word } = value;
      if (word === 'BMC' || word === 'BDC') {
        const properties = operands[1];
        const id = isDict(properties) ? properties.get('/MCID') : undefined;
        begun.push(typeof id === 'number' ? id : operands[0] === '/Artifact' ? null : 'other');
      }
      const mark = word === 'EMC' ? begun.pop() : word === 'BMC' || word === 'BDC' ? begun.at(-1) : 'other';
      if (mark !== 'other') {
        operands = [];
        continue;
      }
      let shown: string;
      if (word === 'Tf') {
        const font = resource('/Font', operands[0]);
        unicode = this.#toUnicode(font);
        shown = `${fontName(this.#file.dict(font))} ${this.#show(operands[1])}`;
      } else if (word === 'Tj' || word === 'TJ') {
        shown = operands
          .flat()
          .map((part) => this.#glyphs(part as PdfValue, unicode))
          .join(' ');
        const id = begun.findLast((each) => typeof each === 'number');
        const words = operands.flat().map((part) => (part instanceof Uint8Array ? this.#text(part, unicode) : ''));
        if (typeof id === 'number') marked.set(id, (marked.get(id) ?? '') + words.join(''));
      } else {
        const kind = RESOURCE_OF[word];
        const last = operands.at(-1);
        const named = kind === undefined ? null : resource(kind, last);
        shown = operands
          .map((operand) =>
            named !== null && operand === last ? this.#heading(String(last), named) : this.#show(operand),
          )
          .join(' ');
      }
      if (word === 'q') saved.push(unicode);
      else if (word === 'Q') unicode = saved.pop() ?? unicode;
      if (CLOSING.has(word)) depth -= 1;
      this.#lines.push(`${'  '.repeat(Math.max(0, depth))}${shown === '' ? '' : `${shown} `}${word}`);
      if (OPENING.has(word)) depth += 1;
      operands = [];
    }
  }

  /** Returns a name for the resource that is unique on the page; the resource is written once, after the content. */
  #heading(name: string, value: PdfValue): string {
    const known = this.#headings.get(value);
    if (known !== undefined) return known;
    const kind = name.replace(/^\/|\d+$/g, '');
    const count = [...this.#headings.values()].filter((heading) => heading.replace(/\d+$/, '') === `/${kind}`).length;
    const heading = `/${kind}${count + 1}`;
    this.#headings.set(value, heading);
    this.#pending.set(heading, value);
    return heading;
  }

  #resource(heading: string, value: PdfValue): void {
    const { dict } = value instanceof PdfStream ? value : { dict: this.#file.dict(value) };
    this.#lines.push('', `${heading} ${this.#show(value)}`);
    // Forms and tiling patterns have content streams of their own.
    if (value instanceof PdfStream && (dict.get('/Subtype') === '/Form' || dict.get('/PatternType') === 1)) {
      this.#content(value, this.#file.dict(dict.get('/Resources')));
    }
  }

  #glyphs(part: PdfValue, unicode: ReadonlyMap<number, string>): string {
    return part instanceof Uint8Array ? JSON.stringify(this.#text(part, unicode)) : this.#show(part);
  }

  #text(part: Uint8Array, unicode: ReadonlyMap<number, string>): string {
    let text = '';
    for (let i = 0; i + 1 < part.length; i += 2) {
      const code = (part[i] ?? 0) * 256 + (part[i + 1] ?? 0);
      text += unicode.get(code) ?? `#${code}`;
    }
    return text;
  }

  /** Character code → text, as the font's ToUnicode CMap says. */
  #toUnicode(font: PdfValue): ReadonlyMap<number, string> {
    const map = new Map<number, string>();
    const cmap = this.#file.resolve(this.#file.dict(font).get('/ToUnicode'));
    if (!(cmap instanceof PdfStream)) return map;
    const reader = new PdfReader(cmap.data());
    const code = (value: PdfValue | undefined) =>
      value instanceof Uint8Array ? Buffer.from(value).readUIntBE(0, value.length) : 0;
    const utf16 = (value: PdfValue | undefined) =>
      value instanceof Uint8Array ? new TextDecoder('utf-16be').decode(value) : '';
    let operands: PdfValue[] = [];
    for (let value = reader.read(); value !== undefined; value = reader.read()) {
      if (!(value instanceof Keyword)) {
        operands.push(value);
        continue;
      }
      if (value.word === 'endbfchar') {
        for (let i = 0; i + 1 < operands.length; i += 2) map.set(code(operands[i]), utf16(operands[i + 1]));
      } else if (value.word === 'endbfrange') {
        for (let i = 0; i + 2 < operands.length; i += 3) {
          const first = code(operands[i]);
          const target = operands[i + 2];
          if (Array.isArray(target)) {
            for (const [step, text] of target.entries()) map.set(first + step, utf16(text as PdfValue));
          } else {
            const start = utf16(target).codePointAt(0) ?? 0;
            for (let at = first; at <= code(operands[i + 1]); at++)
              map.set(at, String.fromCodePoint(start + at - first));
          }
        }
      }
      operands = [];
    }
    return map;
  }

  #show(value: PdfValue | undefined): string {
    const resolved = this.#file.resolve(value);
    if (typeof resolved === 'number') return String(Math.round(resolved * 1000) / 1000 + 0);
    if (resolved === null || typeof resolved === 'boolean' || isName(resolved)) return String(resolved);
    if (resolved instanceof Keyword) return resolved.word;
    if (resolved instanceof Uint8Array) return JSON.stringify(textString(resolved));
    if (Array.isArray(resolved)) return `[${resolved.map((part) => this.#show(part as PdfValue)).join(' ')}]`;
    if (resolved instanceof PdfStream) return `${this.#showDict(resolved.dict)} stream${this.#coding(resolved)}`;
    return isDict(resolved) ? this.#showDict(resolved) : '';
  }

  #showDict(dict: PdfDict): string {
    const entries = [...dict].filter(([key]) => !SILENT_KEYS.has(key) && !TO_STRUCTURE.has(key));
    const shown = entries.map(([key, value]) => {
      const resolved = this.#file.resolve(value);
      // A nested form or pattern (in a soft mask, for example) gets its own heading.
      const own = resolved instanceof PdfStream && resolved.dict.has('/BBox');
      return `${key.slice(1)} ${own ? this.#heading('/Form', resolved) : this.#show(value)}`;
    });
    return `{${shown.join(', ')}}`;
  }

  #coding(stream: PdfStream): string {
    const filter = stream.dict.get('/Filter');
    return isName(filter) && filter !== '/FlateDecode' ? ` ${filter.slice(1)}` : '';
  }
}

/** The operators whose last operand names a resource, with the resource category. */
const RESOURCE_OF: Readonly<Record<string, PdfName>> = {
  gs: '/ExtGState',
  Do: '/XObject',
  scn: '/Pattern',
  SCN: '/Pattern',
  sh: '/Shading',
};

/** `Inter-Regular`, without the subset tag. */
function fontName(font: PdfDict): string {
  const name = font.get('/BaseFont');
  return isName(name) ? `/${name.slice(1).replace(/^[A-Z]{6}\+/, '')}` : '/?';
}

/** Decodes a text string (ISO 32000 7.9.2.2): UTF-16 if it begins with a byte order mark. */
function textString(bytes: Uint8Array): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes.subarray(2));
  return Buffer.from(bytes).toString('latin1');
}
