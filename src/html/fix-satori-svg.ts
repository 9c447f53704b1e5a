// Corrects satori's SVG where it differs from CSS.
//
// - The shadow of a box inside `overflow: hidden` is clipped before it is blurred; it has to be clipped after.
// - For `background-clip: text`, the text in the `<clipPath>` has a clip of its own, for which SVG draws nothing.
// - The shadow of a text fades with the colour of the text; in CSS it has its own colour.
// - Inside `overflow: hidden`, an element's own background is not clipped by its `clip-path`.
// - A saturation of more than 1, which usvg takes for 1, is written as a matrix.
// - A sector of one colour in a conic gradient is many wedges, between whose smooth edges the colour below shows.

import { parseColor } from '#core/color.ts';
import type { XmlElement } from '#images/xml.ts';

/** Marks a `<text>` that is drawn as outlines only: it is the shape of a shadow, not readable text. */
export const SHAPE_ONLY = 'data-platen-shape-only';

/** @returns the drawing, or a description in CSS terms of what cannot be corrected */
export function fixSatoriSvg(root: XmlElement): XmlElement | { readonly problem: string } {
  const plain = [...descendants(root)].some((each) => isStrong(each) || hasWedges(each)) ? simplified(root) : root;
  const mender = new Mender(plain);
  const mended = { ...plain, children: mender.children(plain) };
  return mender.problem === null ? mended : { problem: mender.problem };
}

type Node = XmlElement | string;

class Mender {
  problem: string | null = null;
  readonly #filters = new Map<string, XmlElement>();
  /** Ids of elements with their own `clip-path`. */
  readonly #clipped = new Set<string>();
  /** The id of the element whose parts are being read: satori writes a mask with its name before them. */
  #current = '';

