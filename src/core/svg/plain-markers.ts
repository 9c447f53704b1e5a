// Rewrites what depends on where an element is used: markers with the paint of their line or turned at its start, and
// strokes that do not scale.

import { type Matrix, multiply, type Size } from '../geometry.ts';
import { elementOf } from './filter-functions.ts';
import { viewBoxMatrix } from './natural-size.ts';
import { elementsIn, FIXED_STROKE, numbersOf, type SvgElement } from './read-attributes.ts';
import { styleLength } from './style.ts';
import { transformIn } from './transforms.ts';

const INHERITED = [
  ...['fill', 'stroke', 'color', 'stroke-width', 'stroke-dasharray', 'stroke-dashoffset'],
  ...['marker-start', 'marker-mid', 'marker-end'],
];
const MARKED = /^(path|line|polyline|polygon)$/;
/** Most elements of all copies of markers. */
const MAX_COPIED = 20_000;
type Style = ReadonlyMap<string, string>;

/** @param root of plain attributes; it is returned itself if it has nothing of the kind */
export function plainMarkers<E extends SvgElement>(root: E, size: Size): { root: E; leftOut: ReadonlySet<string> } {
  const markers = new Markers(root, size);
  return { root: markers.isNeeded ? markers.whole() : root, leftOut: markers.leftOut };
}

class Markers<E extends SvgElement> {
  readonly leftOut = new Set<string>();
  isNeeded = false;
  readonly #root: E;
  readonly #size: Size;
  readonly #byId = new Map<string, E>();
  /** By what distinguishes them. */
  readonly #copies = new Map<string, E | null>();
  #copied = 0;
  #fixed = 0;

  constructor(root: E, size: Size) {
    this.#root = root;
    this.#size = size;
    this.#index(root);
  }

  #index(element: E): void {
    const { attributes } = element;
    const id = attributes.get('id');
    if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, element);
    const { fill = '', stroke = '', orient = '', 'vector-effect': effect = '' } = Object.fromEntries(attributes);
    if (/^context-/.test(fill) || /^context-/.test(stroke) || orient === 'auto-start-reverse' || effect !== '')
      this.isNeeded = true;
    for (const child of elementsIn(element)) this.#index(child as E);
  }

  whole(): E {
    const matrix = viewBoxMatrix(this.#root, { x: 0, y: 0, ...this.#size });
    const root = this.#walk(this.#root, new Map(), matrix, true);
    const copies = [...this.#copies.values()].filter((copy) => copy !== null);
    return { ...root, children: [elementOf(root, 'defs', {}, copies), ...root.children] };
  }

  #walk(element: E, around: Style, outer: Matrix, isRoot = false): E {
    if (element.name === 'marker') return atEnd(element);
    const style = new Map(around);
    for (const name of INHERITED) {
      const value = element.attributes.get(name);
      if (value?.startsWith('context-')) this.leftOut.add(`${value} outside markers`);
      if (value !== undefined && value !== 'inherit') style.set(name, value);
    }
    const matrix = isRoot ? outer : multiply(outer, transformIn(element.attributes.get('transform')));
    const attributes = new Map(element.attributes);
    if (attributes.get('vector-effect') === 'non-scaling-stroke') this.#fix(attributes, style, matrix);
    attributes.delete('vector-effect');
    if (MARKED.test(element.name)) {
      for (const side of ['start', 'mid', 'end']) {
        const [, id] = /^url\(#(.*)\)$/.exec(style.get(`marker-${side}`) ?? '') ?? [];
        const copy = id === undefined ? null : this.#copyOf(id, side === 'start', style);
        if (copy) attributes.set(`marker-${side}`, `url(#${copy.attributes.get('id')})`);
      }
    }
    const children = element.children.map((child) =>
      typeof child === 'string' ? child : this.#walk(child as E, style, matrix),
    );
    return { ...element, attributes, children };
  }

  /** The width that looks the same at the drawing's natural size. */
  #fix(attributes: Map<string, string>, style: Style, [a, b, c, d]: Matrix): void {
    const scale = Math.sqrt(Math.abs(a * d - b * c));
    const isEven =
      Math.abs(Math.hypot(a, b) - Math.hypot(c, d)) < 0.01 * scale && Math.abs(a * c + b * d) < 0.01 * scale ** 2;
    if (!isEven || !(scale > 0)) {
      this.leftOut.add('vector-effect under a transform that stretches');
      return;
    }
    attributes.set('stroke-width', String(styleLength(style.get('stroke-width'), 1) / scale));
    for (const name of ['stroke-dasharray', 'stroke-dashoffset']) {
      const list = numbersOf(style.get(name) ?? 'none');
      if (list.every(Number.isFinite)) attributes.set(name, list.map((value) => value / scale).join(' '));
    }
    if (!attributes.has('id')) attributes.set('id', `${FIXED_STROKE}${this.#fixed}`);
    this.#fixed += 1;
  }

  /** The marker as this line shows it; null where that is the marker itself. */
  #copyOf(id: string, isStart: boolean, style: Style): E | null {
    const marker = this.#byId.get(id);
    if (!marker) return null;
    const isTurned = isStart && marker.attributes.get('orient') === 'auto-start-reverse';
    const paint = (name: 'fill' | 'stroke', absent: string) => {
      const value = style.get(name) ?? absent;
      return /^currentcolor$/i.test(value) ? (style.get('color') ?? '#000000') : value;
    };
    const paints = { 'context-fill': paint('fill', '#000000'), 'context-stroke': paint('stroke', 'none') };
    const [content, size] = withPaints(marker, paints);
    if (!isTurned && content === marker) return null;
    const key = `${id} ${isTurned} ${content === marker ? '' : Object.values(paints).join(' ')}`;
    const known = this.#copies.get(key);
    if (known !== undefined) return known;
    this.#copied += size;
    if (this.#copied > MAX_COPIED) {
      this.leftOut.add('context-fill of this many markers');
      return null;
    }
    if (Object.values(paints).some((value) => value.startsWith('url('))) this.leftOut.add('context-fill of a gradient');
    const attributes = new Map(content.attributes).set('id', `platen-marker-${this.#copies.size}`);
    const copy = { ...content, attributes };
    this.#copies.set(key, isTurned ? turned(copy) : atEnd(copy));
    return this.#copies.get(key) ?? null;
  }
}

