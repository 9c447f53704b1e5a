// All colours of a selection, wherever layers have them, and the edit that changes one of them everywhere at once.

import { parseColor } from '#core/color.ts';
import type { LayerType } from '#core/template/layer.ts';
import { type Edit, findLayer, outermost, type RawLayer } from './document.ts';
import { setLayers } from './edits.ts';

/** A colour and how often it occurs. */
export interface UsedColor {
  /** As it is written in the template. */
  readonly color: string;
  readonly count: number;
}

/** Properties that hold a colour, or something with colours inside. */
const COLORED = [
  ...['color', 'fill', 'background', 'stroke', 'textDecorationColor', 'border', 'shadow', 'mask', 'spans'],
  ...['borderTop', 'borderRight', 'borderBottom', 'borderLeft'],
  'children',
] as const;
/** Keys below those: of gradients, borders, shadows, spans. */
const COLOR_KEYS = new Set(['color', 'fill', 'background', 'stroke', 'textDecorationColor']);

/** Which property is the colour of a layer as a whole; null = it has none. */
const MAIN_COLORS: Readonly<Record<LayerType, string | null>> = {
  text: 'color',
  image: null,
  shape: 'fill',
  frame: 'background',
  table: null,
  chart: null,
  qr: 'color',
  barcode: 'color',
};

/** Of a layer, whose type may be none. */
export function mainColorOf({ type, shape }: RawLayer): string | null {
  if (type === 'shape' && shape === 'line') return 'stroke';
  return MAIN_COLORS[type as LayerType] ?? null;
}

/** Equal colours are one, however they are written: `red` and `#F00`; `$name` is the brand's. Null = no colour. */
function keyOf(text: string): string | null {
  if (/^\$[A-Za-z]/.test(text)) return text;
  const color = parseColor(text);
  return color && `${color.r} ${color.g} ${color.b} ${color.a}`;
}

/** Rebuilds a value with `change` applied to each colour in it. The same object if nothing changes. */
function mapColors(value: unknown, isColor: boolean, change: (color: string) => string): unknown {
  if (typeof value === 'string') return isColor && keyOf(value) !== null ? change(value) : value;
  if (Array.isArray(value)) {
    const next = value.map((one) => mapColors(one, isColor, change));
    return next.every((one, i) => one === value[i]) ? value : next;
  }
  if (typeof value !== 'object' || value === null) return value;
  let isSame = true;
  const next = Object.entries({ ...unset(value), ...value }).map(([key, inner]) => {
    const mapped = mapColors(inner, COLOR_KEYS.has(key), change);
    const own = (value as Readonly<Record<string, unknown>>)[key];
    isSame &&= mapped === (own ?? inner);
    return [key, mapped === inner ? own : mapped] as const;
  });
  return isSame ? value : Object.fromEntries(next.filter(([, inner]) => inner !== undefined));
}

/** The color of letters that say none, nor name a style: it is shown and changed like one that is written. */
const unset = (layer: { readonly type?: unknown; readonly color?: unknown; readonly textStyle?: unknown }) =>
  layer.type === 'text' && layer.color === undefined && layer.textStyle === undefined ? { color: BLACK } : {};
const BLACK = '#000000';

function mapLayer(layer: RawLayer, change: (color: string) => string): Readonly<Record<string, unknown>> {
  const all: Readonly<Record<string, unknown>> = { ...unset(layer), ...layer };
  const set = COLORED.filter((name) => all[name] !== undefined);
  const mapped = set.map((name) => [name, mapColors(all[name], COLOR_KEYS.has(name), change)] as const);
  return Object.fromEntries(mapped.filter(([name, value]) => value !== all[name]));
}

/** The colours of layers and of what is inside them, in the order in which they occur. */
export function colorsOf(layers: readonly RawLayer[]): readonly UsedColor[] {
  const found = new Map<string, UsedColor>();
  for (const layer of layers) {
    mapLayer(layer, (color) => {
      const key = keyOf(color) ?? color;
      const before = found.get(key);
      found.set(key, { color: before?.color ?? color, count: (before?.count ?? 0) + 1 });
      return color;
    });
  }
  return [...found.values()];
}

/** Changes one colour of the named layers, and of what is inside them, everywhere. */
export const replaceColor =
  (names: readonly string[], from: string, to: string): Edit =>
  (document) => {
    const wanted = keyOf(from);
    // Children are changed with their frame.
    const patches = outermost(document, names).flatMap((name) => {
      const layer = findLayer(document, name);
      const change = (color: string) => (keyOf(color) === wanted ? to : color);
      return layer ? [[name, mapLayer(layer, change)] as const] : [];
    });
    return setLayers(new Map(patches))(document);
  };
