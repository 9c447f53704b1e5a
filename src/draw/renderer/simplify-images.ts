// Simplifies the SVG pictures of a render, so that pixels and PDF are drawn from the same operations, with real text.
//
// Texts become glyph runs of our fonts first, and usvg gets paths of their outlines, whose ids say which run they stand
// for. A picture that cannot be simplified truly is drawn by librsvg in all outputs, with its texts as outlines.

import type { Size } from '#core/geometry.ts';
import type { FontNeed } from '#core/resolve/scene.ts';
import type { ImageResource, SimplifiedSvg } from '#core/resources.ts';
import { chunksOf, placeChunks, queriesOf, type TextChunk } from '#core/svg/place-text.ts';
import { UnreadableSvg } from '#core/svg/read-svg.ts';
import { runPathString } from '#core/svg/run-path.ts';
import { type SvgStyle, styleOf } from '#core/svg/style.ts';
import { type FontQuery, FontSet, fontQueryKey } from '#core/text/font-set.ts';
import type { FontLibrary } from '#draw/fonts/font-library.ts';
import { MAX_SVG_DEPTH, MAX_SVG_ELEMENTS } from '#draw/images/limits.ts';
import { simplifyUntrusted } from '#draw/images/svg-image.ts';
import { escapeXml, parseXml, type XmlElement } from '#draw/images/xml.ts';
import { fileDigest } from '#draw/output/file-digest.ts';
import { resourceCache } from '#draw/output/resource-cache.ts';
import { vectorsOf } from '#draw/output/vector-pictures.ts';

/** Most text styles of one picture. */
const MAX_QUERIES = 60;
/** Most characters of a simplified picture; references can multiply its paths. */
const MAX_SIMPLIFIED = 4_000_000;
const MARK = 'platen-text-';
const NO_STYLE: SvgStyle = new Map();
/** What the reader of usvg's output would have to leave out. */
const PIXELS_ONLY = /<(?:image|filter|mask)\b|\bmix-blend-mode\b/;
/** Where usvg copies paths without their ids. */
const COPIES = /<(?:use|pattern|clipPath|marker)\b/;

/** By the marked document, its simplification; '' = none. */
const known = resourceCache.of<string>('simplified SVG');
/** By the file, what it is without texts, which depend on the fonts of a render. */
const textless = new WeakMap<Uint8Array, ImageResource>();

/** The image with `simplified`, if it is an SVG that can be simplified. */
export async function withSimplified(image: ImageResource, fonts: Pick<FontLibrary, 'load'>): Promise<ImageResource> {
  if (image.format !== 'svg') return image;
  const before = textless.get(image.bytes);
  if (before) return { ...before, key: image.key, focus: image.focus };
  const document = Buffer.from(image.bytes).toString();
  try {
    const drawing = new MarkedSvg(parseXml(document, { elements: MAX_SVG_ELEMENTS, depth: MAX_SVG_DEPTH }), image);
    const needs = drawing.needs();
    const loaded = needs.length > 0 ? (await fonts.load(needs)).fonts : new FontSet(new Map());
    const isForPixels = PIXELS_ONLY.test(document) || document.includes(MARK);
    const simplified = isForPixels ? null : await simplify(drawing, loaded);
    if (needs.length > 0 && !simplified) return { ...image, bytes: Buffer.from(drawing.document(loaded, true)) };
    const made = simplified ? { ...image, simplified } : image;
    if (needs.length === 0) textless.set(image.bytes, made);
    return made;
  } catch (error) {
    if (error instanceof UnreadableSvg) return image;
    throw error;
  }
}

/** null when operations cannot express it. */
async function simplify(drawing: MarkedSvg, fonts: FontSet): Promise<SimplifiedSvg | null> {
  const marked = drawing.document(fonts, false);
  const key = fileDigest(Buffer.from(marked));
  let svg = known.get(key);
  if (svg === undefined) {
    svg = (await simplifyUntrusted(marked)) ?? '';
    if (svg.length > MAX_SIMPLIFIED) svg = '';
    known.set(key, svg, 2 * svg.length);
  }
  const simplified = { svg, texts: drawing.texts, fonts };
  return svg === '' || !vectorsOf(simplified) ? null : simplified;
}

type Letters = SimplifiedSvg['texts'] extends ReadonlyMap<string, infer Value> ? Value : never;

/** A document whose texts are found, then replaced by marked outlines. */
class MarkedSvg {
  readonly texts = new Map<string, Letters>();
  readonly #root: XmlElement;
  readonly #size: Size;
  readonly #found = new Map<XmlElement, { readonly style: SvgStyle; readonly chunks: readonly TextChunk[] }>();
  #hasCopies = false;

  constructor(root: XmlElement, size: Size) {
    this.#root = root;
    this.#size = size;
    this.#find(root, NO_STYLE);
  }

