// Converts a filled page to the tree that satori lays out, and lists the pictures in it. It stays for security, as satori
// would fetch what it is given:
//
// Satori gets no addresses: each picture is a placeholder of the same size with unique bytes. The tree is plain data,
// with styles as objects, so that no value can be interpreted as anything else.

import { AppError } from '#base/errors.ts';
import { readDeclarations, replaceUrls, urlsOf, withoutImportant } from '#core/css/css-text.ts';
import { elementsOf, isElement } from '#core/css/selectors.ts';
import { imagePlaceholder } from './page-pictures.ts';
import type { HtmlElement, HtmlNode } from './parse-html.ts';
import type { SatoriElement } from './satori.ts';

/** Most different pictures of one page. */
const MAX_PICTURES = 200;
const MAX_CLASS_NAMES = 2_000;
/** Elements without any visible effect. */
const LEFT_OUT = new Set(['script', 'link', 'meta', 'base', 'title']);
/** Attributes through which a page could pass satori more than CSS and text. */
const NOT_ATTRIBUTES = /^(on.*|style|tw|children|key|ref|srcset|sizes|dangerouslysetinnerhtml|__.*)$/i;

/**
 * The rules of HTML's default style sheet that satori lacks, in a cascade layer, so that any rule of a page overrides
 * them. The page and its body are as high as the canvas, as in server/chromium/draw-html.ts, so that percentage heights work.
 */
const USER_AGENT_STYLE = `@layer platen-ua {
html, body { height: 100%; display: flow-root }
body { margin: 0 }
a[href] { color: #0000ee; text-decoration: underline }
}`;

/** A picture in the page. */
export interface PageImage {
  readonly source: string;
  /** `html, line 3`, or the layer's name. */
  readonly place: string;
  /** Whether rendering fails without it (`data-required`). */
  readonly isRequired: boolean;
  /** Whether CSS shows it. */
  readonly isInCss: boolean;
}

/** Every picture address in the page and its CSS, without duplicates. */
export function imagesOf(html: HtmlElement, css: string): readonly PageImage[] {
  const found = new Map<string, PageImage>();
  const add = (source: string, place: string, isRequired = false, isInCss = false) => {
    if (source === '' || source.startsWith('#')) return;
    const before = found.get(source) ?? { place, isRequired, isInCss };
    const all = { isRequired: isRequired || before.isRequired, isInCss: isInCss || before.isInCss };
    found.set(source, { source, place: before.place, ...all });
  };
  const addAll = (text: string, place: string) => {
    for (const url of urlsOf(text)) add(url, place, false, true);
  };
  for (const { name, attributes, children, line } of elementsOf([html])) {
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
 */
export function satoriTree(
  html: HtmlElement,
  css: string,
  standIns: ReadonlyMap<string, string>,
  pictures: ReadonlyMap<string, string> = new Map(),
): SatoriElement {
  const [head, body] = html.children.filter((child) => isElement(child));
  const styles = head?.children.filter((node) => isElement(node) && node.name === 'style') ?? [];
  const writer = new TreeWriter(standIns, pictures);
  const sheet = (text: string) => ({ type: 'style', props: { children: text } });
  const sheets = [sheet(USER_AGENT_STYLE), sheet(writer.css(css)), ...styles.flatMap((style) => writer.node(style))];
  const inBody = body ? writer.node(body) : [];
  return { type: 'html', props: { ...writer.attributes(html), children: [...sheets, ...inBody] } };
}

class TreeWriter {
  readonly #standIns: ReadonlyMap<string, string>;
  readonly #pictures: ReadonlyMap<string, string>;
  #classNames = 0;

  constructor(standIns: ReadonlyMap<string, string>, pictures: ReadonlyMap<string, string>) {
    this.#standIns = standIns;
    this.#pictures = pictures;
  }

  css(text: string): string {
    return replaceUrls(text, (url) => (url.startsWith('#') ? url : this.#standIn(url)));
  }

  node(node: HtmlNode): (SatoriElement | string)[] {
    if (!isElement(node)) return [node];
    if (LEFT_OUT.has(node.name)) return [];
    if (node.name === 'style') return [{ type: 'style', props: { children: this.css(node.children.join('')) } }];
    if (node.name === 'img' && !node.attributes.get('src')?.trim()) return [];
    const children = node.children.flatMap((child) => this.node(child));
    // Satori expects a single child to be a value rather than an array.
    const content = children.length === 0 ? {} : { children: children.length === 1 ? children[0] : children };
    return [{ type: node.name, props: { ...this.attributes(node), ...content } }];
  }

  attributes({ name, attributes }: HtmlElement): Record<string, unknown> {
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
    const style: Record<string, string> = {};
    for (const { property, value } of readDeclarations(attributes.get('style') ?? '')) {
      const written = property.startsWith('--')
        ? property
        : property
            .replace(/^-/, '')
            .replace(/(^webkit|-[a-z])/g, (part) => part.replace('-', '').replace(/^./, (c) => c.toUpperCase()));
      delete style[written];
      // Satori knows no !important here. A page whose style sheets have it too is not satori's.
      style[written] = this.css(withoutImportant(value));
    }
    return Object.keys(style).length === 0 ? props : { ...props, style };
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
