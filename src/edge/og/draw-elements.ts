// Draws a React element to a picture: satori does the layout, Platen the letters and the painting.
//
// components called → pictures fetched → satori → letters and pictures marked → usvg → read back → painted.

import { AppError } from '#base/errors.ts';
import { elementsOf, isElement } from '#core/css/selectors.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import { withBackdrops } from '#core/paint/backdrop.ts';
import type { DisplayList } from '#core/paint/display-list.ts';
import type { ImageResource, Resources } from '#core/resources.ts';
import { readSvg, UnreadableSvg } from '#core/svg/read-svg.ts';
import { type FontQuery, fontQueryKey } from '#core/text/font-set.ts';
import { isWoff, unwrapWoff } from '#draw/fonts/woff.ts';
import { MarkedDrawing } from '#draw/html/marked-drawing.ts';
import { fontNeedOf, fontQueryOf } from '#draw/html/satori-text.ts';
import { parseDataUri } from '#draw/images/data-uri.ts';
import { MAX_SVG_BYTES } from '#draw/images/limits.ts';
import { sanitizeSvg } from '#draw/images/sanitize-svg.ts';
import { writtenSvg } from '#draw/images/svg-size.ts';
import { parseXml, type XmlElement } from '#draw/images/xml.ts';
import { provideSvg } from '../decode-picture.ts';
import { drawList } from '../draw-list.ts';
import type { Encoding } from '../encode-picture.ts';
import { type EdgeFont, openFonts } from '../fonts.ts';
import { childrenOf, elementsOfTree, type PlainElement, type PlainNode } from './plain-tree.ts';
import { drawSvg, simplifySvg, startResvg, svgSize } from './resvg.ts';
import { drawWithSatori, type SatoriFont } from './satori.ts';
import { takePictures } from './tree-pictures.ts';

/** A font in the form of @vercel/og. */
export interface OgFont {
  readonly name: string;
  readonly data: ArrayBuffer | Uint8Array;
  readonly weight?: number | undefined;
  readonly style?: 'normal' | 'italic' | undefined;
  readonly lang?: string | undefined;
}

export interface DrawElementsOptions extends Pick<Encoding, 'output' | 'quality' | 'chromaSubsampling'> {
  readonly width: number;
  readonly height: number;
  readonly fonts: readonly OgFont[];
  readonly debug: boolean;
  /** CSS for the classes of the tree. */
  readonly stylesheets: readonly string[];
  /** Whether `class`, `className` and `tw` take the classes of Tailwind CSS 4. */
  readonly tailwind: boolean;
  /** Whose layout it is, where satori has what the tree needs. */
  readonly renderer: 'satori' | 'platen';
  readonly emoji: (emoji: string) => Promise<string | null>;
  /** Called with a sentence for what a picture has and is not shown. */
  readonly onWarning: (warning: string) => void;
}

/** Most elements, and depth, of satori's drawing and of usvg's simplification. */
const DRAWING_LIMITS = { elements: 40_000, depth: 400 };
const MAX_SIDE = 4096;

provideSvg(drawSvg);

/**
 * @param tree of `plainTree`
 * @throws Error whose message says what could not be drawn or loaded
 */
export async function drawElements(tree: readonly PlainNode[], options: DrawElementsOptions): Promise<Uint8Array> {
  const { width, height } = options;
  for (const [name, side] of Object.entries({ width, height })) {
    if (Number.isInteger(side) && side >= 1 && side <= MAX_SIDE) continue;
    throw new AppError('invalid_request', `${name}: must be a whole number from 1 to ${MAX_SIDE}.`);
  }
  const { nodes: taken, images: pictures } = await takePictures(tree, options.onWarning);
  // Classes of Tailwind 4 mean what they mean in a browser.
  const isLikeBrowsers = options.tailwind || options.renderer === 'platen';
  const nodes = isLikeBrowsers ? taken : likeVercels(taken);
  const only = nodes.length === 1 ? nodes[0] : { type: 'div', props: { style: { display: 'flex' }, children: nodes } };
  if (isLikeBrowsers || [...elementsOfTree(nodes)].some(({ type }) => type === 'table')) {
    return drawPage(only, options, pictures);
  }
  const fonts = await Promise.all(options.fonts.map(satoriFont));
  const root = withStyleSheets(only, options.stylesheets);
  const [svg] = await Promise.all([drawWithSatori(root, { ...options, fonts }), startResvg()]);
  const { list, resources } = await readDrawing(svg, options, pictures);
  return drawList(list, resources, 1, options);
}

