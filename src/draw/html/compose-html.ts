// Composes a page of an html template as a display list, without a browser: satori does the layout, Platen the
// painting.
//
// parse → fill → check → load pictures → lay out (once to find which fonts are needed, and again with those) → letters
// and pictures marked → usvg → read back. Anything that cannot be drawn is reported by name, never silently left out, and
// nothing that satori gives is mended: pages that would need it are `beyondSatori`, and drawn by Platen's own engine.

import { AppError } from '#base/errors.ts';
import { parseColor } from '#core/color.ts';
import { elementsOf, isElement } from '#core/css/selectors.ts';
import { type Diagnostic, ValidationError } from '#core/diagnostics.ts';
import type { Size } from '#core/geometry.ts';
import { withBackdrops } from '#core/paint/backdrop.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import { rectPath } from '#core/paint/outline.ts';
import { type HtmlPage, lostTextWarnings, unknownLayers } from '#core/resolve/resolve-html.ts';
import type { ImageNeed, Needs } from '#core/resolve/scene.ts';
import type { ImageResource, Resources } from '#core/resources.ts';
import type { Role } from '#core/role.ts';
import { readSvg, type SvgMarks, UnreadableSvg } from '#core/svg/read-svg.ts';
import type { DocumentProperties } from '#core/template/document-properties.ts';
import { type FontQuery, type FontSet, fontQueryKey } from '#core/text/font-set.ts';
import { simplifySvg } from '#draw/images/simplify-svg.ts';
import { parseXml, type XmlElement } from '#draw/images/xml.ts';
import { fillLayers } from './fill-layers.ts';
import { lostText } from './lost-text.ts';
import { MarkedDrawing, type StandIn } from './marked-drawing.ts';
import { imagePlaceholder } from './page-pictures.ts';
import { type HtmlElement, parseTemplate } from './parse-html.ts';
import { drawWithSatori, type SatoriDrawing, type SatoriElement, type SatoriFont } from './satori.ts';
import { fontNeedOf, fontQueryOf, oneColorOf, satoriFonts } from './satori-text.ts';
import { imagesOf, satoriTree } from './satori-tree.ts';
import { checkPage, SATORI_LIMITS, withoutIgnored } from './subset.ts';

export interface ComposedPage {
  readonly list: DisplayList;
  readonly resources: Resources;
  readonly diagnostics: readonly Diagnostic[];
}

/** Loads fonts and images, as for a scene. */
export type LoadNeeds = (
  needs: Needs,
) => Promise<{ readonly resources: Resources; readonly diagnostics: readonly Diagnostic[] }>;

/** Most layout passes of one page: the right fonts may bring text into view that needs others. */
const MAX_PASSES = 4;
/** Most text styles of one page. */
const MAX_QUERIES = 60;
/** Most UTF-16 units of a page's text, including that of form fields. */
const MAX_TEXT = 50_000;
/** Most elements, and depth, of satori's drawing and of usvg's simplification. */
const DRAWING_LIMITS = { elements: 40_000, depth: 400 };
const LANGUAGE = /^[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8}){0,8}$/;
/** Satori's default text style. */
const INITIAL: FontQuery = { families: ['serif'], weight: 400, style: 'normal', variations: {}, lang: null };

