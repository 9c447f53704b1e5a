// Composes a page of an html template as a display list, without a browser: satori does the layout, Platen the
// painting.
//
// parse → fill → check → load pictures → lay out (once to find which fonts are needed, and again with those) → letters
// and pictures marked → usvg → read back. Anything that cannot be drawn is reported by name, never silently left out.

import { AppError } from '#base/errors.ts';
import { parseColor } from '#core/color.ts';
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
import { descendants, fixSatoriSvg } from './fix-satori-svg.ts';
import { spreadLanguages, withLanguages } from './languages.ts';
import { lostText } from './lost-text.ts';
import { MarkedDrawing, type StandIn } from './marked-drawing.ts';
import { mendElements } from './mend-elements.ts';
import { imagePlaceholder } from './page-pictures.ts';
import { pageWarnings } from './page-warnings.ts';
import { completePage, elementsOf, type HtmlElement, type HtmlNode, isElement, parseHtml } from './parse-html.ts';
import { drawWithSatori, type SatoriDrawing, type SatoriElement, type SatoriFont } from './satori.ts';
import { fontNeedOf, fontQueryOf, satoriFonts, uniformColor } from './satori-text.ts';
import { imagesOf, satoriTree } from './satori-tree.ts';
import { StretchedPictures } from './stretched-pictures.ts';
import { checkBackgrounds, checkPage, containBackgrounds, withoutIgnored } from './subset.ts';

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
/** Satori's default text style. */
const INITIAL: FontQuery = { families: ['serif'], weight: 400, style: 'normal', variations: {}, lang: null };

/** @throws AppError `invalid_request` naming what cannot be drawn or loaded, and where it is */
export async function composeHtml(page: HtmlPage, load: LoadNeeds): Promise<ComposedPage> {
  const { template, values, width, height } = page;
  if (template.script) throw cannot('script: true');
  const nodes = completePage(parseHtml(template.html)).slice(0, 1);
  const known = fillLayers(nodes, values);
  const ignored = checkPage(nodes, template.css);
  const sheet = `${attributeRules(nodes)}${withoutIgnored(nodes, template.css)}`;
  const text = textOf(nodes, sheet);
  const initial: FontQuery = { ...INITIAL, lang: spreadLanguages(nodes)[0] ?? null };

  const pictures = imagesOf(nodes, sheet);
  const mended = mendElements(nodes, sheet, page);
  const needs = pictures.map(({ source, place, isRequired }, index) =>
    imageNeed(`image-${index}`, source, place, !isRequired),
  );
  let loaded = await load({ fonts: [fontNeedOf(initial, text)], images: needs, hyphenation: [], codes: [] });
  const images = new Map(loaded.resources.images);
  const found = [...loaded.diagnostics, ...ignored, ...mended];
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
    const standIn = imagePlaceholder(image, index);
    standIns.set(source, standIn);
    marked.set(standIn, { key });
    insideSvg.set(source, dataUriOf(image));
    if (image.hasNoSize && !containBackgrounds(nodes, sheet, page, source)) checkBackgrounds(nodes, sheet, source);
  }
  found.push(...pageWarnings(nodes, sheet));

  const stretched = new StretchedPictures(nodes, sheet);
  const tree = satoriTree(nodes, sheet, standIns, insideSvg, stretched.keys);
  const queries = new Map([[fontQueryKey(initial), initial]]);
  let drawing: LaidOut;
  for (let pass = 1; ; pass += 1) {
    const fonts = satoriFonts([...queries.values()], loaded.resources.fonts);
    drawing = await layOut(tree, page, fonts);
    const before = queries.size;
    for (const element of descendants(drawing.root)) {
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
      document: { ...propertiesOf(nodes), ...page.template.pdf },
      isPlain: true,
      ops: [...asParagraph(ops), ...linkOps(drawing.links)],
    },
    resources,
    diagnostics: distinct([
      ...page.diagnostics,
      ...unknownLayers(values, known),
      ...found,
      ...stretched.warnings(drawing.boxes),
      ...marks.diagnostics(),
      ...lostTextWarnings(lostText(drawing.root, drawing.texts, nodes, page, (text) => uniformColor(text, fonts))),
    ]),
  };
}

