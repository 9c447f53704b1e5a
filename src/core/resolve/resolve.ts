// Template and modifications in, scene out.
//
// All the looking-up happens here: defaults, colours, names, codes. What comes out draws without asking again.

import { ValidationError } from '../diagnostics.ts';
import type { FrameLayer, Layer } from '../template/layer.ts';
import type { Template } from '../template/template.ts';
import type { TextLayer } from '../template/text-layer.ts';
import { formatPath } from '../template/validation.ts';
import { applyModifications, type Modifications } from './apply-modifications.ts';
import { encodeBarcode, encodeQr } from './encode-code.ts';
import { NeedsCollector } from './needs.ts';
import { resolveOutline } from './resolve-outline.ts';
import {
  resolveBorder,
  resolveCorners,
  resolveDimension,
  resolveEdges,
  resolveFill,
  resolveFilters,
  resolveShadows,
  resolveTrack,
} from './resolve-style.ts';
import { isBlank, resolveCharacterStyle, resolveSpans } from './resolve-text.ts';
import type {
  CodeNode,
  FlexLayout,
  FrameNode,
  GridLayout,
  ImageNode,
  Placement,
  Scene,
  SceneNode,
  ShapeNode,
  TextArc,
  TextNode,
  TextSpan,
} from './scene.ts';

/**
 * Applies the modifications and resolves the template.
 *
 * @throws ValidationError naming the path, when a modification does not fit its layer or a layer cannot be drawn
 */
export function resolve(template: Template, modifications: Modifications): Scene {
  const modified = applyModifications(template, modifications);
  const needs = new NeedsCollector();
  const pathOf = (layer: Layer) =>
    formatPath(Object.hasOwn(modifications, layer.name) ? 'modifications' : 'layers', [layer.name]);
  const nodes = resolveNodes({ needs, pathOf, direction: 'ltr' }, modified.template.layers, false);
  return {
    width: template.width,
    height: template.height,
    background: template.background === null ? null : resolveFill(template.background),
    nodes,
    needs: needs.needs(),
    diagnostics: modified.diagnostics,
  };
}

interface Context {
  readonly needs: NeedsCollector;
  /** Where the caller wrote the layer, for messages. */
  readonly pathOf: (layer: Layer) => string;
  /** Of the frame around. */
  readonly direction: FrameNode['direction'];
}

/** @param flows whether the parent lays its children out */
function resolveNodes(context: Context, layers: readonly Layer[], flows: boolean): readonly SceneNode[] {
  return layers.filter(isShown).map((layer) => resolveNode(context, layer, flows));
}

function isShown(layer: Layer): boolean {
  return layer.visible && !(layer.type === 'text' && layer.hideWhenEmpty && isBlank(layer));
}

function resolveNode(context: Context, layer: Layer, flows: boolean): SceneNode {
  const base = {
    name: layer.name,
    placement: resolvePlacement(context, layer, flows),
    rotation: layer.rotation,
    opacity: layer.opacity,
    blend: layer.blendMode,
    shadows: resolveShadows(layer.shadow),
    blur: layer.blur,
    mask: layer.mask === null ? null : resolveOutline(layer.mask, `${context.pathOf(layer)}.mask`),
    link: layer.link,
  };
  switch (layer.type) {
    case 'text':
      return { ...base, type: 'text', ...resolveText(context, layer) };
    case 'image':
      return { ...base, type: 'image', ...resolveImage(context, layer) };
    case 'shape':
      return { ...base, type: 'shape', ...resolveShape(context, layer) };
    case 'qr':
    case 'barcode':
      return { ...base, type: 'code', ...resolveCode(context, layer) };
    case 'frame':
      return { ...base, type: 'frame', ...resolveFrame(context, layer) };
  }
}

