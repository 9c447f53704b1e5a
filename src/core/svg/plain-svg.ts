// Rewrites an SVG file so that every reader of SVG 1.1 draws it as browsers do: the CSS of its style sheets becomes plain
// attributes, colours become sRGB, `transform` alone says where an element lies, filter functions become filters.
//
// What cannot be said so is left out and named. The time is linear in elements and in the rules that may be theirs.

import { BLACK, hex } from '../color.ts';
import { foldCalc } from '../css/calc.ts';
import { Cascade, type Expand, type Hints, mediaApplies } from '../css/cascade.ts';
import { parseCssColor } from '../css/css-color.ts';
import { type CssElement, elementsOf } from '../css/selectors.ts';
import { inflate, type Rect, type Size } from '../geometry.ts';
import { pathLength } from '../path.ts';
import { parsePathData } from '../path-data.ts';
import { elementOf, filterPrimitives } from './filter-functions.ts';
import { parseViewBox } from './natural-size.ts';
import { plainMarkers } from './plain-markers.ts';
import { elementsIn, numbersOf, type SvgElement } from './read-attributes.ts';
import { fontIn, INHERITED, OWN, styleLength } from './style.ts';
import { isTransform, ReferenceBoxes, TRANSFORMS, transformIn, transformOf } from './transforms.ts';

interface PlainSvg<E> {
  readonly root: E;
  /** What is left out, as CSS and SVG call it: `<foreignObject>`, `mask: linear-gradient(…)`. */
  readonly leftOut: readonly string[];
}

const words = (text: string) => new Set(text.split(/\s+/));
const COLORS = words('fill stroke color stop-color flood-color lighting-color background background-color');
/** Properties that are attributes too. */
const ATTRIBUTES = new Set<string>([
  ...[...INHERITED, ...OWN],
  ...words(
    `lighting-color overflow vector-effect color-interpolation color-interpolation-filters text-rendering isolation
    shape-rendering image-rendering unicode-bidi marker marker-start marker-mid marker-end transform-origin font`,
  ),
]);
/** Those that are attributes of some elements only (SVG 2 §7.3). */
const GEOMETRY: Readonly<Record<string, ReadonlySet<string>>> = {
  rect: words('x y width height rx ry'),
  image: words('x y width height'),
  use: words('x y width height'),
  circle: words('cx cy r'),
  ellipse: words('cx cy rx ry'),
  path: words('d'),
};
/** What browsers draw and we do not. */
const LOST = /^(-webkit-)?(mask-image|mask-border.*|backdrop-filter|offset-path|perspective|background-image|clip)$/;
const PROPERTIES = new Set<string>([
  ...[...ATTRIBUTES, ...COLORS, ...TRANSFORMS, 'stop-color'],
  ...Object.values(GEOMETRY).flatMap((names) => [...names]),
]);
/** What is read in `style` only. */
const IN_STYLE = words('mix-blend-mode isolation white-space');
/** Initial values of what is inherited. */
const INITIAL: Readonly<Record<string, string>> = {
  fill: '#000000',
  stroke: 'none',
  color: '#000000',
  visibility: 'visible',
};
/** Most that is told of. */
const MAX_LEFT_OUT = 10;
/** Beyond every edge of any drawing, in its own units: where a background and the region of a filter end. */
export const FAR = 1e5;

/**
 * @param size of the drawing, px, which media queries ask for
 * @throws `refusal` where selectors take too long to match
 */
export function plainSvg<E extends SvgElement>(root: E, size: Size, refusal: (what: string) => Error): PlainSvg<E> {
  const drawing = new PlainDrawing(root, size, refusal);
  const { root: made, leftOut } = plainMarkers(drawing.whole(), size);
  return { root: made, leftOut: [...new Set([...drawing.leftOut, ...leftOut])].slice(0, MAX_LEFT_OUT) };
}

