// Replaces the letters and pictures of satori's drawing with marker elements before usvg simplifies it.
//
// So letters remain glyph runs and pictures keep all their pixels, whatever usvg does to the drawing around them: the contract
// asks for vector PDFs with real text. Nothing that satori draws is changed here.

import { elementsOf } from '#core/css/selectors.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import type { Filter } from '#core/paint/display-list.ts';
import type { ImageResource, Resources } from '#core/resources.ts';
import { filterChain } from '#core/svg/read-filter.ts';
import type { MarkedImage, SvgMarks } from '#core/svg/read-svg.ts';
import { escapeXml, type XmlElement } from '#draw/images/xml.ts';
import { imagePlaceholder } from './page-pictures.ts';
import { joinPieces, type PlacedText, placeText } from './satori-text.ts';

/** The picture that a placeholder stands for. */
export interface StandIn {
  readonly key: string;
}

/** The letters and pictures of a drawing, by the markers that replace them. */
export class MarkedDrawing implements Omit<SvgMarks, 'fonts'> {
  readonly texts = new Map<string, PlacedText>();
  readonly images = new Map<string, MarkedImage>();
  readonly backdrops = new Map<string, readonly Filter[]>();
  readonly #backdropFilters = new Map<string, XmlElement>();
  readonly #resources: Resources;
  readonly #drawings = new Map<string, string>();
  readonly #missing = new Set<string>();
  /** `url(#…)` of every mask. */
  readonly #masks = new Set<string>();
  /** `url(#…)` of every clip that only applies an element's `clip-path`; the element's box does not clip. */
  readonly #shapes = new Set<string>();

  /**
   * @param standIns by placeholder, its picture
   * @param drawings by `data:` URI, the SVG files in the drawing
   */
  constructor(
    root: XmlElement,
    resources: Resources,
    standIns: ReadonlyMap<string, StandIn>,
    drawings: ReadonlyMap<string, ImageResource>,
  ) {
    this.#resources = resources;
    for (const element of elementsOf(root.children)) {
      const { name, attributes } = element;
      const id = attributes.get('id') ?? '';
      if (name === 'filter' && id.startsWith('satori_bf-')) this.#backdropFilters.set(id, element);
      if (name === 'mask') this.#masks.add(`url(#${id})`);
      if (name !== 'clipPath') continue;
      if (/^translate\(/.test(attributes.get('transform') ?? '')) this.#shapes.add(`url(#${id})`);
      // If the element clips overflow too, satori gives the clip another name.
      if (id.startsWith('satori_ocp-')) this.#shapes.delete(`url(#${id.replace('ocp', 'cp')})`);
    }
    for (const [uri, { key }] of standIns) this.#mark(uri, resources.images.get(key));
    for (const [uri, image] of drawings) {
      const standIn = imagePlaceholder({ width: 1, height: 1 }, 1_000_000 + this.#drawings.size);
      this.#drawings.set(uri, standIn);
      this.#mark(standIn, image);
    }
  }

  #mark(uri: string, image: ImageResource | undefined): void {
    if (image) this.images.set(uri, { key: image.key, width: image.width, height: image.height });
  }

  /** The drawing as text, with its letters replaced by marker outlines. */
  write(element: XmlElement): string {
    const { name, children } = element;
    if (name === 'text') return this.#letters(element);
    const filter = /^url\(#(satori_bf-.+)\)$/.exec(element.attributes.get('filter') ?? '')?.[1];
    if (filter !== undefined) return this.#backdrop(element, filter);
    if (name === 'filter' && element.attributes.get('id')?.startsWith('satori_bf-')) return '';
    const inner = joinPieces(children.filter((child) => typeof child !== 'string'))
      .map((child) => this.write(child))
      .join('');
    const namespace = name === 'svg' ? ' xmlns="http://www.w3.org/2000/svg"' : '';
    return `<${name}${namespace}${this.#attributes(element)}>${inner}</${name}>`;
  }

  #attributes({ name, attributes }: XmlElement, without: ReadonlySet<string> = new Set()): string {
    let written = '';
    for (const [key, value] of attributes) {
      if (without.has(key) || key.startsWith('{') || value === '') continue;
      const shown = name === 'image' && key === 'href' ? (this.#drawings.get(value) ?? value) : value;
      written += ` ${key}="${escapeXml(shown)}"`;
    }
    return written;
  }

  /** A shape that stands for what lies behind it, which usvg does not know. */
  #backdrop(shape: XmlElement, filter: string): string {
    const steps = this.#backdropFilters.get(filter);
    if (!steps) return '';
    const id = `backdrop-${this.backdrops.size}`;
    this.backdrops.set(id, filterChain(steps));
    return `<${shape.name} id="${id}"${this.#attributes(shape, new Set(['id', 'filter']))}/>`;
  }

  #letters(text: XmlElement): string {
    const { runs, missing } = placeText(text, this.#resources.fonts);
    for (const grapheme of missing) this.#missing.add(grapheme);
    const attributes = this.#attributes(text, OF_TEXT);
    const paths = runs.map((placed) => {
      const id = `text-${this.texts.size}`;
      this.texts.set(id, placed);
      return `<path id="${id}"${attributes} d="${placed.d}"/>`;
    });
    // Satori clips outlined letters in the coordinates of their parent, and also by its overflow mask.
    const clip = text.attributes.get('clip-path');
    if (clip === undefined) return paths.join('');
    const mask = this.#shapes.has(clip) ? clip : clip.replace('satori_cp-', 'satori_om-');
    const isMasked = mask !== clip && this.#masks.has(mask);
    return `<g clip-path="${clip}"${isMasked ? ` mask="${mask}"` : ''}>${paths.join('')}</g>`;
  }

  diagnostics(): readonly Diagnostic[] {
    if (this.#missing.size === 0) return [];
    const shown = [...this.#missing].slice(0, 10).map((grapheme) => JSON.stringify(grapheme));
    const rest = this.#missing.size > shown.length ? ` and ${this.#missing.size - shown.length} more` : '';
    return [{ code: 'missing-glyph', layer: null, message: `No font has a glyph for ${shown.join(', ')}${rest}.` }];
  }
}

/** The attributes of a `<text>` that define the position and face of its letters. */
const OF_TEXT: ReadonlySet<string> = new Set(
  'x y width height lang font-weight font-style font-size font-family letter-spacing clip-path id'.split(' '),
);