function resolveText(context: Context, layer: TextLayer): Specifics<TextNode> {
  const spans = resolveSpans(layer, context.needs);
  const strut = resolveCharacterStyle(layer);
  for (const span of spans) context.needs.addText(layer.name, span.image ? { ...span, text: '' } : span);
  context.needs.addText(layer.name, { text: '', style: strut });
  if (layer.hyphens === 'auto') {
    for (const { style } of spans) if (style.lang !== null) context.needs.addHyphenation(style.lang);
  }
  const { background } = layer;
  return {
    spans,
    strut,
    align: layer.align,
    verticalAlign: layer.verticalAlign,
    direction: layer.direction,
    arc: layer.textPath === null ? null : arcOf(layer.textPath),
    writingMode: layer.textPath === null ? layer.writingMode : 'horizontal-tb',
    textOrientation: layer.textOrientation,
    textWrap: layer.textWrap,
    hyphens: layer.hyphens,
    lineBackground:
      background === null
        ? null
        : typeof background === 'string'
          ? { fill: resolveFill(background), padding: resolveEdges(0), radii: resolveCorners(0) }
          : {
              fill: resolveFill(background.color),
              padding: resolveEdges(background.padding),
              radii: resolveCorners(background.borderRadius),
            },
    maxLines: layer.maxLines,
    overflow: layer.overflow,
    autoFitMin: layer.autoFit === null ? null : layer.autoFit.min,
  };
}

function resolveImage(context: Context, layer: Extract<Layer, { type: 'image' }>): Specifics<ImageNode> {
  const { focus, width, height } = layer;
  const automatic = typeof focus === 'string';
  const aspect =
    typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0 ? width / height : null;
  return {
    image: context.needs.addImage({
      sources: layer.fallback === null ? [layer.src] : [layer.src, layer.fallback],
      layer: layer.name,
      optional: layer.optional,
      focus: automatic ? { by: focus, aspect } : null,
    }),
    fit: layer.fit,
    focus: automatic ? 'auto' : focus,
    radii: resolveCorners(layer.borderRadius),
    border: resolveBorder(layer.border),
    filters: resolveFilters(layer.filters),
  };
}

function resolveShape(context: Context, layer: Extract<Layer, { type: 'shape' }>): Specifics<ShapeNode> {
  const isLine = layer.shape === 'line';
  // A string modification sets `fill`; on a line, which has no inside, it is the line's colour.
  const stroke = layer.stroke ?? (isLine ? layer.fill : null);
  return {
    outline: resolveOutline(layer, context.pathOf(layer)),
    fill: layer.fill === null || isLine ? null : resolveFill(layer.fill),
    fillRule: layer.fillRule,
    stroke:
      stroke === null || layer.strokeWidth === 0
        ? null
        : {
            fill: resolveFill(stroke),
            width: layer.strokeWidth,
            // All zeros would be an endless dash pattern; SVG draws it solid.
            dash: layer.strokeDash.some((length) => length > 0) ? layer.strokeDash : [],
            cap: layer.strokeCap,
            join: layer.strokeJoin,
          },
  };
}

function arcOf({ radius, angle, side }: NonNullable<TextLayer['textPath']>): TextArc {
  return { radius, angle, side };
}

function resolveCode(context: Context, layer: Extract<Layer, { type: 'qr' | 'barcode' }>): Specifics<CodeNode> {
  const path = `${context.pathOf(layer)}.value`;
  const fill = resolveFill(layer.color);
  const background = layer.background === null ? null : resolveFill(layer.background);
  if (layer.type === 'qr') {
    const modules = encodeQr(layer.value, layer.errorCorrection, layer.quietZone, path);
    return { modules, square: true, fill, background, caption: null };
  }
  const { modules, square } = encodeBarcode(layer.value, layer.format, layer.quietZone, path);
  const caption = layer.showText ? captionOf(layer) : null;
  if (caption) context.needs.addText(layer.name, caption);
  return { modules, square, fill, background, caption };
}

function resolveFrame(context: Context, layer: FrameLayer): Specifics<FrameNode> {
  const direction = layer.direction ?? context.direction;
  return {
    layout: layer.layout === null ? null : resolveLayout(layer.layout),
    direction,
    hideWhenEmpty: layer.hideWhenEmpty,
    padding: resolveEdges(layer.padding),
    clip: layer.clip,
    background: layer.background === null ? null : resolveFill(layer.background),
    border: resolveBorder(layer.border),
    radii: resolveCorners(layer.borderRadius),
    children: resolveNodes({ ...context, direction }, layer.children, layer.layout !== null),
  };
}