/** What the page says of itself: the text of `<title>`. */
function propertiesOf(nodes: readonly HtmlNode[]): DocumentProperties {
  const element = [...elementsOf(nodes)].find(({ name }) => name === 'title');
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
function textOf(nodes: readonly HtmlNode[], css: string): string {
  const words: string[] = [];
  const collect = (node: HtmlNode): void => {
    if (!isElement(node)) words.push(node);
    else for (const child of node.children) collect(child);
  };
  for (const node of nodes) collect(node);
  for (const { attributes } of elementsOf(nodes))
    for (const name of ['value', 'placeholder']) words.push(attributes.get(name) ?? '');
  const text = words.join('');
  if (text.length > MAX_TEXT) {
    const message = `The page has ${text.length} characters of text; at most ${MAX_TEXT} are allowed.`;
    throw new AppError('invalid_request', message);
  }
  const generated = [...css.matchAll(/content\s*:[^;}]*/g)].join('');
  return [...new Set(`${text}${text.toUpperCase()}${text.toLowerCase()}${generated}…•◦▪0123456789.-`)].join(' ');
}

type LaidOut = Pick<SatoriDrawing, 'links' | 'texts' | 'boxes'> & { readonly root: XmlElement };

async function layOut(tree: SatoriElement, { width, height }: Size, fonts: readonly SatoriFont[]): Promise<LaidOut> {
  const result = await drawWithSatori({ tree, width, height, fonts });
  if ('problem' in result) throw cannot(result.problem.replace(/\.$/, ''));
  const mended = fixSatoriSvg(parseXml(result.svg, DRAWING_LIMITS));
  if ('problem' in mended) throw cannot(mended.problem);
  const { links, texts, boxes, languages } = result;
  const root = languages.length > 0 ? withLanguages(mended, languages) : mended;
  return { root, links, texts, boxes };
}

/** Satori converts the `<svg>` elements of a page to `data:` images, which are drawn like SVG files. */
async function embeddedDrawings(
  root: XmlElement,
  load: LoadNeeds,
  count: number,
): Promise<ReadonlyMap<string, ImageResource>> {
  const hrefs = [...descendants(root)]
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

// Writes the rules that attributes of old pages mean (HTML, 15.3), in a cascade layer below the page's rules: colours of
// `<body>`, and `<font>`.

const ATTRIBUTE = 'platen-attributes';
const SIZES = ['x-small', 'small', 'medium', 'large', 'x-large', 'xx-large', 'xxx-large'];

/** Gives each element with such attributes one that the rules name. @returns the rules on one line; '' = none */
function attributeRules(page: readonly HtmlNode[]): string {
  const rules: string[] = [];
  for (const element of elementsOf(page)) {
    const declarations = declarationsOf(element);
    const link = element.name === 'body' ? colorOf(element, 'link') : null;
    if (declarations.length === 0 && link === null) continue;
    const selector = `[${ATTRIBUTE}="${rules.length}"]`;
    element.attributes.set(ATTRIBUTE, String(rules.length));
    rules.push(`${selector}{${declarations.join(';')}}${link === null ? '' : `${selector} a[href]{color:${link}}`}`);
  }
  return rules.length === 0 ? '' : `@layer ${ATTRIBUTE}{${rules.join('')}}`;
}

function declarationsOf(element: HtmlElement): readonly string[] {
  const add = (property: string, value: string | null | undefined) => (value ? [`${property}:${value}`] : []);
  if (element.name === 'body') {
    return [...add('background-color', colorOf(element, 'bgcolor')), ...add('color', colorOf(element, 'text'))];
  }
  if (element.name !== 'font') return [];
  const [, sign, digits] = /^\s*([+-]?)(\d+)/.exec(element.attributes.get('size') ?? '') ?? [];
  const size = sign === '+' ? 3 + Number(digits) : sign === '-' ? 3 - Number(digits) : Number(digits);
  const face = element.attributes.get('face') ?? '';
  return [
    ...add('color', colorOf(element, 'color')),
    ...add('font-size', digits && SIZES[Math.min(7, Math.max(1, size)) - 1]),
    ...add('font-family', /^[\w ,'-]{1,200}$/.test(face) ? face : null),
  ];
}

/** The name of a colour, or its six digits with or without `#`. */
function colorOf({ attributes }: HtmlElement, name: string): string | null {
  const value = attributes.get(name)?.trim() ?? '';
  const color = /^[\da-f]{6}$/i.test(value) ? `#${value}` : value;
  return /^#?\w{1,30}$/.test(color) && parseColor(color) ? color : null;
}