  #find(element: XmlElement, around: SvgStyle): void {
    if (COPIES.test(`<${element.name}`)) this.#hasCopies = true;
    const style = styleOf(element, around);
    if (element.name === 'text') this.#found.set(element, { style, chunks: chunksOf(element, style) });
    else for (const child of element.children) if (typeof child !== 'string') this.#find(child, style);
  }

  needs(): readonly FontNeed[] {
    const needs = new Map<string, { query: FontQuery; text: string }>();
    for (const { chunks } of this.#found.values()) {
      for (const { query, text } of chunks.flatMap(queriesOf)) {
        const key = fontQueryKey(query);
        const need = needs.get(key) ?? { query, text: '' };
        need.text += text;
        needs.set(key, need);
      }
    }
    if (needs.size > MAX_QUERIES) throw new UnreadableSvg(`text of more than ${MAX_QUERIES} styles`);
    return [...needs.values()].map((need) => ({ ...need, layer: 'svg' }));
  }

  /**
   * @param areOutlines whether texts are to be outlines that show them, not marks of their glyph runs
   * @throws UnreadableSvg
   */
  document(fonts: FontSet, areOutlines: boolean): string {
    const { width, height } = this.#size;
    this.texts.clear();
    const body = this.#write(fonts, areOutlines, this.#root);
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body}</svg>`;
  }

  #write(fonts: FontSet, areOutlines: boolean, element: XmlElement): string {
    const text = this.#found.get(element);
    if (text) return this.#outlines(text, fonts, areOutlines);
    const inner = element.children
      .map((child) => (typeof child === 'string' ? escapeXml(child) : this.#write(fonts, areOutlines, child)))
      .join('');
    // The root is clipped where the picture is placed.
    const overflow = element === this.#root ? ' overflow="visible"' : '';
    return `<${element.name}${attributesOf(element, element === this.#root)}${overflow}>${inner}</${element.name}>`;
  }

  #outlines(
    { style, chunks }: { readonly style: SvgStyle; readonly chunks: readonly TextChunk[] },
    fonts: FontSet,
    areOutlines: boolean,
  ): string {
    const paths = placeChunks(chunks, fonts).map(({ run, origin, style: own, lines, scaleX }) => {
      const face = fonts.face(run.face);
      if (face.isColor && (this.#hasCopies || areOutlines)) throw new UnreadableSvg('a copy of a colour glyph');
      const { ascent, descent } = face.metrics;
      const box = `M${origin.x} ${origin.y - ascent * run.fontSize}h${run.width}v${(ascent + descent) * run.fontSize}h${-run.width}z`;
      const id = `${MARK}${this.texts.size}`;
      this.texts.set(id, { run, origin });
      // The outline only shows where the run does not: in copies, and stroked.
      const isMark = face.isColor || (!areOutlines && !this.#hasCopies && (own.get('stroke') ?? 'none') === 'none');
      const d = isMark ? box : runPathString(run, origin, face);
      const look = escapeXml(declarations(own, OF_PATHS));
      const drawn = lines.map(({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h${-width}z`).join('');
      const wide = scaleX === 1 ? '' : ` transform="matrix(${scaleX} 0 0 1 ${origin.x * (1 - scaleX)} 0)"`;
      return `<path id="${id}"${wide} style="${look}" d="${d}"/>${drawn && `<path style="${look}" d="${drawn}"/>`}`;
    });
    const transform = style.get('transform');
    const place = transform === undefined ? '' : ` transform="${escapeXml(transform)}"`;
    return `<g${place} style="${escapeXml(declarations(style, OF_GROUPS))}">${paths.join('')}</g>`;
  }
}

const OF_GROUPS = ['opacity', 'display', 'clip-path', 'filter', 'mask', 'mix-blend-mode'];
const OF_PATHS = [
  ...['fill', 'fill-opacity', 'color', 'visibility', 'paint-order'],
  ...['stroke', 'stroke-opacity', 'stroke-width', 'stroke-dasharray', 'stroke-dashoffset'],
  ...['stroke-linecap', 'stroke-linejoin', 'stroke-miterlimit'],
];

/** @throws UnreadableSvg for a gradient that spans the letters' box, which outlines have not */
function declarations(style: SvgStyle, names: readonly string[]): string {
  const parts = names.flatMap((name) => {
    const value = style.get(name);
    if (value === undefined) return [];
    if (/^(fill|stroke)$/.test(name) && value.startsWith('url(')) throw new UnreadableSvg('text with a gradient');
    return [`${name}:${value}`];
  });
  return parts.join(';');
}

function attributesOf({ name, attributes }: XmlElement, isRoot: boolean): string {
  const kept = [...attributes].filter(([key]) => !key.startsWith('{') && !(isRoot && key === 'overflow'));
  const written = kept.map(([key, value]) => ` ${key}="${escapeXml(value)}"`).join('');
  return name === 'svg' ? ` xmlns="http://www.w3.org/2000/svg"${written}` : written;
}
