// Sanitises an untrusted SVG file to a self-contained one.
//
// It keeps what a browser shows for `<img>`: SVG's secure static mode. Scripts, event handlers, animation, links and all
// references outside the file are dropped silently, because a viewer would ignore them too. What a viewer would show and
// we cannot is named. A DOCTYPE with declarations, gzip, other encodings and sizes over the limits are refused.
//
// The result is written anew from the parsed tree, so that nothing unknown to this file passes through.

import { AppError } from '#base/errors.ts';
import { base64Of } from '#base/runtime.ts';
import { type ImageFormat, sniffFormat } from '#core/sniff.ts';
import { naturalSizeOf } from '#core/svg/natural-size.ts';
import { plainSvg } from '#core/svg/plain-svg.ts';
import { parseDataUri } from './data-uri.ts';
import { MAX_SVG_DEPTH, MAX_SVG_ELEMENTS, MAX_SVG_TEXT, MAX_SVG_TEXT_TOTAL } from './limits.ts';
import { writtenSvg } from './svg-size.ts';
import { escapeXml, parseXml, type XmlElement } from './xml.ts';

const SVG = 'http://www.w3.org/2000/svg';
const XLINK_HREF = '{http://www.w3.org/1999/xlink}href';
const XML_SPACE = '{http://www.w3.org/XML/1998/namespace}space';

/** SVG 1.1's static elements. Not here: script, style, foreignObject, animation, SVG fonts, cursor, view. */
const ELEMENTS = new Set(
  `svg g defs symbol use switch a path rect circle ellipse line polyline polygon text tspan textPath image
  linearGradient radialGradient stop pattern clipPath mask marker filter
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology
  feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`.split(/\s+/),
);

export interface EmbeddedImage {
  readonly format: ImageFormat;
  readonly bytes: Uint8Array;
}

export interface SanitizedSvg {
  /**
   * All attributes of the root, unchanged. `width`, `height`, `viewBox` and `preserveAspectRatio` are not in
   * `attributes`.
   */
  readonly root: ReadonlyMap<string, string>;
  /** The root's other attributes as text, each with a leading space. */
  readonly attributes: string;
  /** The contents of the root. */
  readonly body: string;
  /** The embedded raster files, including those of embedded drawings. */
  readonly images: readonly EmbeddedImage[];
  /** What a browser would show and is left out (plain-svg.ts). */
  readonly leftOut: readonly string[];
}