function resolveLayout({ gap, ...layout }: NonNullable<FrameLayer['layout']>): FlexLayout | GridLayout {
  const [rowGap, columnGap] = typeof gap === 'number' ? [gap, gap] : gap;
  if (layout.type === 'flex') return { ...layout, rowGap, columnGap };
  const { columns, rows } = layout;
  return { ...layout, columns: columns.map(resolveTrack), rows: rows.map(resolveTrack), rowGap, columnGap };
}

/** What a node's type adds to what every node has. */
type Specifics<Node extends SceneNode> = Omit<
  Node,
  'type' | 'name' | 'placement' | 'rotation' | 'opacity' | 'blend' | 'shadows' | 'blur' | 'mask' | 'link'
>;

function resolvePlacement(context: Context, layer: Layer, flows: boolean): Placement {
  const { minWidth, maxWidth, minHeight, maxHeight } = layer;
  if (minWidth !== null && maxWidth !== null && minWidth > maxWidth) {
    throw new ValidationError(`${context.pathOf(layer)}.minWidth`, 'must not be more than maxWidth');
  }
  if (minHeight !== null && maxHeight !== null && minHeight > maxHeight) {
    throw new ValidationError(`${context.pathOf(layer)}.minHeight`, 'must not be more than maxHeight');
  }
  const circle = layer.type === 'text' && layer.textPath !== null ? 2 * layer.textPath.radius : null;
  return {
    x: layer.x,
    y: layer.y,
    width: resolveDimension(layer.width === 'hug' ? (circle ?? 'hug') : layer.width),
    height: resolveDimension(layer.height === 'hug' ? (circle ?? 'hug') : layer.height),
    absolute: !flows || layer.position === 'absolute',
    minWidth,
    maxWidth,
    minHeight,
    maxHeight,
    aspectRatio: layer.aspectRatio,
    flexGrow: layer.flexGrow,
    // Text, and what is as wide as its text, gives way to its neighbours; a box keeps the size that it was given.
    flexShrink: layer.flexShrink ?? (layer.type === 'text' || isHuggingFrame(layer) ? 1 : 0),
    flexBasis: layer.flexBasis === null ? null : resolveDimension(layer.flexBasis),
    alignSelf: layer.alignSelf,
    justifySelf: layer.justifySelf,
    grid: {
      column: layer.gridColumn === null ? null : layer.gridColumn - 1,
      row: layer.gridRow === null ? null : layer.gridRow - 1,
      columnSpan: layer.columnSpan,
      rowSpan: layer.rowSpan,
    },
    margin: resolveEdges(layer.margin),
  };
}

/** Whether a layer is a frame as wide as what flows in it. */
function isHuggingFrame(layer: Layer): boolean {
  return layer.type === 'frame' && layer.layout !== null && layer.width === 'hug';
}

/** The human-readable line under a barcode: a sixth of its height, in the code's own colour. */
function captionOf(layer: Extract<Layer, { type: 'barcode' }>): TextSpan {
  const height = typeof layer.height === 'number' ? layer.height : 80;
  return {
    text: layer.value,
    style: resolveCharacterStyle({
      fontFamily: 'Inter',
      fontWeight: 500,
      fontStyle: 'normal',
      fontSize: Math.min(48, Math.max(8, height / 6)),
      lineHeight: 1.2,
      letterSpacing: 0,
      wordSpacing: 0,
      textTransform: 'none',
      textDecoration: 'none',
      textDecorationColor: null,
      textDecorationThickness: null,
      fontVariantPosition: 'normal',
      fontFeatures: { tnum: 1 },
      fontVariations: {},
      color: layer.color,
      stroke: null,
      strokeWidth: 0,
      lang: null,
    }),
    link: null,
    image: null,
  };
}
