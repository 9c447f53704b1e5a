// Converts a filled page to the tree that satori lays out, and lists the pictures in it.
//
// Satori gets no addresses: each picture is a placeholder of the same size with unique bytes. The tree is plain data,
// with styles as objects, so that no value can be interpreted as anything else.

import { AppError } from '#base/errors.ts';
import {
  type Declaration,
  isImportant,
  readDeclarations,
  replaceUrls,
  urlsOf,
  withoutImportant,
} from '#core/css/css-text.ts';
import { imagePlaceholder } from './page-pictures.ts';
import { completePage, elementsOf, type HtmlElement, type HtmlNode, isElement } from './parse-html.ts';
import type { SatoriElement } from './satori.ts';
import { isOneValue } from './style-attribute.ts';
import { OF_DRAWINGS } from './subset.ts';

/** Most different pictures of one page. */
const MAX_PICTURES = 200;
const MAX_CLASS_NAMES = 2_000;
/** Elements without any visible effect. */
const LEFT_OUT = new Set(['script', 'link', 'meta', 'base', 'title']);
/** Attributes through which a page could pass satori more than CSS and text. */
const NOT_ATTRIBUTES = /^(on.*|style|tw|children|key|ref|srcset|sizes|dangerouslysetinnerhtml|data-platen-.*|__.*)$/i;

/** Identifies the elements with `!important` declarations. */
const IMPORTANT_ATTRIBUTE = 'data-platen-important';

/**
 * The rules of HTML's default style sheet that satori lacks, in a cascade layer, so that any rule of a page overrides
 * them. The page and its body are as high as the canvas, as in server/chromium/draw-html.ts, so that percentage heights work.
 */
const USER_AGENT_STYLE = `@layer platen-ua {
html, body { height: 100%; display: flow-root }
body { margin: 0 }
a[href] { color: #0000ee; text-decoration: underline }
ins { text-decoration: underline }
del, strike { text-decoration: line-through }
cite, dfn, var { font-style: italic }
samp, tt { font-family: monospace }
sub { font-size: smaller; vertical-align: sub }
sup { font-size: smaller; vertical-align: super }
summary { display: list-item; list-style: inside disclosure-closed }
details[open] > summary { list-style-type: disclosure-open }
details:not([open]) > :not(summary) { display: none }
button { padding: 1px 6px; border: 2px outset #767676; background: #efefef; color: #000; font: 13.3333px sans-serif; text-align: center }
abbr[title] { text-decoration: underline dotted }
q::before { content: "“" }
q::after { content: "”" }
q q::before { content: "‘" }
q q::after { content: "’" }
}`;

/** A picture in the page. */
export interface PageImage {
  readonly source: string;
  /** `html, line 3`, or the layer's name. */
  readonly place: string;
  /** Whether rendering fails without it (`data-required`). */
  readonly isRequired: boolean;
}

/** Every picture address in the page and its CSS, without duplicates. */
export function imagesOf(page: readonly HtmlNode[], css: string): readonly PageImage[] {
  const found = new Map<string, PageImage>();
  const add = (source: string, place: string, isRequired = false) => {
    if (source === '' || source.startsWith('#')) return;
    const before = found.get(source);
    found.set(source, { source, place: before?.place ?? place, isRequired: isRequired || before?.isRequired === true });
  };
  const addAll = (text: string, place: string) => {
    for (const url of urlsOf(text)) add(url, place);
  };
  for (const { name, attributes, children, line } of elementsOf(page)) {
    const place = attributes.get('data-layer') ?? `html, line ${line}`;
    if (name === 'img') add(attributes.get('src')?.trim() ?? '', place, attributes.has('data-required'));
    if (name === 'image') add((attributes.get('href') ?? attributes.get('xlink:href') ?? '').trim(), place);
    addAll(attributes.get('style') ?? '', place);
    if (name === 'style') addAll(children.join(''), place);
  }
  addAll(css, 'css');
  if (found.size > MAX_PICTURES) {
    throw new AppError(
      'invalid_request',
      `The page names ${found.size} pictures; at most ${MAX_PICTURES} are allowed.`,
    );
  }
  return [...found.values()];
}

/**
 * @param standIns a placeholder `data:` URI for each address; an address without one gets an empty picture
 * @param pictures the same with the pictures themselves, for those inside `<svg>`: such an element is drawn as a file
 * @param keys names for the elements whose boxes are needed
 */
export function satoriTree(
  page: readonly HtmlNode[],
  css: string,
  standIns: ReadonlyMap<string, string>,
  pictures: ReadonlyMap<string, string> = new Map(),
  keys: ReadonlyMap<HtmlElement, string> = new Map(),
): SatoriElement {
  const [html, head, body] = completePage(page);
  const styles = head.children.filter((node): node is HtmlElement => isElement(node) && node.name === 'style');
  const writer = new TreeWriter(standIns, pictures, keys);
  const attributes = writer.attributes(html);
  const inBody = writer.node(body);
  const sheet = (text: string) => ({ type: 'style', props: { children: text } });
  const sheets = [sheet(USER_AGENT_STYLE), sheet(writer.css(css)), ...styles.flatMap((style) => writer.node(style))];
  return { type: 'html', props: { ...attributes, children: [...sheets, sheet(writer.importantRules()), ...inBody] } };
}