/** By Platen's own layout, which is loaded on first use: few trees have tables, or classes of Tailwind. */
async function drawPage(
  root: PlainNode | undefined,
  options: DrawElementsOptions,
  pictures: ReadonlyMap<string, ImageResource>,
): Promise<Uint8Array> {
  const css = checkedCss(options.stylesheets);
  const [{ pageList }, fonts] = await Promise.all([
    import('./page-list.ts'),
    openFonts(edgeFonts(options.fonts)),
    startResvg(),
  ]);
  const lost = new Set<string>();
  const drawing = (address: string, key: string) => embeddedDrawing(address, key, lost);
  const { list, resources, diagnostics } = await pageList(root, { ...options, css, fonts, pictures, drawing });
  for (const { message } of diagnostics) options.onWarning(message);
  warnOfLost(lost, options.onWarning);
  return drawList(list, resources, 1, options);
}

const buffers = new WeakMap<ArrayBuffer | Uint8Array, Promise<ArrayBuffer>>();

/** The font file, unpacked: satori reads no WOFF2. */
async function unpacked(data: ArrayBuffer | Uint8Array): Promise<ArrayBuffer> {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  if (!isWoff(bytes) && !(data instanceof Uint8Array)) return data;
  // Not `slice`: that of a Node Buffer is a view of the same memory, which may be shared with other files.
  return new Uint8Array(await unwrapWoff(bytes)).buffer;
}

/** Satori caches parsed fonts by the identity of their buffers. @throws AppError as `unwrapWoff` */
async function satoriFont({ name, data, weight, style, lang }: OgFont): Promise<SatoriFont> {
  let buffer = buffers.get(data);
  if (!buffer) {
    buffer = unpacked(data);
    // Callers without types may pass anything, which satori then names.
    if (data) buffers.set(data, buffer);
    buffer.catch(() => buffers.delete(data));
  }
  return {
    name,
    data: await buffer,
    weight: (weight ?? 400) as NonNullable<SatoriFont['weight']>,
    style: style ?? 'normal',
    ...(lang !== undefined && { lang }),
  };
}

const ownFonts = new WeakMap<readonly OgFont[], readonly EdgeFont[]>();

/** Applies satori's defaults: without a weight or style, a font is 400 and upright. */
function edgeFonts(given: readonly OgFont[]): readonly EdgeFont[] {
  let fonts = ownFonts.get(given);
  if (!fonts) {
    fonts = given.map(({ name, data, weight = 400, style = 'normal' }) => ({ family: name, data, weight, style }));
    ownFonts.set(given, fonts);
  }
  return fonts;
}

async function readDrawing(
  svg: string,
  { fonts: given, width, height, onWarning }: DrawElementsOptions,
  pictures: ReadonlyMap<string, ImageResource>,
): Promise<{ list: DisplayList; resources: Resources; diagnostics: readonly Diagnostic[] }> {
  const root = wholeSectors(parseXml(svg, DRAWING_LIMITS));
  const { fonts, diagnostics } = (await openFonts(edgeFonts(given))).load(needsOf(root));
  const embedded = embeddedDrawings(root, onWarning);
  const standIns = new Map([...pictures].map(([standIn, { key }]) => [standIn, { key }]));
  const images = new Map([...pictures.values(), ...embedded.values()].map((image) => [image.key, image]));
  const resources: Resources = { fonts, images, codes: new Map(), hyphenators: new Map() };
  const marks = new MarkedDrawing(root, resources, standIns, embedded);
  try {
    const simplified = parseXml(simplifySvg(marks.write(root)), DRAWING_LIMITS);
    const ops = withBackdrops(readSvg(simplified, { ...marks, fonts }), fonts, undefined);
    return { list: { width, height, ops }, resources, diagnostics };
  } catch (error) {
    if (error instanceof UnreadableSvg) throw cannot(error.message, error);
    throw error;
  }
}

/** The faces that the drawing's texts need, each with its text. */
function needsOf(root: XmlElement) {
  const queries = new Map<string, { query: FontQuery; text: string[] }>();
  for (const element of elementsOf(root.children)) {
    if (element.name !== 'text') continue;
    const query = fontQueryOf(element);
    const key = fontQueryKey(query);
    const known = queries.get(key) ?? { query, text: [] };
    known.text.push(...element.children.filter((child) => typeof child === 'string'));
    queries.set(key, known);
  }
  return [...queries.values()].map(({ query, text }) => fontNeedOf(query, [...new Set(text.join(''))].join('')));
}

