// Converts the `<text>` elements of satori's SVG to glyph runs at the same positions, as the contract has it: PDFs have real
// text, shaped by our own code.
//
// Satori measures with the same faces, so that the letters fit the space that it made for them.

import { AppError } from '#base/errors.ts';
import { BLACK } from '#core/color.ts';
import type { Point, Rect } from '#core/geometry.ts';
import { opsBounds } from '#core/paint/bounds.ts';
import { PLAIN_NODE } from '#core/resolve/plain-node.ts';
import { PLAIN_STYLE, PLAIN_TEXT } from '#core/resolve/plain-text.ts';
import type { CharacterStyle, FontNeed, TextNode } from '#core/resolve/scene.ts';
import { runPathString } from '#core/svg/run-path.ts';
import type { FontFace } from '#core/text/font-face.ts';
import type { FontQuery, FontSet } from '#core/text/font-set.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';
import { layOutText, prepareText } from '#core/text/lay-out-text.ts';
import type { XmlElement } from '#draw/images/xml.ts';
import type { SatoriFont } from './satori.ts';

/** Most UTF-16 units of a piece of text that satori does not break: a word. */
const MAX_PIECE = 2_000;
const FAMILY = /^[\w -]{1,100}$/;

/** The style of a `<text>` as a font query. */
export function fontQueryOf({ attributes }: XmlElement): FontQuery {
  const families = (attributes.get('font-family') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => FAMILY.test(name));
  const weight = attributes.get('font-weight') ?? 'normal';
  const known = { normal: 400, bold: 700, bolder: 700, lighter: 300 }[weight] ?? Number(weight);
  return {
    families: families.length > 0 ? families : ['serif'],
    weight: Number.isFinite(known) ? Math.min(1000, Math.max(1, known)) : 400,
    style: /^(italic|oblique)/.test(attributes.get('font-style') ?? '') ? 'italic' : 'normal',
    variations: {},
    lang: attributes.get('lang') ?? null,
  };
}

export function fontNeedOf(query: FontQuery, text: string): FontNeed {
  return { query, text, layer: 'html' };
}

/**
 * The faces of each query under the names that the page uses: the first one as the query's own family, so that satori
 * chooses the same face; the others as fallbacks in the same order.
 */
export function satoriFonts(queries: readonly FontQuery[], fonts: FontSet): readonly SatoriFont[] {
  const found = new Map<string, SatoriFont>();
  const add = (name: string, { weight, style }: FontQuery, face: FontFace) => {
    const as = { name: name.toLowerCase(), weight, style };
    const id = JSON.stringify([as, face.key]);
    if (!found.has(id)) found.set(id, { ...as, ...fileOf(face) });
  };
  // Satori falls back through all fonts that it gets, in order.
  for (const query of queries) {
    for (const { face } of fonts.chain(query).slice(1)) add(face.file.family, query, face);
  }
  for (const query of queries) {
    const first = fonts.chain(query)[0];
    if (first) add(query.families[0] ?? first.face.file.family, query, first.face);
  }
  return [...found.values()];
}

const spaceless = new WeakMap<FontFace, Uint8Array>();

function fileOf(face: FontFace): Pick<SatoriFont, 'key' | 'file'> {
  if (!face.isColor) return { key: face.key, file: face.file.bytes };
  const file = spaceless.get(face) ?? withoutSpace(face.file.bytes);
  spaceless.set(face, file);
  return { key: `${face.key} spaceless`, file };
}

export interface PlacedText {
  readonly run: GlyphRun;
  /** Start of the run's baseline, in the element's coordinates. */
  readonly origin: Point;
  /** Its letters as path data; for colour glyphs, the box of the run. */
  readonly d: string;
}

/** @returns the element's runs from left to right, and the graphemes without a glyph in any face */
export function placeText(
  element: XmlElement,
  fonts: FontSet,
): { runs: readonly PlacedText[]; missing: readonly string[] } {
  const { attributes } = element;
  const at = (name: string) => Number(attributes.get(name) ?? 0) || 0;
  const [x, y, fontSize] = [at('x'), at('y'), at('font-size')];
  const words = wordsOf(element);
  if (words.length > MAX_PIECE) {
    throw new AppError(
      'invalid_request',
      `A line has ${words.length} characters without a place to break; at most ${MAX_PIECE} are allowed.`,
    );
  }
  if (words.trim() === '' || !(fontSize > 0)) return { runs: [], missing: [] };
  const node = lineOf(words, {
    ...PLAIN_STYLE,
    font: fontQueryOf(element),
    fontSize,
    letterSpacing: at('letter-spacing'),
  });
  const { lines, missing } = layOutText(prepareText(node, fonts), null, null);
  const runs = lines.flatMap((line) =>
    line.runs.map(({ run, x: left }): PlacedText => {
      const origin = { x: x + left, y };
      const face = fonts.face(run.face);
      const { ascent, descent } = face.metrics;
      const box = `M${origin.x} ${y - ascent * fontSize}h${run.width}v${(ascent + descent) * fontSize}h${-run.width}z`;
      return { run, origin, d: face.isColor ? box : runPathString(run, origin, face) };
    }),
  );
  return { runs, missing };
}