/** An element with the paints of what refers to it, itself if it has none of them; and its number of elements. */
function withPaints<E extends SvgElement>(element: E, paints: Readonly<Record<string, string>>): readonly [E, number] {
  let size = 1;
  let isSame = true;
  const attributes = new Map(element.attributes);
  for (const name of ['fill', 'stroke']) {
    const paint = paints[attributes.get(name) ?? ''];
    if (paint === undefined) continue;
    attributes.set(name, paint);
    isSame = false;
  }
  const children = element.children.map((child) => {
    if (typeof child === 'string') return child;
    const [own, count] = withPaints(child as E, paints);
    size += count;
    isSame &&= own === child;
    return own;
  });
  return [isSame ? element : { ...element, attributes, children }, size];
}

/** A marker as it is anywhere but at the start of a line. */
function atEnd<E extends SvgElement>(marker: E): E {
  if (marker.attributes.get('orient') !== 'auto-start-reverse') return marker;
  return { ...marker, attributes: new Map(marker.attributes).set('orient', 'auto') };
}

/** A marker turned by half around its reference point, with its viewport. */
function turned<E extends SvgElement>(marker: E): E {
  const at = (name: string, absent: number) => styleLength(marker.attributes.get(name), absent);
  const [refX, refY] = [at('refX', 0), at('refY', 0)];
  const box = numbersOf(marker.attributes.get('viewBox') ?? '');
  const [x = 0, y = 0, width = 0, height = 0] =
    box.length === 4 ? box : [0, 0, at('markerWidth', 3), at('markerHeight', 3)];
  const attributes = new Map(marker.attributes)
    .set('orient', 'auto')
    .set('viewBox', `${2 * refX - x - width} ${2 * refY - y - height} ${width} ${height}`);
  const content = {
    ...elementOf(marker, 'g', { transform: `rotate(180 ${refX} ${refY})` }),
    children: marker.children,
  };
  return { ...marker, attributes, children: [content] };
}