/** resvg reads these of the pictures in a drawing, and has no fonts for its texts. */
const READ_INSIDE = /^(png|jpeg|gif|svg)$/;

/** The SVG files in satori's drawing: those of the tree, its `<svg>` elements, and emoji. Their CSS is plain attributes. */
function embeddedDrawings(
  root: XmlElement,
  onWarning: DrawElementsOptions['onWarning'],
): ReadonlyMap<string, ImageResource> {
  const found = new Map<string, ImageResource>();
  const lost = new Set<string>();
  for (const { name, attributes } of elementsOf(root.children)) {
    const href = attributes.get('href') ?? '';
    if (name !== 'image' || found.has(href) || !href.startsWith('data:image/svg+xml')) continue;
    found.set(href, embeddedDrawing(href, `drawing-${found.size}`, lost));
  }
  warnOfLost(lost, onWarning);
  return found;
}

/** @param lost is given what is left out @throws AppError `invalid_request` for a file that is too large, or is none */
function embeddedDrawing(href: string, key: string, lost: Set<string>): ImageResource {
  const file = parseDataUri(href).bytes;
  if (file.length > MAX_SVG_BYTES) throw new AppError('invalid_request', 'An SVG may have at most 1 MiB.');
  const drawing = sanitizeSvg(file);
  const bytes = new TextEncoder().encode(writtenSvg(drawing.root, drawing.attributes, drawing.body));
  for (const what of drawing.leftOut) lost.add(what);
  for (const { format } of drawing.images) if (!READ_INSIDE.test(format)) lost.add(`${format} in <image>`);
  if (drawing.body.includes('<text')) lost.add('<text>');
  return { key, format: 'svg', ...svgSize(bytes), bytes, hasAlpha: true, focus: null };
}

function warnOfLost(lost: ReadonlySet<string>, onWarning: DrawElementsOptions['onWarning']): void {
  if (lost.size > 0) onWarning(`In SVG pictures, these cannot be drawn and were left out: ${[...lost].join(', ')}.`);
}

function cannot(what: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `${what.slice(0, 300)} cannot be drawn.`, { cause });
}

// Joins the parts of conic gradients. Satori writes a sector of one color as many wedges, and says that their edges are
// hard; ours are smooth, so that the color below would show between them.

/** The middle of a conic gradient, and the points between which a wedge lies. */
const WEDGE = /^M([-\d. ]+)L([-\d. ]+)L([-\d. ]+)Z$/;

/** The drawing, in which wedges that follow each other in one color are one shape. */
function wholeSectors(element: XmlElement): XmlElement {
  const children: (XmlElement | string)[] = [];
  const isGradient = element.name === 'g' && element.attributes.get('shape-rendering') === 'crispEdges';
  let sector = null as { readonly look: string; readonly points: string[] } | null;
  for (const part of element.children) {
    const [, middle, from, to] = (isElement(part) && isGradient && WEDGE.exec(part.attributes.get('d') ?? '')) || [];
    if (!isElement(part) || from === undefined || to === undefined) {
      sector = null;
      children.push(isElement(part) ? wholeSectors(part) : part);
      continue;
    }
    const look = [...part.attributes].map(([name, value]) => (name === 'd' ? middle : `${name}=${value}`)).join(' ');
    if (sector?.look === look) {
      sector.points.splice(-1, 1, from, to);
      children.pop();
    } else sector = { look, points: [from, to] };
    const d = `M${middle}L${sector.points.join('L')}Z`;
    children.push({ ...part, attributes: new Map([...part.attributes, ['d', d]]) });
  }
  return { ...element, children };
}

// Puts style sheets into a tree, as an element that satori reads.

/** Most UTF-16 units of all sheets together. */
const MAX_LENGTH = 200_000;

