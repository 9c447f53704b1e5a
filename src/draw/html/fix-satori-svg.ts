// Corrects satori's SVG where it differs from CSS.
//
// - The shadow of a box inside `overflow: hidden` is clipped before it is blurred; it has to be clipped after.
// - For `background-clip: text`, the text in the `<clipPath>` has a clip of its own, for which SVG draws nothing.
// - The shadow of a text fades with the colour of the text; in CSS it has its own colour.
// - Inside `overflow: hidden`, an element's own background is not clipped by its `clip-path`.
// - Of `background-clip: text` on an inline element, the `<clipPath>` is empty and has another name.
// - The shadow of a text inside an inline element is applied twice.
// - An inset shadow begins at the outer edge of the border instead of the inner one, and covers the border.
// - Stops of radial gradients in px are shares of another length.
// - A saturation of more than 1, which usvg takes for 1, is written as a matrix.
// - A sector of one colour in a conic gradient is many wedges, between whose smooth edges the colour below shows.

import { parseColor } from '#core/color.ts';
import type { Rect } from '#core/geometry.ts';
import type { XmlElement } from '#draw/images/xml.ts';

/** Marks a `<text>` that is drawn as outlines only: it is the shape of a shadow, not readable text. */
export const SHAPE_ONLY = 'data-platen-shape-only';