/** An allowed reference: to an element of the same file. */
const LOCAL_URL = /url\(\s*(?:"#[^"()\\]*"|'#[^'()\\]*'|#[^"'()\s\\]*)\s*\)/gi;

/** Whether a CSS value refers to nothing outside the file. A backslash could spell `url(` another way. */
function isLocal(css: string): boolean {
  return !/(?:url|src|image|image-set|expression)\s*\(|\\/i.test(css.replace(LOCAL_URL, ''));
}

/** `fill: red; mask: url(#m)` without declarations that refer outside the file. */
function localDeclarations(css: string): string {
  return css
    .split(';')
    .filter((declaration) => /^\s*[\w-]+\s*:[^:]*$/.test(declaration) && isLocal(declaration))
    .join(';');
}

/** The file that an `<image>` embeds; null for anything but a picture in a `data:` URI. */
function embeddedImage(href: string): EmbeddedImage | null {
  if (!/^\s*data:/i.test(href)) return null;
  let bytes: Uint8Array;
  try {
    bytes = parseDataUri(href.trim()).bytes;
  } catch {
    return null;
  }
  const format = sniffFormat(bytes);
  return format && { format, bytes };
}

const dataUri = (type: string, bytes: Uint8Array) => `data:image/${type};base64,${base64Of(bytes)}`;

const written = (name: string, value: string) => ` ${name}="${escapeXml(value)}"`;

/** Sanitises one document, and counts its elements and characters. */
class Sanitizer {
  readonly images: EmbeddedImage[] = [];
  readonly leftOut = new Set<string>();
  readonly #pngs: ReadonlyMap<string, Uint8Array>;
  #characters = 0;
  #elements = 0;
  #isEmbedded = false;

  constructor(pngs: ReadonlyMap<string, Uint8Array>) {
    this.#pngs = pngs;
  }

  /** @throws AppError `invalid_request` when it is not UTF-8, not well-formed, has a DOCTYPE or is over a limit */
  document(bytes: Uint8Array): Omit<SanitizedSvg, 'images' | 'leftOut'> {
    const written = parseXml(decode(bytes), { elements: MAX_SVG_ELEMENTS - this.#elements, depth: MAX_SVG_DEPTH });
    // Handwritten files often lack the namespace; another namespace is not SVG.
    if (written.name !== 'svg' || (written.namespace !== SVG && written.namespace !== '')) {
      throw new AppError('invalid_request', 'The SVG file has no <svg> element at its root.');
    }
    this.#elements += countOf(written);
    const { root, leftOut } = plainSvg(written, naturalSizeOf(written.attributes), tooManyRules);
    for (const what of leftOut) this.leftOut.add(what);
    const attributes = this.attributes(root, SIZING);
    return { root: root.attributes, attributes, body: this.children(root, false) };
  }

  attributes(element: XmlElement, skip: ReadonlySet<string> = new Set()): string {
    let text = '';
    for (const [name, value] of element.attributes) {
      if (skip.has(name) || (name === XLINK_HREF && element.attributes.has('href'))) continue;
      if (name === 'style') text += written(name, localDeclarations(value));
      else if (name === XML_SPACE) text += written('xml:space', value);
      else if (name === 'href' || name === XLINK_HREF) text += this.#reference(element, value);
      else if (/^[a-z][a-z0-9-]*$/i.test(name) && !/^on/i.test(name) && isLocal(value)) text += written(name, value);
    }
    return text;
  }

  #reference(element: XmlElement, value: string): string {
    if (element.name === 'image' || element.name === 'feImage') {
      if (element.name === 'feImage' && value.trim().startsWith('#')) return written('href', value.trim());
      const image = embeddedImage(value);
      if (image === null) return '';
      if (image.format === 'svg') return this.#embedded(image.bytes);
      this.images.push(image);
      const png = this.#pngs.get(base64Of(image.bytes));
      return written('href', png ? dataUri('png', png) : dataUri(image.format, image.bytes));
    }
    const local = element.name !== 'a' && /^\s*#[^\s]+\s*$/.test(value);
    return local ? written('href', value.trim()) : '';
  }

  /** A drawing in the drawing, one level deep; its elements and characters count towards the file's limits. */
  #embedded(bytes: Uint8Array): string {
    if (this.#isEmbedded) return '';
    this.#isEmbedded = true;
    const { root, attributes, body } = this.document(bytes);
    this.#isEmbedded = false;
    return written('href', dataUri('svg+xml', new TextEncoder().encode(writtenSvg(root, attributes, body))));
  }

  children(parent: XmlElement, inText: boolean): string {
    return parent.children.map((child) => this.#child(child, parent, inText)).join('');
  }

  #child(child: XmlElement | string, parent: XmlElement, inText: boolean): string {
    if (typeof child === 'string') return inText ? escapeXml(child) : '';
    if (child.namespace !== parent.namespace || !ELEMENTS.has(child.name)) return '';
    if (child.name === 'text') this.#count(textOf(child).length);
    const body = this.children(child, inText || child.name === 'text');
    const attributes = this.attributes(child);
    return body === '' ? `<${child.name}${attributes}/>` : `<${child.name}${attributes}>${body}</${child.name}>`;
  }

  #count(characters: number): void {
    this.#characters += characters;
    if (characters > MAX_SVG_TEXT || this.#characters > MAX_SVG_TEXT_TOTAL) {
      throw new AppError('invalid_request', `The SVG file has a text of more than ${MAX_SVG_TEXT} characters.`);
    }
  }
}

function textOf(element: XmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
}

const SIZING: ReadonlySet<string> = new Set(['x', 'y', 'width', 'height', 'viewBox', 'preserveAspectRatio']);

/**
 * Parses a file and keeps what may be drawn.
 *
 * @param pngs by an embedded file in base64, the PNG that takes its place
 * @throws AppError `invalid_request` when it is not UTF-8, not well-formed, has a DOCTYPE or is over a limit
 */
export function sanitizeSvg(bytes: Uint8Array, pngs: ReadonlyMap<string, Uint8Array> = new Map()): SanitizedSvg {
  const sanitizer = new Sanitizer(pngs);
  return { ...sanitizer.document(bytes), images: sanitizer.images, leftOut: [...sanitizer.leftOut] };
}

const tooManyRules = (what: string) => new AppError('invalid_request', `The SVG file has ${what}.`);

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('invalid_request', 'The SVG file is not UTF-8.', { cause });
  }
}

function countOf({ children }: XmlElement): number {
  return children.reduce((sum, child) => (typeof child === 'string' ? sum : sum + countOf(child)), 1);
}