/** @throws AppError `invalid_request` when the sheets are too long, or name addresses, which satori would fetch */
function checkedCss(sheets: readonly string[]): string {
  const css = sheets.join('\n');
  if (css.length > MAX_LENGTH) {
    throw new AppError('invalid_request', `stylesheets: may have at most ${MAX_LENGTH} characters together.`);
  }
  // A backslash may hide either word.
  if (/url\(|@import|@font-face|\\/i.test(css)) {
    throw new AppError(
      'invalid_request',
      'stylesheets: url(…), @import, @font-face and backslashes are refused; put pictures into elements, and fonts into `fonts`.',
    );
  }
  return css;
}

/** @throws AppError as `checkedCss` */
export function withStyleSheets(root: PlainNode | undefined, sheets: readonly string[]): PlainNode | undefined {
  if (sheets.length === 0) return root;
  const css = checkedCss(sheets);
  const sheet: PlainElement = { type: 'style', props: { children: css } };
  if (typeof root !== 'object')
    return { type: 'div', props: { children: root === undefined ? [sheet] : [sheet, root] } };
  return { ...root, props: { ...root.props, children: [sheet, ...childrenOf(root)] } };
}

// Gives elements the default positions and margins that they have in @vercel/og, where browsers and satori have others.
//
// There, an element refers to its parent where it is `absolute`, and whatever comes later is drawn above it; in browsers,
// a background so placed covers all elements without a position. And the margins of paragraphs and headings do not grow
// with their own letters.

type Style = Readonly<Record<string, unknown>>;

/** The margins above and below, in parts of the inherited font size, and the font size in the same. */
const BLOCKS: Readonly<Record<string, { readonly margin: number; readonly fontSize: number }>> = {
  p: { margin: 1, fontSize: 1 },
  blockquote: { margin: 1, fontSize: 1 },
  h1: { margin: 1.34, fontSize: 2 },
  h2: { margin: 1.245, fontSize: 1.5 },
  h3: { margin: 1.17, fontSize: 1.17 },
  h4: { margin: 1.33, fontSize: 1 },
  h5: { margin: 1.386, fontSize: 0.83 },
  h6: { margin: 1.561, fontSize: 0.67 },
};
const ROOT_FONT_SIZE = 16;
const TEXT_SIZE = /(^|[\s:])text-(xs|sm|base|lg|\d?xl|\[[\d.]+)/;

/** The same tree with these defaults in its styles, where an element says nothing else. */
export function likeVercels(nodes: readonly PlainNode[]): readonly PlainNode[] {
  const isPlaced = [...elementsOfTree(nodes)].some(({ props }) =>
    has(props, 'position', /(^|[\s:])absolute(\s|$)/, 'absolute'),
  );
  return nodes.map((node) => defaulted(node, isPlaced, ROOT_FONT_SIZE));
}

/** @param inherited the font size around, px; null if it is not known */
function defaulted(node: PlainNode, isPlaced: boolean, inherited: number | null): PlainNode {
  if (typeof node !== 'object' || node.type === 'svg') return node;
  const { type, props } = node;
  const style = (props.style ?? {}) as Style;
  const block = BLOCKS[type];
  const hasSize = has(props, 'fontSize', TEXT_SIZE);
  const defaults: Record<string, unknown> = {};
  if (isPlaced && !has(props, 'position', /(^|[\s:])(static|fixed|absolute|relative|sticky)(\s|$)/)) {
    defaults.position = 'relative';
  }
  if (block && hasSize && inherited !== null && style.margin === undefined && style.marginBlock === undefined) {
    if (!has(props, 'marginTop', /(^|[\s:])-?m[ty]?-/)) defaults.marginTop = block.margin * inherited;
    if (!has(props, 'marginBottom', /(^|[\s:])-?m[by]?-/)) defaults.marginBottom = block.margin * inherited;
  }
  const own = hasSize
    ? pxOf(style.fontSize, inherited)
    : inherited === null
      ? null
      : inherited * (block?.fontSize ?? 1);
  const children = childrenOf(node).map((child) => defaulted(child, isPlaced, own));
  return {
    ...node,
    props: { ...props, style: { ...defaults, ...style }, children: children.length === 1 ? children[0] : children },
  };
}

/** Whether the style, or a class of Tailwind, has the property, with that value if one is given. */
function has({ style, tw }: Style, property: string, classes: RegExp, value?: unknown): boolean {
  const given = (style as Style | undefined)?.[property];
  return (value === undefined ? given !== undefined : given === value) || classes.test(String(tw ?? ''));
}

/** @returns null if the size is not known before layout, as of a class */
function pxOf(fontSize: unknown, inherited: number | null): number | null {
  if (typeof fontSize === 'number') return fontSize;
  const [, size, unit] = /^([\d.]+)(px|rem|em)?$/.exec(String(fontSize ?? '').trim()) ?? [];
  if (size === undefined) return null;
  if (unit === 'em') return inherited === null ? null : Number(size) * inherited;
  return Number(size) * (unit === 'rem' ? ROOT_FONT_SIZE : 1);
}
