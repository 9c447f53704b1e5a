// Draws a React element to a picture: satori does the layout, Platen the letters and the painting.
//
// components called → pictures fetched → satori → letters and pictures marked → usvg → read back → painted.

import { AppError } from '#base/errors.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import { withBackdrops } from '#core/paint/backdrop.ts';
import type { DisplayList } from '#core/paint/display-list.ts';
import type { ImageResource, Resources } from '#core/resources.ts';
import { readSvg, UnreadableSvg } from '#core/svg/read-svg.ts';
import { type FontQuery, fontQueryKey } from '#core/text/font-set.ts';
import { isWoff, unwrapWoff } from '#draw/fonts/woff.ts';
import { descendants, fixSatoriSvg } from '#draw/html/fix-satori-svg.ts';
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
import { elementsIn, type PlainNode } from './plain-tree.ts';
import { drawSvg, simplifySvg, startResvg, svgSize } from './resvg.ts';
import { drawWithSatori, type SatoriFont } from './satori.ts';
import { checkedCss, withStyleSheets } from './style-sheets.ts';
import { takePictures } from './tree-pictures.ts';
import { likeVercels } from './vercel-defaults.ts';

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
  const nodes = options.tailwind ? taken : likeVercels(taken);
  const only = nodes.length === 1 ? nodes[0] : { type: 'div', props: { style: { display: 'flex' }, children: nodes } };
  const fonts = await Promise.all(options.fonts.map(satoriFont));
  const asPage = options.tailwind || [...elementsIn(nodes)].some(({ type }) => type === 'table');
  const root = asPage ? await treeOfPage(only, { ...options, fonts }) : withStyleSheets(only, options.stylesheets);
  const [svg] = await Promise.all([drawWithSatori(root, { ...options, fonts }), startResvg()]);
  const { list, resources } = await readDrawing(svg, options, pictures);
  return drawList(list, resources, 1, options);
}

/** Loaded on first use: few trees have tables, or classes of Tailwind. */
async function treeOfPage(
  root: PlainNode | undefined,
  options: DrawElementsOptions & { readonly fonts: SatoriFont[] },
) {
  const { pageTree } = await import('./page-tree.ts');
  return pageTree(root, { ...options, css: checkedCss(options.stylesheets) });
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
  const root = fixSatoriSvg(parseXml(svg, DRAWING_LIMITS));
  if ('problem' in root) throw cannot(root.problem);
  const { fonts, diagnostics } = (await openFonts(edgeFonts(given))).load(needsOf(root));
  const embedded = embeddedDrawings(root, onWarning);
  const standIns = new Map([...pictures].map(([standIn, { key }]) => [standIn, { key, isPixelated: false }]));
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
  for (const element of descendants(root)) {
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
  for (const { name, attributes } of descendants(root)) {
    const href = attributes.get('href') ?? '';
    if (name !== 'image' || found.has(href) || !href.startsWith('data:image/svg+xml')) continue;
    const file = parseDataUri(href).bytes;
    if (file.length > MAX_SVG_BYTES) throw new AppError('invalid_request', 'An SVG may have at most 1 MiB.');
    const drawing = sanitizeSvg(file);
    const bytes = new TextEncoder().encode(writtenSvg(drawing.root, drawing.attributes, drawing.body));
    const key = `drawing-${found.size}`;
    found.set(href, { key, format: 'svg', ...svgSize(bytes), bytes, hasAlpha: true, focus: null });
    for (const what of drawing.leftOut) lost.add(what);
    for (const { format } of drawing.images) if (!READ_INSIDE.test(format)) lost.add(`${format} in <image>`);
    if (drawing.body.includes('<text')) lost.add('<text>');
  }
  if (lost.size > 0) onWarning(`In SVG pictures, these cannot be drawn and were left out: ${[...lost].join(', ')}.`);
  return found;
}

function cannot(what: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `${what.slice(0, 300)} cannot be drawn.`, { cause });
}
