// A workload in, a tree of boxes with CSS out: how the peers are told what to draw.
//
// Knows the part of the template language that the workloads use, and throws on anything else rather than draw less.

import type { FrameLayer, ImageLayer, Layer, ShapeLayer } from '#core/template/layer.ts';
import type { Template } from '#core/template/template.ts';
import type { TextLayer } from '#core/template/text-layer.ts';

/** camelCase CSS; a bare number is px, but for the properties of UNITLESS. */
export type Css = Readonly<Record<string, string | number>>;

export type CssNode =
  | { readonly kind: 'box'; readonly css: Css; readonly children: readonly CssNode[] }
  | { readonly kind: 'text'; readonly css: Css; readonly text: string }
  | {
      readonly kind: 'image';
      readonly css: Css;
      readonly source: string;
      readonly width: number;
      readonly height: number;
    };

export const UNITLESS: ReadonlySet<string> = new Set(['fontWeight', 'lineHeight', 'flexShrink']);

export function cssTree(template: Template, strings: Readonly<Record<string, string>>): CssNode {
  const { width, height, background } = template;
  const place = (layer: Layer): Css => ({ position: 'absolute', left: layer.x, top: layer.y });
  return {
    kind: 'box',
    css: { display: 'flex', position: 'relative', width, height, fontFamily: 'Inter', ...fillCss(background) },
    children: template.layers.map((layer) => node(layer, place(layer), strings)),
  };
}

function node(layer: Layer, place: Css, strings: Readonly<Record<string, string>>): CssNode {
  const css = { ...place, ...boxCss(layer) };
  switch (layer.type) {
    case 'frame':
      return frameNode(layer, css, strings);
    case 'text':
      return { kind: 'text', css: { ...css, ...textCss(layer) }, text: strings[layer.name] ?? layer.text };
    case 'image':
      return imageNode(layer, css, strings[layer.name] ?? layer.src);
    case 'shape':
      return { kind: 'box', css: { ...css, display: 'flex', ...shapeCss(layer) }, children: [] };
    default:
      throw new Error(`no CSS for a ${layer.type} layer`);
  }
}

const FLEX: Readonly<Record<string, string>> = { start: 'flex-start', end: 'flex-end' };

function frameNode(layer: FrameLayer, css: Css, strings: Readonly<Record<string, string>>): CssNode {
  if (layer.layout?.type !== 'flex') throw new Error(`frame "${layer.name}" is not laid out by flexbox`);
  const { direction, justify, align, gap } = layer.layout;
  if (typeof gap !== 'number') throw new Error('two gaps');
  return {
    kind: 'box',
    css: {
      ...css,
      display: 'flex',
      flexDirection: direction,
      justifyContent: FLEX[justify] ?? justify,
      alignItems: FLEX[align] ?? align,
      gap,
      padding: edges(layer.padding),
      borderRadius: radius(layer.borderRadius),
      ...fillCss(layer.background),
    },
    children: layer.children.map((child) => node(child, {}, strings)),
  };
}

function imageNode(layer: ImageLayer, css: Css, source: string): CssNode {
  if (typeof layer.width !== 'number' || typeof layer.height !== 'number') throw new Error('an image without a size');
  const { width, height, fit } = layer;
  return {
    kind: 'image',
    css: { ...css, objectFit: fit, borderRadius: radius(layer.borderRadius) },
    source,
    width,
    height,
  };
}

function boxCss(layer: Layer): Css {
  const css: Record<string, string | number> = { flexShrink: 0, boxSizing: 'border-box', margin: edges(layer.margin) };
  for (const side of ['width', 'height'] as const) {
    if (typeof layer[side] === 'number') css[side] = layer[side];
    else if (layer[side] !== 'hug') throw new Error(`no CSS for ${side} ${layer[side]}`);
  }
  if (layer.shadow) {
    const shadows = Array.isArray(layer.shadow) ? layer.shadow : [layer.shadow];
    css.boxShadow = shadows
      .map(({ x, y, blur, spread, color }) => `${x}px ${y}px ${blur}px ${spread}px ${color}`)
      .join();
  }
  return css;
}

const textCss = ({ color, fontSize, fontWeight, lineHeight }: TextLayer): Css => {
  if (typeof color !== 'string') throw new Error('text with a gradient');
  return { color, fontSize, fontWeight, lineHeight };
};

function shapeCss(layer: ShapeLayer): Css {
  if (layer.shape !== 'rect' || layer.stroke) throw new Error('a shape that is no plain rect');
  return { ...fillCss(layer.fill), borderRadius: radius(layer.borderRadius) };
}

function fillCss(fill: Template['background']): Css {
  if (fill === null) return {};
  if (typeof fill === 'string') return { backgroundColor: fill };
  if (fill.type !== 'linear') throw new Error(`no CSS for a ${fill.type} gradient`);
  const stops = fill.stops.map(({ color, offset }) => (offset === undefined ? color : `${color} ${offset * 100}%`));
  return { backgroundImage: `linear-gradient(${fill.angle}deg, ${stops.join(', ')})` };
}

const edges = (value: Layer['margin']) =>
  [value]
    .flat()
    .map((length) => `${length}px`)
    .join(' ');

function radius(value: FrameLayer['borderRadius']): number {
  if (typeof value !== 'number') throw new Error('four radii');
  return value;
}