  constructor(root: XmlElement) {
    for (const element of descendants(root)) {
      const id = element.attributes.get('id') ?? '';
      if (element.name === 'filter') this.#filters.set(id, element);
      const isOwn = element.name === 'clipPath' && /^translate\(/.test(element.attributes.get('transform') ?? '');
      if (isOwn && id.startsWith('satori_cp-')) this.#clipped.add(id.slice('satori_cp-'.length));
    }
  }

  children(parent: XmlElement): Node[] {
    return parent.children.flatMap((child) => (typeof child === 'string' ? [child] : this.#element(child)));
  }

  #element(element: XmlElement): Node[] {
    const { name, attributes } = element;
    const id = attributes.get('id') ?? '';
    if (name === 'mask') {
      if (id.startsWith('satori_om-')) this.#current = id.slice('satori_om-'.length);
      return [id.startsWith('satori_ms-') ? uncut(element) : element];
    }
    if (name === 'clipPath') return [id.startsWith('satori_bct-') ? uncut(element) : element];
    if (name === 'defs') return [element];
    const own = this.#current;
    const parts = isBoxShadow(element) ? [cutAfter(element)] : this.#textShadow(element);
    const mended = parts ?? [
      name === 'g' || name === 'svg' ? { ...element, children: this.children(element) } : element,
    ];
    return this.#clipped.has(own) && !holdsOthers(element, own) ? this.#cutByOwn(own, element, mended) : mended;
  }

  #cutByOwn(own: string, element: XmlElement, mended: Node[]): Node[] {
    const clip = `url(#satori_cp-${own})`;
    if ([element, ...descendants(element)].some(({ attributes }) => attributes.has('transform'))) {
      this.problem ??= 'clip-path on an element with a transform';
    }
    if (element.attributes.get('clip-path') === clip) return mended;
    return [group([['clip-path', clip]], mended)];
  }

  /**
   * Handles a text with a shadow where the text is translucent, or where satori draws only the shadow because of
   * `background-clip: text`: returns the shadow of opaque letters, then the letters.
   */
  #textShadow(element: XmlElement): Node[] | null {
    const id = /^url\(#(satori_s-.+)\)$/.exec(element.attributes.get('filter') ?? '')?.[1];
    const filter = id === undefined ? undefined : this.#filters.get(id);
    const texts = element.children.filter((child) => typeof child !== 'string');
    if (element.name !== 'g' || !filter || !texts.every(({ name }) => name === 'text')) return null;
    if (drawsSource(filter) && !texts.every(isTranslucent)) return null;
    const only = withAttributes(filter, { id: `${id}-only` });
    const shadow = { ...only, children: filter.children.map(withoutSource) };
    const shapes = texts.map((text) => withAttributes(text, { fill: '#000', [SHAPE_ONLY]: '' }));
    const cast = { ...withAttributes(element, { filter: `url(#${id}-only)` }), children: shapes };
    return [{ ...group([], [shadow]), name: 'defs' }, cast, ...texts];
  }
}

const saturation = ({ attributes }: XmlElement) => Number(attributes.get('values'));
const isStrong = (element: XmlElement) =>
  element.name === 'feColorMatrix' && element.attributes.get('type') === 'saturate' && saturation(element) > 1;

/** The drawing without strong saturations, and with whole sectors. */
function simplified(element: XmlElement): XmlElement {
  if (isStrong(element)) return withMatrix(element);
  const children = element.children.map((child) => (typeof child === 'string' ? child : simplified(child)));
  return { ...element, children: hasWedges(element) ? wholeSectors(children) : children };
}

/** Filter Effects 1 §9.6: the matrix of a saturation. */
function withMatrix(element: XmlElement): XmlElement {
  const amount = saturation(element);
  const row = (own: number) =>
    [0.213, 0.715, 0.072].map((weight, i) => weight * (1 - amount) + (i === own ? amount : 0));
  const values = [...row(0), 0, 0, ...row(1), 0, 0, ...row(2), 0, 0, 0, 0, 0, 1, 0];
  return withAttributes(element, { type: 'matrix', values: values.join(' ') });
}

const hasWedges = ({ name, attributes }: XmlElement) =>
  name === 'g' && attributes.get('shape-rendering') === 'crispEdges';

/** The middle of a conic gradient, and the points between which a wedge lies. */
const WEDGE = /^M([-\d. ]+)L([-\d. ]+)L([-\d. ]+)Z$/;

/** Wedges that follow each other in one colour become one shape. */
function wholeSectors(parts: readonly Node[]): Node[] {
  const sectors: Node[] = [];
  let sector = null as { readonly look: string; readonly points: string[] } | null;
  for (const part of parts) {
    const attributes = typeof part === 'string' ? null : part.attributes;
    const [, middle, from, to] = WEDGE.exec(attributes?.get('d') ?? '') ?? [];
    if (typeof part === 'string' || from === undefined || to === undefined) {
      sector = null;
      sectors.push(part);
      continue;
    }
    const look = [...part.attributes].map(([name, value]) => (name === 'd' ? middle : `${name}=${value}`)).join(' ');
    if (sector?.look === look) {
      sector.points.splice(-1, 1, from, to);
      sectors.pop();
    } else sector = { look, points: [from, to] };
    sectors.push(withAttributes(part, { d: `M${middle}L${sector.points.join('L')}Z` }));
  }
  return sectors;
}

export function* descendants({ children }: XmlElement): Generator<XmlElement> {
  for (const child of children) {
    if (typeof child === 'string') continue;
    yield child;
    yield* descendants(child);
  }
}

/** Whether a group also contains parts of other elements. */
function holdsOthers(element: XmlElement, own: string): boolean {
  return [...descendants(element)].some(
    ({ name, attributes }) =>
      name === 'mask' && attributes.get('id')?.startsWith('satori_om-') && attributes.get('id') !== `satori_om-${own}`,
  );
}

function withAttributes(element: XmlElement, changes: Readonly<Record<string, string>>): XmlElement {
  return { ...element, attributes: new Map([...element.attributes, ...Object.entries(changes)]) };
}

/** The clips and masks of overflow and `clip-path`; masks of shadows have other names. */
const CUT = /^url\(#satori_(cp|ocp|om)-/;

const cutsOf = ({ attributes }: XmlElement) =>
  [...attributes].filter(([name, value]) => /^(clip-path|mask)$/.test(name) && CUT.test(value));

/** The element without clips inside it: it is clipped as a whole instead. */
function uncut(element: XmlElement): XmlElement {
  const children = element.children.map((child) => {
    if (typeof child === 'string') return child;
    const cuts = new Set(cutsOf(child).map(([name]) => name));
    return uncut({ ...child, attributes: new Map([...child.attributes].filter(([name]) => !cuts.has(name))) });
  });
  return { ...element, children };
}

const isBoxShadow = ({ name, attributes }: XmlElement) =>
  name === 'g' && /^url\(#satori_ms-/.test(attributes.get('mask') ?? '') && attributes.has('filter');

/** Blurs a shadow's whole shape, then applies the clip that the shape had. */
function cutAfter(shadow: XmlElement): XmlElement {
  const cuts = [...descendants(shadow)].map(cutsOf).find((found) => found.length > 0);
  return cuts ? group(cuts, [uncut(shadow)]) : shadow;
}

function isTranslucent({ attributes }: XmlElement): boolean {
  const color = parseColor(attributes.get('fill') ?? '');
  return color !== null && color.a < 1;
}

const isSource = (node: Node) => typeof node !== 'string' && node.attributes.get('in') === 'SourceGraphic';

/** Whether a filter's feMerge includes its source. */
const drawsSource = ({ children }: XmlElement) =>
  children.some((step) => typeof step !== 'string' && step.name === 'feMerge' && step.children.some(isSource));

/** A filter's feMerge without its source. */
function withoutSource(step: Node): Node {
  if (typeof step === 'string' || step.name !== 'feMerge') return step;
  return { ...step, children: step.children.filter((node) => !isSource(node)) };
}

function group(attributes: readonly (readonly [string, string])[], children: readonly Node[]): XmlElement {
  return { name: 'g', namespace: '', attributes: new Map(attributes), children: [...children] };
}
