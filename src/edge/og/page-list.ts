// Draws trees by Platen's own layout of html: the tree becomes a page, the page a scene. So are those with tables, or with
// Tailwind's classes, of which satori has neither.

import { AppError } from '#base/errors.ts';
import { compose } from '#core/compose.ts';
import type { CssElement } from '#core/css/selectors.ts';
import { elementsOf } from '#core/css/selectors.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import type { Size } from '#core/geometry.ts';
import { sceneOfPage } from '#core/html/page-scene.ts';
import { YogaTreeCache } from '#core/layout/yoga-tree-cache.ts';
import type { DisplayList } from '#core/paint/display-list.ts';
import type { ImageResource, Resources } from '#core/resources.ts';
import { pictureOf } from '#draw/html/page-pictures.ts';
import { takeTailwindRules } from '#draw/html/tailwind/take-tailwind-rules.ts';
import type { EdgeFonts } from '../fonts.ts';
import { childrenOf, hasEmoji, type PlainNode } from './plain-tree.ts';

/** Most different classes of a tree. */
const MAX_CLASSES = 2_000;

export interface PageListOptions extends Size {
  readonly fonts: EdgeFonts;
  /** CSS for the classes of the tree. */
  readonly css: string;
  /** Whether `class`, `className` and `tw` take Tailwind's classes. */
  readonly tailwind: boolean;
  /** Whether each element is outlined. */
  readonly debug: boolean;
  /** The picture of an emoji as a `data:` address, or null. */
  readonly emoji: (emoji: string) => Promise<string | null>;
  /** The picture of each placeholder. */
  readonly pictures: ReadonlyMap<string, ImageResource>;
  /** Reads an SVG file, by its `data:` address. */
  readonly drawing: (address: string, key: string) => ImageResource;
}

const trees = new YogaTreeCache();

/**
 * @param root the tree, with placeholders for pictures
 * @throws AppError `invalid_request` naming what cannot be drawn
 */
export async function pageList(
  root: PlainNode | undefined,
  options: PageListOptions,
): Promise<{
  readonly list: DisplayList;
  readonly resources: Resources;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const { width, height, tailwind, debug } = options;
  const body = pageElement('body', new Map(), root === undefined ? [] : await pageNodes(root, options, false));
  const html = pageElement('html', new Map(), [body]);
  const { theme, css } = tailwind ? takeTailwindRules(options.css) : { theme: '', css: options.css };
  const sheets = [CANVAS, tailwind ? await sheetOf(html, theme) : '', css, debug ? '*{outline:1px solid #ff5750}' : ''];
  const { scene } = sceneOfPage({ html, sheets, width, height, page: null, sourceOf: pictureOf });
  const images = new Map<string, ImageResource>();
  for (const {
    key,
    sources: [source = ''],
  } of scene.needs.images) {
    const picture = options.pictures.get(source);
    if (picture) images.set(key, { ...picture, key });
    else if (source.startsWith('data:image/svg+xml')) images.set(key, options.drawing(source, key));
  }
  const { fonts } = options.fonts.load(scene.needs.fonts);
  const resources: Resources = { fonts, images, codes: new Map(), hyphenators: new Map() };
  const { list, diagnostics } = compose(scene, resources, trees);
  return { list, resources, diagnostics };
}

const CANVAS = '@layer platen{html,body{margin:0;height:100%;display:flow-root}}';

async function sheetOf(html: CssElement, theme: string): Promise<string> {
  const texts = [...elementsOf([html])].map(({ attributes }) => attributes.get('class') ?? '');
  const classes = new Set(texts.flatMap((text) => text.split(/\s+/)));
  classes.delete('');
  if (classes.size > MAX_CLASSES) {
    throw new AppError(
      'invalid_request',
      `The tree has ${classes.size} different classes; at most ${MAX_CLASSES} are allowed.`,
    );
  }
  const { compileClasses } = await import('#draw/html/tailwind/compile-classes.ts');
  return compileClasses([...classes], theme);
}