/** Marks a `<clipPath>` of text on the second line of an inline element, or a later one. */
export const OF_NEXT_LINE = 'data-platen-next-line';

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
  /** The boxes of elements inside and outside their borders, by id. */
  readonly #paddings = new Map<string, Rect>();
  readonly #borders = new Map<string, Rect>();
  /** Ids of the masks of inset shadows. */
  readonly #insets = new Set<string>();
  /** Ids of clips without content. */
  readonly #empty = new Set<string>();
  /** The id of the element whose parts are being read: satori writes a mask with its name before them. */
  #current = '';

  constructor(root: XmlElement) {
    for (const element of descendants(root)) {
      const id = element.attributes.get('id') ?? '';
      if (element.name === 'filter') this.#filters.set(id, element);
      const [only] = element.children.filter((child) => typeof child !== 'string');
      if (only && id.startsWith('satori_ms-') && only.attributes.get('fill') === '#000') this.#insets.add(id);
      if (element.name === 'clipPath' && !only) this.#empty.add(`url(#${id})`);
      if (only && id.startsWith('satori_om-')) this.#paddings.set(id.slice('satori_om-'.length), rectOf(only));
      if (only && id.startsWith('satori_bc-')) this.#borders.set(id.slice('satori_bc-'.length), rectOf(only));
      const isOwn = element.name === 'clipPath' && /^translate\(/.test(element.attributes.get('transform') ?? '');
      if (isOwn && id.startsWith('satori_cp-')) this.#clipped.add(id.slice('satori_cp-'.length));
    }
  }

  children(parent: XmlElement): Node[] {
    return parent.children.flatMap((child, index) => {
      if (typeof child === 'string') return [child];
      const window = this.#window(child, () => parent.children.slice(index + 1));
      return window ? [window, child] : this.#element(child);
    });
  }

  /** The clip of a background that is seen through the text of an inline element. */
  #window({ name, attributes }: XmlElement, following: () => readonly Node[]): XmlElement | null {
    const [, id = '', element] = /^url\(#((satori_bct-.+)-\d+)\)$/.exec(attributes.get('clip-path') ?? '') ?? [];
    if (!/^(rect|path)$/.test(name) || !this.#empty.has(`url(#${element})`)) return null;
    const box = rectOf({ attributes });
    const texts = [...descendants(group([], following()))].filter((each) => {
      const { x, y, width } = rectOf(each);
      const middle = x + width / 2;
      return (
        each.name === 'text' && middle > box.x && middle < box.x + box.width && y > box.y && y < box.y + box.height
      );
    });
    const marks = /-0$/.test(id) ? [] : [[OF_NEXT_LINE, ''] as const];
    return { ...group([['id', id], ...marks], texts.map(uncut)), name: 'clipPath' };
  }

  /** The part of an inset shadow, from the inner edge of the border on; null = it is no such part. */
  #inset(element: XmlElement, shadow: string): XmlElement | null {
    const [, id = ''] = /^satori_ms-(.+)-\d+(-neg)?$/.exec(shadow) ?? [];
    const inner = this.#paddings.get(id);
    const outer = this.#borders.get(id) ?? inner;
    return outer && inner && this.#insets.has(shadow.replace(/-neg$/, '')) ? inward(element, outer, inner) : null;
  }

  #element(whole: XmlElement): Node[] {
    const masked = /^url\(#(satori_ms-.+)\)$/.exec(whole.attributes.get('mask') ?? '')?.[1];
    const element = onceShadowed(this.#inset(whole, masked ?? whole.attributes.get('id') ?? '') ?? whole);
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
    if (element.name !== 'g' || !filter || !texts.every(({ name }) => /^(text|path|line|rect)$/.test(name)))
      return null;
    if (drawsSource(filter) && !texts.some(isTranslucent)) return null;
    const only = withAttributes(filter, { id: `${id}-only` });
    const shadow = { ...only, children: filter.children.map(withoutSource) };
    const shapes = texts.map((text) => {
      if (text.name === 'text') return withAttributes(text, { fill: '#000', [SHAPE_ONLY]: '' });
      // The lines of its decorations.
      return withAttributes(text, text.attributes.has('stroke') ? { stroke: '#000' } : { fill: '#000' });
    });
    const cast = { ...withAttributes(element, { filter: `url(#${id}-only)` }), children: shapes };
    return [{ ...group([], [shadow]), name: 'defs' }, cast, ...texts];
  }
}

type Attributed = Pick<XmlElement, 'attributes'>;

function rectOf({ attributes }: Attributed): Rect {
  const at = (name: string) => Number(attributes.get(name)) || 0;
  return { x: at('x'), y: at('y'), width: at('width'), height: at('height') };
}

/** The shapes of a shadow, which are those of a box, as those of the box inside its border. */
function inward(element: XmlElement, outer: Rect, inner: Rect): XmlElement {
  const children = element.children.map((child) => (typeof child === 'string' ? child : inward(child, outer, inner)));
  const own = rectOf(element);
  if (Math.abs(own.width - outer.width) > 0.01 || element.attributes.get('fill') !== '#fff')
    return { ...element, children };
  // A negative spread, which satori writes as a stroke.
  const grown =
    element.attributes.get('stroke') === '#fff' ? Math.max(0, Number(element.attributes.get('stroke-width'))) / 2 : 0;
  const [left, top] = [inner.x - outer.x - grown, inner.y - outer.y - grown];
  const [right, bottom] = [outer.width - inner.width - left - 2 * grown, outer.height - inner.height - top - 2 * grown];
  const [x, y] = [own.x + left, own.y + top];
  const [width, height] = [inner.width + 2 * grown, inner.height + 2 * grown];
  const box = { x: `${x}`, y: `${y}`, width: `${width}`, height: `${height}`, ...(grown > 0 && { stroke: 'none' }) };
  const radii = [...(element.attributes.get('d') ?? '').matchAll(/a([\d.e-]+),([\d.e-]+) 0 0 1/g)].map(
    ([, across, down], i) => [
      Number(across) - [right, right, left, left][i]!,
      Number(down) - [top, bottom, bottom, top][i]!,
    ],
  );
  const [tr, br, bl, tl] = radii.map(([across = 0, down = 0]) => [Math.max(0, across), Math.max(0, down)] as const);
  if (!tr || !br || !bl || !tl) return withAttributes(element, box);
  const d = `M${x + tl[0]},${y} h${width - tl[0] - tr[0]} a${tr} 0 0 1 ${tr} v${height - tr[1] - br[1]} a${br} 0 0 1 ${-br[0]},${br[1]} h${br[0] + bl[0] - width} a${bl} 0 0 1 ${-bl[0]},${-bl[1]} v${bl[1] + tl[1] - height} a${tl} 0 0 1 ${tl[0]},${-tl[1]}z`;
  return withAttributes(element, { ...box, d });
}

/** The text of an inline element, whose pieces have the filter of the whole once more. */
function onceShadowed(element: XmlElement): XmlElement {
  const filter = element.attributes.get('filter');
  if (element.name !== 'g' || !filter?.startsWith('url(#satori_s-')) return element;
  const isInner = (child: Node) => typeof child !== 'string' && child.attributes.get('filter') === filter;
  if (!element.children.some(isInner)) return element;
  const children = element.children.flatMap((child) => {
    if (typeof child === 'string' || isInner(child)) return typeof child === 'string' ? [] : child.children;
    return child.name === 'defs' || child.children.length + child.attributes.size === 0 ? [] : [child];
  });
  return { ...element, children };
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
