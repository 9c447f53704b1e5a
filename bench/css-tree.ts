// Converts a workload to a tree of boxes with CSS, the form in which the peers get it.
//
// Supports the part of the template language that the workloads use, and throws on anything else rather than draw less.

import type { FrameLayer, ImageLayer, Layer, ShapeLayer } from '#core/template/layer.ts';
import type { Template } from '#core/template/template.ts';
import type { TextLayer } from '#core/template/text-layer.ts';

/** camelCase CSS; a bare number is px, except for the properties of UNITLESS. */
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

export const UNITLESS: ReadonlySet<string> = new Set(['fontWeight', 'lineHeight', 'flexShrink', 'opacity']);

/** @param strings replacements for the texts and sources of the named layers */
export function cssTree(template: Template, strings: Readonly<Record<string, unknown>> = {}): CssNode {
  const { width, height, background } = template;
  const place = (layer: Layer): Css => ({ position: 'absolute', left: layer.x, top: layer.y });
  return {
    kind: 'box',
    css: { display: 'flex', position: 'relative', width, height, fontFamily: 'Inter', ...fillCss(background) },
    children: template.layers.map((layer) => node(layer, place(layer), strings)),
  };
}

function node(layer: Layer, place: Css, strings: Readonly<Record<string, unknown>>): CssNode {
  const css = { ...place, ...boxCss(layer) };
  switch (layer.type) {
    case 'frame':
      return frameNode(layer, css, strings);
    case 'text':
      return { kind: 'text', css: { ...css, ...textCss(layer) }, text: String(strings[layer.name] ?? layer.text) };
    case 'image':
      return imageNode(layer, css, String(strings[layer.name] ?? layer.src));
    case 'shape':
      return { kind: 'box', css: { ...css, display: 'flex', ...shapeCss(layer) }, children: [] };
    default:
      throw new Error(`no CSS for a ${layer.type} layer`);
  }
}

const FLEX: Readonly<Record<string, string>> = { start: 'flex-start', end: 'flex-end' };

function frameNode(layer: FrameLayer, css: Css, strings: Readonly<Record<string, unknown>>): CssNode {
  if (layer.layout?.type !== 'flex') throw new Error(`frame "${layer.name}" is not laid out by flexbox`);
  if (layer.clip) throw new Error('a frame that clips');
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
      ...borderCss(layer.border),
      ...fillCss(layer.background),
    },
    children: layer.children.map((child) => node(child, {}, strings)),
  };
}

function imageNode(layer: ImageLayer, css: Css, source: string): CssNode {
  if (typeof layer.width !== 'number' || typeof layer.height !== 'number') throw new Error('an image without a size');
  const { width, height, fit, filters } = layer;
  if (filters || layer.border || typeof layer.focus === 'string') throw new Error('a picture with effects of its own');
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
    // For text, the shadow follows the letters.
    const property = layer.type === 'text' ? 'textShadow' : 'boxShadow';
    css[property] = shadows
      .map(({ x, y, blur, spread, color, inset }) => {
        if (inset) throw new Error('a shadow inside');
        return `${x}px ${y}px ${blur}px ${layer.type === 'text' ? '' : `${spread}px `}${color}`;
      })
      .join();
  }
  if (layer.rotation !== 0) css.transform = `rotate(${layer.rotation}deg)`;
  if (layer.opacity !== 1) css.opacity = layer.opacity;
  if (layer.blendMode !== 'normal') css.mixBlendMode = layer.blendMode;
  if (layer.blur !== 0) css.filter = `blur(${layer.blur}px)`;
  if (layer.mask !== null) css.clipPath = clipCss(layer.mask);
  return css;
}

/** A layer's mask as a basic shape of CSS (CSS Shapes 1 §3). */
function clipCss({ shape, borderRadius, points, innerRadius }: NonNullable<Layer['mask']>): string {
  if (shape === 'ellipse') return 'ellipse(50% 50% at 50% 50%)';
  if (shape === 'rect') return `inset(0px round ${radius(borderRadius)}px)`;
  if (Array.isArray(points) || (shape !== 'polygon' && shape !== 'star')) throw new Error(`no CSS for a mask ${shape}`);
  const tips = points ?? (shape === 'star' ? 5 : 6);
  const corners = shape === 'star' ? 2 * tips : tips;
  const at = (n: number) => {
    const reach = shape === 'star' && n % 2 ? innerRadius * 50 : 50;
    const turn = (2 * Math.PI * n) / corners;
    return `${(50 + reach * Math.sin(turn)).toFixed(3)}% ${(50 - reach * Math.cos(turn)).toFixed(3)}%`;
  };
  return `polygon(${Array.from({ length: corners }, (_, n) => at(n)).join(', ')})`;
}

const textCss = ({ color, fontSize, fontWeight, lineHeight, align }: TextLayer): Css => {
  if (typeof color !== 'string') throw new Error('text with a gradient');
  return { color, fontSize, fontWeight, lineHeight, ...(align === 'start' ? {} : { textAlign: align }) };
};

function shapeCss(layer: ShapeLayer): Css {
  if ((layer.shape !== 'rect' && layer.shape !== 'ellipse') || layer.stroke) throw new Error('a shape that is no box');
  return { ...fillCss(layer.fill), borderRadius: layer.shape === 'ellipse' ? '50%' : radius(layer.borderRadius) };
}

const borderCss = (border: FrameLayer['border']): Css =>
  border ? { border: `${border.width}px ${border.style} ${border.color}` } : {};

function fillCss(fill: Template['background']): Css {
  if (fill === null) return {};
  if (typeof fill === 'string') return { backgroundColor: fill };
  const stops = fill.stops.map(({ color, offset }) => (offset === undefined ? color : `${color} ${offset * 100}%`));
  if (fill.type === 'linear') return { backgroundImage: `linear-gradient(${fill.angle}deg, ${stops.join(', ')})` };
  const center = `${fill.center.x * 100}% ${fill.center.y * 100}%`;
  if (fill.type === 'conic') {
    return { backgroundImage: `conic-gradient(from ${fill.angle}deg at ${center}, ${stops.join(', ')})` };
  }
  if (fill.radius !== null) throw new Error('a radial gradient with a radius');
  return { backgroundImage: `radial-gradient(${fill.shape} farthest-corner at ${center}, ${stops.join(', ')})` };
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