/** @throws AppError `invalid_request` naming what cannot be drawn or loaded, and where it is */
export async function composeHtml(page: HtmlPage, load: LoadNeeds): Promise<ComposedPage> {
  const { template, values, width, height } = page;
  if (template.script) throw cannot('script: true');
  const { html } = parseTemplate(template, SATORI_LIMITS);
  const known = fillLayers([html], values);
  const ignored = checkPage(html, template.css);
  const sheet = withoutIgnored(html, template.css);
  const text = textOf(html, sheet);
  const lang = html.attributes.get('lang')?.trim() ?? '';
  const initial: FontQuery = { ...INITIAL, lang: LANGUAGE.test(lang) ? lang : null };

  const pictures = imagesOf(html, sheet);
  const needs = pictures.map(({ source, place, isRequired }, index) =>
    imageNeed(`image-${index}`, source, place, !isRequired),
  );
  let loaded = await load({ fonts: [fontNeedOf(initial, text)], images: needs, hyphenation: [], codes: [] });
  const images = new Map(loaded.resources.images);
  const found = [...loaded.diagnostics, ...ignored];
  const standIns = new Map<string, string>();
  /** The picture of each placeholder. */
  const marked = new Map<string, StandIn>();
  const insideSvg = new Map<string, string>();
  for (const [
    index,
    {
      key,
      sources: [source = ''],
    },
  ] of needs.entries()) {
    const image = images.get(key);
    if (!image) continue;
    if (image.hasNoSize && pictures[index]?.isInCss)
      throw cannot(`${pictures[index].place}: an SVG that has no width and height, as a background,`);
    const standIn = imagePlaceholder(image, index);
    standIns.set(source, standIn);
    marked.set(standIn, { key });
    insideSvg.set(source, dataUriOf(image));
  }
  const tree = satoriTree(html, sheet, standIns, insideSvg);
  const queries = new Map([[fontQueryKey(initial), initial]]);
  let drawing: LaidOut;
  for (let pass = 1; ; pass += 1) {
    const fonts = satoriFonts([...queries.values()], loaded.resources.fonts);
    drawing = await layOut(tree, page, fonts, initial.lang);
    const before = queries.size;
    for (const element of elementsOf(drawing.root.children)) {
      if (element.name !== 'text') continue;
      const query = fontQueryOf(element);
      queries.set(fontQueryKey(query), query);
    }
    if (queries.size === before) break;
    if (queries.size > MAX_QUERIES || pass === MAX_PASSES) throw cannot(`text of more than ${MAX_QUERIES} styles`);
    const needed = [...queries.values()].map((query) => fontNeedOf(query, text));
    loaded = await load({ fonts: needed, images: [], hyphenation: [], codes: [] });
    found.push(...loaded.diagnostics);
  }

  const { fonts, hyphenators } = loaded.resources;
  const embedded = await embeddedDrawings(drawing.root, load, needs.length);
  for (const [, image] of embedded) images.set(image.key, image);
  const resources: Resources = { fonts, images, codes: new Map(), hyphenators };
  const marks = new MarkedDrawing(drawing.root, resources, marked, embedded);
  const simplified = simplifySvg(marks.write(drawing.root));
  const read = readBack(parseXml(simplified, DRAWING_LIMITS), { ...marks, fonts });
  const ops = backdropsIn([...canvas(page), ...read], fonts);
  return {
    list: {
      width,
      height,
      document: { ...propertiesOf(html), ...page.template.pdf },
      isPlain: true,
      ops: [...asParagraph(ops), ...linkOps(drawing.links)],
    },
    resources,
    diagnostics: distinct([
      ...page.diagnostics,
      ...unknownLayers(values, known),
      ...found,
      ...marks.diagnostics(),
      ...lostTextWarnings(lostText(drawing.root, drawing.texts, [html], page, (text) => oneColorOf(text, fonts))),
    ]),
  };
}

/** What the page says of itself: the text of `<title>`. */
function propertiesOf(html: HtmlElement): DocumentProperties {
  const element = [...elementsOf([html])].find(({ name }) => name === 'title');
  const title = element?.children.filter((node) => !isElement(node)).join('');
  const words = title?.replace(/\s+/g, ' ').trim().slice(0, 1_000) ?? '';
  return words === '' ? {} : { title: words };
}

function cannot(what: string, cause?: unknown): AppError {
  const message = `${what.slice(0, 300)} cannot be drawn with renderer "satori"; change it, or use renderer "chromium".`;
  return new AppError('invalid_request', message, { cause });
}

function dataUriOf({ format, bytes }: ImageResource): string {
  return `data:image/${format === 'svg' ? 'svg+xml' : format};base64,${Buffer.from(bytes).toString('base64')}`;
}

function imageNeed(key: string, source: string, layer: string, optional = false): ImageNeed {
  return { key, sources: [source], layer, optional, focus: null };
}