/** What a declaration sets; null = it is invalid, so that one that it overrides applies. */
const expand: Expand = (property, value) => {
  if (property === 'font') return fontIn(value);
  if (property === 'marker') return ['start', 'mid', 'end'].map((side) => [`marker-${side}`, value] as const);
  if (!PROPERTIES.has(property) && !LOST.test(property)) return [];
  const isValid =
    /\bvar\(|^(inherit|initial|unset|revert|revert-layer)$/i.test(value) ||
    ((!COLORS.has(property) || property === 'background' || isPaint(value)) &&
      (!(TRANSFORMS as readonly string[]).includes(property) || isTransform(property, value)));
  return isValid ? [[property, value]] : [];
};

const isPaint = (value: string): boolean =>
  /^(none|context-fill|context-stroke)$|^url\(|\bfrom\s/i.test(value) || parseCssColor(foldCalc(value), BLACK) !== null;

/** Properties that attributes set, whose transforms need no units. */
function hints({ attributes }: CssElement): ReturnType<Expand> {
  return [...attributes].flatMap(([name, value]) => {
    if (!ATTRIBUTES.has(name) && !COLORS.has(name)) return [];
    return name === 'transform'
      ? [[name, `matrix(${transformIn(value).join(' ')})`] as const]
      : expand(name, value.trim());
  });
}

function keyed(element: CssElement): Hints {
  const declarations = hints(element);
  return { declarations, key: declarations.join(';') };
}

class PlainDrawing<E extends SvgElement> {
  readonly leftOut = new Set<string>();
  readonly #root: E;
  readonly #view: Rect;
  readonly #cascade: Cascade<E>;
  readonly #byId = new Map<string, E>();
  readonly #made = new Map<SvgElement, E>();
  /** By their functions. */
  readonly #filters = new Map<string, E>();
  readonly #boxes: ReferenceBoxes;

  constructor(root: E, size: Size, refusal: (what: string) => Error) {
    this.#root = root;
    this.#view = { x: 0, y: 0, ...(parseViewBox(root.attributes.get('viewBox')) ?? size) };
    const texts: string[] = [];
    for (const element of elementsOf<E>([root])) {
      const id = element.attributes.get('id');
      if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, element);
      const applies = element.name === 'style' && mediaApplies(element.attributes.get('media') ?? 'all', size) === true;
      if (applies) texts.push(element.children.filter((child) => typeof child === 'string').join(''));
    }
    for (const name of ['@font-face', '@import']) if (texts.some((text) => text.includes(name))) this.leftOut.add(name);
    this.#cascade = new Cascade([root], texts, size, { expand, hints: keyed, refusal });
    this.#boxes = new ReferenceBoxes(this.#view, (id) => {
      const target = this.#byId.get(id);
      return target ? this.#plain(target) : null;
    });
  }

  whole(): E {
    const made = this.#plain(this.#root);
    const filters = [...this.#filters.values()];
    const added = filters.length > 0 ? [elementOf(made, 'defs', {}, filters)] : [];
    return { ...made, children: [...added, ...this.#background(), ...made.children] };
  }

  /** The background of the root, which is a box of CSS. */
  #background(): readonly E[] {
    for (const name of ['background', 'background-color']) {
      const value = this.#cascade.declared(this.#root, name);
      const fill = value === null || /^(none|transparent)$/i.test(value) ? null : this.#paint(this.#root, name, value);
      if (fill !== null)
        return [elementOf(this.#root, 'rect', { x: -FAR, y: -FAR, width: 2 * FAR, height: 2 * FAR, fill })];
    }
    return [];
  }

  /** An element with its contents; each is made once. */
  #plain(element: E): E {
    const known = this.#made.get(element);
    if (known) return known;
    const attributes = new Map(
      [...element.attributes].filter(
        ([name]) => !ATTRIBUTES.has(name) && !COLORS.has(name) && !/^(style|class)$/.test(name),
      ),
    );
    const style: string[] = [];
    for (const name of this.#cascade.namesOf(element)) {
      if (name.startsWith('--') || name.startsWith('background') || (TRANSFORMS as readonly string[]).includes(name))
        continue;
      const value = this.#value(element, name);
      if (value === null || (!ATTRIBUTES.has(name) && !COLORS.has(name) && !GEOMETRY[element.name]?.has(name)))
        continue;
      if (IN_STYLE.has(name)) style.push(`${name}:${value}`);
      else attributes.set(name, value);
    }
    if (attributes.has('pathLength')) this.#measureDashes(element, attributes);
    if (style.length > 0) attributes.set('style', style.join(';'));
    if (element.name === 'textPath') this.leftOut.add('<textPath>');
    if (/^(text|tspan)$/.test(element.name) && attributes.has('rotate')) this.leftOut.add('rotate of a text');
    const children = this.#shown(element).map((child) => (typeof child === 'string' ? child : this.#plain(child as E)));
    const name = element.name === 'switch' ? 'g' : element.name;
    const made = { ...element, name, attributes, children };
    this.#made.set(element, made);
    this.#place(element, made, attributes);
    return made;
  }

  /** Writes dashes in units of the path itself (SVG 2 §9.6.1). */
  #measureDashes(element: E, attributes: Map<string, string>): void {
    const listOf = (name: string) => numbersOf(this.#cascade.inherited(element, name) ?? 'none');
    const isDashed = listOf('stroke-dasharray').some((dash) => dash > 0);
    const parsed = element.name === 'path' ? parsePathData(attributes.get('d') ?? '') : null;
    const units = Number(attributes.get('pathLength'));
    if (!isDashed || !(units > 0)) return;
    if (!parsed || !('path' in parsed)) {
      this.leftOut.add(`pathLength of <${element.name}>`);
      return;
    }
    const factor = pathLength(parsed.path) / units;
    for (const name of ['stroke-dasharray', 'stroke-dashoffset']) {
      const list = listOf(name);
      if (list.every(Number.isFinite)) attributes.set(name, list.map((dash) => dash * factor).join(' '));
    }
  }

  #shown(element: E): readonly (SvgElement | string)[] {
    if (element.name !== 'switch') return element.children.filter((child) => this.#isShown(child));
    // SVG 2 §5.9: the first whose conditions are true.
    const fit = elementsIn(element).filter(({ attributes }) => {
      const language = attributes.get('systemLanguage');
      const isKnown = /^(http:\/\/www\.w3\.org\/1999\/xhtml)?$/.test(
        attributes.get('requiredExtensions')?.trim() ?? '',
      );
      return isKnown && (language === undefined || /(^|,)\s*en\b/i.test(language));
    });
    const [first] = fit;
    return first
      ? [fit.find((child) => (child === first ? this.#isShown(child) : child.name !== 'foreignObject')) ?? '']
      : [];
  }

  #isShown(child: SvgElement | string): boolean {
    if (typeof child === 'string') return true;
    if (/^(foreignObject|font)$/.test(child.name) && child.children.length > 0) this.leftOut.add(`<${child.name}>`);
    return child.name !== 'foreignObject' && child.name !== 'style';
  }

  /** A property as an attribute knows it; null = not set. */
  #value(element: E, name: string): string | null {
    const computed = this.#cascade.computed(element, name);
    if (computed === null || /^(unset|revert|revert-layer)$/i.test(computed)) return null;
    if (/^(initial|inherit)$/i.test(computed)) return /^inherit$/i.test(computed) ? 'inherit' : (INITIAL[name] ?? null);
    const value = this.#inPx(foldCalc(computed)).replace(/url\(([^()]*)\)/g, (whole, inside: string) => {
      const address = unquoted(inside);
      return address.startsWith('#') ? `url(${address})` : whole;
    });
    if (COLORS.has(name)) return this.#paint(element, name, value);
    if (name === 'filter') return this.#filter(element, value);
    const isOnlyReference = /^(none|url\([^()]*\))$/i.test(value);
    const isLost = LOST.test(name) || (/^(clip-path|mask)$/.test(name) && !isOnlyReference);
    if (isLost || /\b(calc|min|max|clamp|env|attr)\(/.test(value)) return this.#lose(name, value);
    if (name === 'd') {
      const [, inside] = /^path\(([^()]*)\)$/i.exec(value) ?? [];
      return inside === undefined ? null : unquoted(inside);
    }
    return /opacity$/.test(name) && value.endsWith('%') ? String(styleLength(value, 1, 1)) : value;
  }

  #lose(name: string, value: string): null {
    if (!/^(none|auto|normal|0|0px)$/i.test(value))
      this.leftOut.add(`${name}: ${value.length > 60 ? `${value.slice(0, 60)}…` : value}`);
    return null;
  }

  /** Lengths of the page's font and of the drawing's size as px. */
  #inPx(value: string): string {
    const { width, height } = this.#view;
    const px = { rem: 16, vw: width / 100, vh: height / 100 } as const;
    return value.replace(/[\w.-]+/g, (word) => {
      const [, number, unit] = /^(-?[\d.]+)(rem|vw|vh)$/.exec(word) ?? [];
      return number === undefined ? word : String(Number(number) * px[unit as keyof typeof px]);
    });
  }

  #paint(element: E, name: string, value: string): string | null {
    if (/^(none|context-fill|context-stroke)$/i.test(value)) return value.toLowerCase();
    if (/^currentcolor$/i.test(value)) return 'currentColor';
    const [, url, fallback = ''] = /^(url\([^)]*\))\s*([\s\S]*)$/i.exec(value) ?? [];
    if (url !== undefined) return fallback === '' ? url : `${url} ${this.#paint(element, name, fallback) ?? 'none'}`;
    const around = value.toLowerCase().includes('currentcolor') ? this.#cascade.inherited(element, 'color') : null;
    const color = parseCssColor(value, around === null ? BLACK : parseCssColor(around, BLACK));
    if (!color) return this.#lose(name, value);
    return color.a === 1 ? hex(color) : `rgba(${color.r},${color.g},${color.b},${color.a})`;
  }

  #filter(element: E, value: string): string | null {
    if (/^(none|url\([^()]*\))$/i.test(value)) return value;
    const colorOf = (css: string) => {
      const color = parseCssColor(css, parseCssColor(this.#cascade.inherited(element, 'color') ?? '', BLACK) ?? BLACK);
      return color && `rgba(${color.r},${color.g},${color.b},${color.a})`;
    };
    const primitives = filterPrimitives(value, this.#root, colorOf);
    if (!primitives) return this.#lose('filter', value);
    const key = `${value} ${colorOf('currentcolor')}`;
    const known = this.#filters.get(key);
    const id = known?.attributes.get('id') ?? `platen-filter-${this.#filters.size}`;
    // Its region is endless.
    const region = { filterUnits: 'userSpaceOnUse', x: -FAR, y: -FAR, width: 2 * FAR, height: 2 * FAR };
    const set = { id, 'color-interpolation-filters': 'sRGB', ...region };
    if (!known) this.#filters.set(key, elementOf(this.#root, 'filter', set, primitives));
    return `url(#${id})`;
  }

  /** Sets `transform` to what all properties say of the element's place. */
  #place(element: E, made: E, attributes: Map<string, string>): void {
    const get = (name: string) => this.#cascade.declared(element, name);
    const set = TRANSFORMS.filter((name) => get(name) !== null);
    const [first] = set;
    if (first === undefined) return;
    const written = element.attributes.get('transform');
    const isAsWritten =
      set.length === 1 &&
      written !== undefined &&
      get('transform') === hints(element).find(([name]) => name === 'transform')?.[1];
    if (isAsWritten) {
      attributes.set('transform', written);
      return;
    }
    const matrix = transformOf(
      (name) => {
        const value = get(name);
        return value === null ? null : this.#inPx(foldCalc(value));
      },
      (kind) =>
        /^(fill|content)-box$/.test(kind)
          ? this.#boxes.of(made)
          : /^(stroke|border)-box$/.test(kind)
            ? this.#strokeBox(element, made)
            : this.#view,
    );
    if (typeof matrix === 'string') this.leftOut.add(matrix);
    else attributes.set('transform', `matrix(${matrix.join(' ')})`);
  }

  #strokeBox(element: E, made: E): Rect | null {
    const box = this.#boxes.of(made);
    const paint = this.#cascade.inherited(element, 'stroke') ?? 'none';
    const by = paint === 'none' ? 0 : styleLength(this.#cascade.inherited(element, 'stroke-width') ?? '1', 1) / 2;
    return box && inflate(box, by);
  }
}

/** The text without white space and quotation marks at its ends. */
const unquoted = (text: string) =>
  text
    .trim()
    .replace(/^["']|["']$/g, '')
    .trim();