type PageNode = CssElement | string;

const pageElement = (name: string, attributes: Map<string, string>, children: PageNode[]) =>
  ({ name, attributes, children }) satisfies CssElement;

/** Attributes of SVG that React writes without their hyphens. */
const HYPHENATED =
  /^(?:(?:fill|stroke|stop|flood|font|dominant|alignment|letter|word|paint|shape|vector|color|lighting)|clip(?!PathUnits)|mask(?!Units|ContentUnits)|text(?!Length)|marker(?!Units|Width|Height))[A-Z]/;

/** An element as one of a page; a text, with its emoji as pictures. */
async function pageNodes(
  node: PlainNode,
  options: Pick<PageListOptions, 'tailwind' | 'emoji'>,
  isInSvg: boolean,
): Promise<PageNode[]> {
  if (typeof node !== 'object') return withEmoji(String(node), options.emoji);
  const { type, props } = node;
  const isDrawing = isInSvg || type === 'svg';
  const attributes = new Map<string, string>();
  const classes: string[] = [];
  for (const [name, value] of Object.entries(props)) {
    if (/^(children|key|ref)$/.test(name) || value === null || value === undefined || value === false) continue;
    if (/^class(Name)?$/.test(name) || (name === 'tw' && options.tailwind)) classes.push(String(value));
    else if (name === 'style' && typeof value === 'object') attributes.set('style', cssOfStyle(value));
    else if (typeof value !== 'object' && typeof value !== 'function') {
      const own = HYPHENATED.test(name) ? hyphenated(name) : name.replace(/^xlinkHref$/, 'xlink:href');
      attributes.set(isDrawing ? own : name.toLowerCase(), value === true ? '' : String(value));
    }
  }
  if (classes.length > 0) attributes.set('class', classes.join(' '));
  const children = await Promise.all(childrenOf(node).map((child) => pageNodes(child, options, isDrawing)));
  return [pageElement(type, attributes, children.flat())];
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** As in satori, a picture of 1 em for each emoji that has one. */
async function withEmoji(text: string, emoji: PageListOptions['emoji']): Promise<PageNode[]> {
  if (!hasEmoji([text])) return [text];
  const parts = [...segmenter.segment(text)].map(async ({ segment }) => {
    const src = hasEmoji([segment]) ? await emoji(segment) : null;
    const style = 'display:inline-block;width:1em;height:1em;max-width:none;vertical-align:-0.15em';
    return src === null
      ? segment
      : pageElement(
          'img',
          new Map([
            ['src', src],
            ['style', style],
          ]),
          [],
        );
  });
  return Promise.all(parts);
}

const hyphenated = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

// Writes React's style objects as CSS.

/** CSS properties whose numbers are not px (React's list). */
const UNITLESS =
  /^(animationIterationCount|aspectRatio|borderImage\w+|columnCount|columns|fillOpacity|flex|flexGrow|flexShrink|floodOpacity|fontWeight|gridArea|gridColumn\w*|gridRow\w*|lineClamp|lineHeight|opacity|order|orphans|scale|stopOpacity|strokeDasharray|strokeDashoffset|strokeMiterlimit|strokeOpacity|strokeWidth|tabSize|WebkitLineClamp|widows|zIndex|zoom|--.*)$/;

/** The declarations of a `style` attribute. */
export function cssOfStyle(style: object): string {
  return Object.entries(style)
    .filter(([, value]) => value !== null && value !== undefined && typeof value !== 'boolean' && value !== '')
    .map(([name, value]) => {
      const property = name.startsWith('--') ? name : hyphenated(name).replace(/^webkit-/, '-webkit-');
      const isLength = typeof value === 'number' && value !== 0 && !UNITLESS.test(name);
      return `${property}:${isLength ? `${value}px` : value}`;
    })
    .join(';');
}