/** Every character that the page may show, in upper and lower case, once. */
function textOf(html: HtmlElement, css: string): string {
  const words = [...elementsOf([html])].flatMap(({ children }) => children.filter((child) => !isElement(child)));
  const text = words.join('');
  if (text.length > MAX_TEXT) {
    const message = `The page has ${text.length} characters of text; at most ${MAX_TEXT} are allowed.`;
    throw new AppError('invalid_request', message);
  }
  const generated = [...css.matchAll(/content\s*:[^;}]*/g)].join('');
  return [...new Set(`${text}${text.toUpperCase()}${text.toLowerCase()}${generated}…•◦▪0123456789.-`)].join(' ');
}

type LaidOut = Pick<SatoriDrawing, 'links' | 'texts'> & { readonly root: XmlElement };

async function layOut(
  tree: SatoriElement,
  { width, height }: Size,
  fonts: readonly SatoriFont[],
  lang: string | null,
): Promise<LaidOut> {
  const result = await drawWithSatori({ tree, width, height, fonts });
  if ('problem' in result) throw cannot(result.problem.replace(/\.$/, ''));
  const { svg, links, texts } = result;
  const root = parseXml(svg, DRAWING_LIMITS);
  return { root: lang === null ? root : withLanguage(root, lang), links, texts };
}

/** Gives each `<text>` the language of the page, of which the form of Han characters depends. */
function withLanguage(element: XmlElement, lang: string): XmlElement {
  const children = element.children.map((child) => (isElement(child) ? withLanguage(child, lang) : child));
  const attributes = element.name === 'text' ? new Map([...element.attributes, ['lang', lang]]) : element.attributes;
  return { ...element, attributes, children };
}

/** Satori converts the `<svg>` elements of a page to `data:` images, which are drawn like SVG files. */
async function embeddedDrawings(
  root: XmlElement,
  load: LoadNeeds,
  count: number,
): Promise<ReadonlyMap<string, ImageResource>> {
  const hrefs = [...elementsOf(root.children)]
    .filter(({ name }) => name === 'image')
    .map(({ attributes }) => attributes.get('href') ?? '');
  const uris = new Set(hrefs.filter((href) => href.startsWith('data:image/svg+xml')));
  if (uris.size === 0) return new Map();
  const needs = [...uris].map((uri, index) => imageNeed(`image-${count + index}`, uri, '<svg>'));
  const { resources } = await load({ fonts: [], images: needs, hyphenation: [], codes: [] });
  return new Map(
    needs.flatMap(({ key, sources: [uri = ''] }) => {
      const image = resources.images.get(key);
      return image ? [[uri, image] as const] : [];
    }),
  );
}

function readBack(root: XmlElement, marks: SvgMarks): readonly PaintOp[] {
  try {
    return readSvg(root, marks);
  } catch (error) {
    if (error instanceof UnreadableSvg) throw cannot(error.message, error);
    throw error;
  }
}

function backdropsIn(ops: readonly PaintOp[], fonts: FontSet): readonly PaintOp[] {
  try {
    return withBackdrops(ops, fonts, undefined);
  } catch (error) {
    if (error instanceof ValidationError)
      throw new AppError('invalid_request', 'css: at most 16 elements may have a backdrop-filter.');
    throw error;
  }
}

function canvas({ template, width, height }: HtmlPage): readonly PaintOp[] {
  const color = template.background === null ? null : parseColor(template.background);
  if (!color) return [];
  return [
    { kind: 'fill', path: rectPath({ x: 0, y: 0, width, height }), rule: 'nonzero', brush: { kind: 'solid', color } },
  ];
}

function linkOps(links: SatoriDrawing['links']): readonly PaintOp[] {
  return links
    .filter(({ href, width, height }) => /^(https?:\/\/|mailto:)[^\s\\]+$/i.test(href) && width > 0 && height > 0)
    .map(({ href, ...rect }) => ({ kind: 'link', href, rect }));
}

const PARAGRAPH: Role = { kind: 'paragraph', layer: 'html', level: 0, language: null };

/** Satori does not say which words are of one element: all of them are one paragraph. */
function asParagraph(ops: readonly PaintOp[]): readonly PaintOp[] {
  return ops.map((op) => {
    if (op.kind === 'group') return { ...op, ops: asParagraph(op.ops) };
    return op.kind === 'glyphs' ? { ...op, role: PARAGRAPH } : op;
  });
}

function distinct(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(diagnostics.map((diagnostic) => [diagnostic.message, diagnostic])).values()];
}