class TreeWriter {
  readonly #standIns: ReadonlyMap<string, string>;
  readonly #pictures: ReadonlyMap<string, string>;
  readonly #keys: ReadonlyMap<HtmlElement, string>;
  #classNames = 0;
  /** `!important` declarations of `style` attributes. */
  readonly #important: string[] = [];

  constructor(
    standIns: ReadonlyMap<string, string>,
    pictures: ReadonlyMap<string, string>,
    keys: ReadonlyMap<HtmlElement, string>,
  ) {
    this.#keys = keys;
    this.#standIns = standIns;
    this.#pictures = pictures;
  }

  css(text: string): string {
    return replaceUrls(text, (url) => (url.startsWith('#') ? url : this.#standIn(url)));
  }

  /** @param isInSvg whether it is inside an `<svg>` */
  node(node: HtmlNode, isInSvg = false): (SatoriElement | string)[] {
    if (!isElement(node)) return [node];
    if (LEFT_OUT.has(node.name)) return [];
    if (node.name === 'style') return [{ type: 'style', props: { children: this.css(node.children.join('')) } }];
    if (node.name === 'img' && !node.attributes.get('src')?.trim()) return [];
    const isDrawing = isInSvg || node.name === 'svg';
    const children = node.children.flatMap((child) => this.node(child, isDrawing));
    // Satori expects a single child to be a value rather than an array.
    const content = children.length === 0 ? {} : { children: children.length === 1 ? children[0] : children };
    const key = this.#keys.get(node);
    const named = key === undefined ? {} : { key };
    return [{ type: node.name, ...named, props: { ...this.attributes(node, isDrawing), ...content } }];
  }

  attributes(element: HtmlElement, isDrawing = false): Record<string, unknown> {
    const { name, attributes } = element;
    const props: Record<string, unknown> = {};
    for (const [key, value] of attributes) {
      if (NOT_ATTRIBUTES.test(key) || !/^[A-Za-z][\w:.-]*$/.test(key)) continue;
      const isInside = name === 'image' && /^(xlink:)?href$/.test(key);
      const isPicture = name === 'img' && key === 'src';
      const isLength = (name === 'img' || name === 'svg') && (key === 'width' || key === 'height');
      const number = isLength && /^\s*\d+(\.\d+)?(px)?\s*$/.test(value) ? Number.parseFloat(value) : null;
      // As in SVG 2, and in `imagesOf`: of two addresses, that without a prefix counts.
      const source = (isInside ? (attributes.get('href') ?? value) : value).trim();
      if (isInside) props.href = this.#pictures.get(source) ?? this.#standIn(source);
      else props[key] = isPicture ? this.#standIn(source) : (number ?? value);
      if (key === 'class') this.#count(value);
    }
    // A picture without a file takes next to no space, unless the page sets a size.
    if (name === 'img' && !this.#standIns.has(attributes.get('src')?.trim() ?? '')) {
      props.width ??= 1;
      props.height ??= 1;
    }
    const all = readDeclarations(attributes.get('style') ?? '');
    // SVG 2 §6.4: such an attribute means the same as the property, and satori reads only the attribute.
    const isAttribute = ({ property }: Declaration) => isDrawing && OF_DRAWINGS.test(property);
    for (const { property, value } of all.filter(isAttribute)) props[property] = withoutImportant(value);
    const declarations = all.filter((each) => !isAttribute(each));
    const important = declarations.filter(({ value }) => isImportant(value) && isOneValue(value));
    if (important.length > 0) {
      props[IMPORTANT_ATTRIBUTE] = String(this.#important.length);
      this.#important.push(important.map(({ property, value }) => `${property}:${this.css(value)}`).join(';'));
      this.#count('important');
    }
    const style = this.#style(declarations);
    return Object.keys(style).length === 0 ? props : { ...props, style };
  }

  /**
   * Rules for the `!important` declarations in the `style` attributes written so far, which satori does not support
   * there. They are more specific than any rule of the page.
   */
  importantRules(): string {
    const rule = (declarations: string, index: number) =>
      `[${IMPORTANT_ATTRIBUTE}="${index}"]:not(#_#_#_#_#_#_#_#_){${declarations}}`;
    return this.#important.map(rule).join('\n');
  }

  #style(declarations: readonly Pick<Declaration, 'property' | 'value'>[]): Record<string, string> {
    const style: Record<string, string> = {};
    for (const { property, value } of declarations) {
      const name = property.startsWith('--')
        ? property
        : property
            .replace(/^-/, '')
            .replace(/(^webkit|-[a-z])/g, (part) => part.replace('-', '').replace(/^./, (c) => c.toUpperCase()));
      delete style[name];
      style[name] = this.css(withoutImportant(value));
    }
    return style;
  }

  /** Limits class names, because every element's classes are looked up in every rule. */
  #count(classes: string): void {
    this.#classNames += classes.trim().split(/\s+/).length;
    if (this.#classNames <= MAX_CLASS_NAMES) return;
    throw new AppError('invalid_request', `The page uses more than ${MAX_CLASS_NAMES} class names.`);
  }

  #standIn(source: string): string {
    return this.#standIns.get(source) ?? NOTHING;
  }
}

const NOTHING = imagePlaceholder({ width: 1, height: 1 }, -1);