/** The ink bounds of a `<text>`, in its coordinates; null = no ink. */
export function oneColorOf(element: XmlElement, fonts: FontSet): Rect | null {
  const brush = { kind: 'solid', color: BLACK } as const;
  return opsBounds(
    placeText(element, fonts).runs.map(({ run, origin }) => ({ kind: 'glyphs', run, origin, brush, outline: null })),
    fonts,
  );
}

/** Hebrew, Arabic and related scripts, whose pieces are not in reading order. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1eeff}]/u;

/**
 * Joins adjacent pieces of text. Satori writes words, spaces and ideographs as separate elements; joined, letters
 * connect across them, and text can be found in a PDF.
 */
export function joinPieces(elements: readonly XmlElement[]): readonly XmlElement[] {
  const joined: XmlElement[] = [];
  for (const element of elements) {
    const last = joined.at(-1);
    if (last && continues(last, element)) joined[joined.length - 1] = join(last, element);
    else joined.push(element);
  }
  return joined;
}

const wordsOf = ({ children }: XmlElement) => children.filter((child) => typeof child === 'string').join('');

function continues(a: XmlElement, b: XmlElement): boolean {
  if (a.name !== 'text' || b.name !== 'text' || a.attributes.size !== b.attributes.size) return false;
  const at = (element: XmlElement, name: string) => Number(element.attributes.get(name));
  if (Math.abs(at(a, 'x') + at(a, 'width') - at(b, 'x')) > 0.01) return false;
  for (const [name, value] of a.attributes) {
    if (!/^(x|width|height)$/.test(name) && b.attributes.get(name) !== value) return false;
  }
  const words = wordsOf(a) + wordsOf(b);
  // The width of a tab depends on the start of the line, which only satori knows.
  if (words.includes('\t')) return false;
  return words.length <= MAX_PIECE && !RIGHT_TO_LEFT.test(words);
}

function join(a: XmlElement, b: XmlElement): XmlElement {
  const width = Number(a.attributes.get('width')) + Number(b.attributes.get('width'));
  return {
    ...a,
    attributes: new Map([...a.attributes, ['width', String(width)]]),
    children: [wordsOf(a) + wordsOf(b)],
  };
}

function lineOf(text: string, style: CharacterStyle): TextNode {
  return {
    ...PLAIN_TEXT,
    ...PLAIN_NODE,
    name: 'html',
    spans: [{ text, style, link: null, counter: null, image: null }],
    strut: style,
  };
}

// Removes the space from the cmap of a font file.
//
// Satori takes a space after an emoji from the emoji's face, where it is as wide as a picture. Browsers and Platen's
// layout take it from the text's face. Without a space in the emoji's face, satori does too.

const SPACE = 0x20;

/**
 * Returns a copy of the file. The space is removed only if it has its own entry, as in faces that skip most of ASCII.
 */
function withoutSpace(file: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(file);
  const view = new DataView(bytes.buffer);
  const table = findTable(view, 'cmap');
  if (table === null) return bytes;
  for (let i = 0; i < view.getUint16(table + 2); i += 1) {
    const subtable = table + view.getUint32(table + 8 + i * 8);
    const format = view.getUint16(subtable);
    if (format === 4) hideInSegments(view, subtable);
    else if (format === 12) hideInGroups(view, subtable);
  }
  return bytes;
}

function findTable(view: DataView, tag: string): number | null {
  for (let i = 0; i < view.getUint16(4); i += 1) {
    const record = 12 + i * 16;
    if ([...tag].every((letter, at) => view.getUint8(record + at) === letter.charCodeAt(0))) {
      return view.getUint32(record + 8);
    }
  }
  return null;
}

/** OpenType `cmap`, format 4: segments of start, end, and the delta from character to glyph. */
function hideInSegments(view: DataView, at: number): void {
  const size = view.getUint16(at + 6);
  const [ends, starts, deltas, offsets] = [at + 14, at + 16 + size, at + 16 + 2 * size, at + 16 + 3 * size];
  for (let i = 0; i < size; i += 2) {
    if (view.getUint16(starts + i) !== SPACE || view.getUint16(ends + i) !== SPACE) continue;
    view.setUint16(deltas + i, 0x10000 - SPACE);
    view.setUint16(offsets + i, 0);
  }
}

/** Format 12: groups of start, end and the first character's glyph. */
function hideInGroups(view: DataView, at: number): void {
  for (let i = 0; i < view.getUint32(at + 12); i += 1) {
    const group = at + 16 + i * 12;
    if (view.getUint32(group) === SPACE && view.getUint32(group + 4) === SPACE) view.setUint32(group + 8, 0);
  }
}
