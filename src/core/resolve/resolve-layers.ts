// Resolves a template and modifications to a scene. The caller passes the code for tables, charts and calculations, so that an
// editor can open without it; `resolve.ts` passes all.
//
// All lookups happen here: defaults, colours, names; the scene is drawn without any further ones. A layer that
// no modification changes is the same node in every scene of its template, so that later stages can recognise it.

import type { DocumentProperties } from '../template/document-properties.ts';
import { parseAreas } from '../template/grid-syntax.ts';
import type { FrameLayer, ImageLayer, Layer } from '../template/layer.ts';
import { sheetSize } from '../template/page.ts';
import type { Template } from '../template/template.ts';
import type { TextLayer } from '../template/text-layer.ts';
import { formatPath } from '../template/validation.ts';
import { markerLetters } from '../text/counters.ts';
import {
  applyModifications,
  type Change,
  type Modifications,
  NotLoaded,
  type RarerValues,
} from './apply-modifications.ts';
import { formattedText, type Locale } from './format-value.ts';
import { LayerNeeds, NeedsCollector, type NeedsSink } from './needs.ts';
import { captionOf, digitPlaces, SQUARE } from './printed-digits.ts';
import { shownChildren } from './repeat.ts';
import type { resolveChart } from './resolve-chart.ts';
import { resolveOutline } from './resolve-outline.ts';
import {
  addCounted,
  type Countable,
  checkCounters,
  flowing,
  resolveFragmentation,
  unknownPlaces,
} from './resolve-pages.ts';
import { resolvePlacement } from './resolve-placement.ts';
import {
  resolveBorders,
  resolveCorners,
  resolveEdges,
  resolveFill,
  resolveFilters,
  resolveShadows,
  resolveTrack,
  resolveTracks,
} from './resolve-style.ts';
import type { resolveTable } from './resolve-table.ts';
import { isBlank, resolveCharacterStyle, resolveSpans, wordsOf } from './resolve-text.ts';
import type {
  CharacterStyle,
  CodeNode,
  Fade,
  Fill,
  FlexLayout,
  FrameNode,
  GridLayout,
  ImageNode,
  ListedHeading,
  Mask,
  Scene,
  SceneNode,
  Shadow,
  ShapeNode,
  TextArc,
  TextList,
  TextNode,
  TextSpan,
} from './scene.ts';

/** What resolves layers that most templates do without. */
export interface RarerLayers extends RarerValues {
  readonly resolveTable: typeof resolveTable;
  readonly resolveChart: typeof resolveChart;
}

/**
 * Applies the modifications and resolves the template.
 *
 * @throws ValidationError naming the path, when a modification does not fit its layer or a layer cannot be drawn
 * @throws NotLoaded if a layer needs something that `rarer` lacks
 */
export function resolveWith(rarer: Partial<RarerLayers>, template: Template, modifications: Modifications): Scene {
  const modified = applyModifications(template, modifications, rarer);
  const needs = new NeedsCollector();
  const pathOf = (layer: Layer) => modified.changes.get(layer)?.path ?? formatPath('layers', [layer.name]);
  const page = template.page ?? null;
  const common = {
    ...({ rarer, needs, pathOf, direction: null, changes: modified.changes, locale: template } as const),
    headings: () => headingsIn({ locale: template, pathOf }, modified.template.layers.filter(isFlowing)),
  };
  const nodes = modified.template.layers.flatMap((layer) => {
    const isFlow = layer.type === 'frame' && layer.flow;
    const countable = page === null ? 'rows' : isFlow ? 'places' : 'all';
    return resolveNodes({ ...common, countable }, [layer], false).flatMap((node): readonly SceneNode[] =>
      page && node.type === 'frame' && node.fragmentation?.isFlow ? flowing(node, page) : [node],
    );
  });
  if (page) addCounted(nodes, needs);
  const { width, height } = page ? sheetSize(page) : template;
  return {
    width,
    height,
    page,
    background: resolveBackground(template),
    nodes,
    needs: needs.needs(),
    ...((modified.template.pdf || template.lang !== undefined) && {
      document: {
        ...(template.lang !== undefined && { language: template.lang }),
        ...(modified.template.pdf as DocumentProperties | undefined),
      },
    }),
    diagnostics: [...modified.diagnostics, ...needs.warnings, ...(page ? unknownPlaces(nodes) : [])],
  };
}

const backgrounds = new WeakMap<Template, Fill | null>();

function resolveBackground(template: Template): Fill | null {
  let background = backgrounds.get(template);
  if (background === undefined) {
    background = template.background === null ? null : resolveFill(template.background);
    backgrounds.set(template, background);
  }
  return background;
}

interface Context {
  readonly rarer: Partial<RarerLayers>;
  readonly needs: NeedsSink;
  /** The path of the layer in the caller's input, for messages. */
  readonly pathOf: (layer: Layer) => string;
  /** The direction of the enclosing frame; null = no frame around says one. */
  readonly direction: FrameNode['direction'] | null;
  readonly changes: ReadonlyMap<Layer, Change>;
  readonly countable: Countable;
  /** The template, for the language and the currency of its formats. */
  readonly locale: Locale;
  /** What flows over the pages has these headings. */
  readonly headings: () => readonly ListedHeading[];
}

const isFlowing = (layer: Layer): boolean => layer.type === 'frame' && layer.flow;

function headingsIn(context: Pick<Context, 'locale' | 'pathOf'>, layers: readonly Layer[]): readonly ListedHeading[] {
  return layers.filter(isShown).flatMap((layer): readonly ListedHeading[] => {
    if (layer.type === 'frame') return headingsIn(context, shownChildren(layer));
    if (layer.type !== 'text' || layer.heading === null) return [];
    const text = wordsOf(localised(context, layer));
    return text.trim() === '' ? [] : [{ level: layer.heading, text }];
  });
}

/** @param flows whether the parent lays its children out */
function resolveNodes(context: Context, layers: readonly Layer[], flows: boolean): readonly SceneNode[] {
  return layers.filter(isShown).flatMap((layer): readonly SceneNode[] | SceneNode => {
    if (layer.type !== 'frame' || layer.layout?.type !== 'contents') return resolveNode(context, layer, flows);
    return resolveNodes(directed(context, layer.direction), shownChildren(layer), flows);
  });
}

function directed(context: Context, direction: FrameNode['direction'] | null): Context {
  return direction === null || direction === context.direction ? context : { ...context, direction };
}

function isShown(layer: Layer): boolean {
  return layer.visible && !(layer.type === 'text' && layer.hideWhenEmpty && isBlank(layer));
}

/** The cached node of a stored layer, and the context in which it was resolved. */
interface Resolved extends Pick<Context, 'direction'>, Locale {
  readonly flows: boolean;
  /** For a frame, with the children that it had in the last request that did not change them. */
  readonly node: SceneNode;
  readonly needs: LayerNeeds;
}

/** Nodes of stored layers, while their template is in use: modifications seldom change more than a few texts. */
const resolved = new WeakMap<Layer, Resolved>();

function resolveNode(context: Context, layer: Layer, flows: boolean): SceneNode {
  // The picture of a mask is a need of the layer beside those that are kept with its node.
  if (layer.mask?.src) return resolveAnew(context, layer, flows);
  const change = context.changes.get(layer);
  if (change && !change.properties?.every((property) => SEPARATE[layer.type].includes(property))) {
    return resolveAnew(context, layer, flows);
  }
  // The headings may have changed, without the table.
  if (layer.type === 'table' && layer.contents !== null) return resolveAnew(context, layer, flows);
  const stored = change?.stored ?? layer;
  const last = resolved.get(stored);
  const place = placeOf(context, flows);
  const known = last && isEqual(last, place) ? last : null;
  if (layer.type === 'frame') {
    if (known?.node.type === 'frame') {
      const node = withChildren(context, layer, known.node);
      if (!change && node !== known.node) resolved.set(stored, { ...known, node });
      return node;
    }
    // The needs of a frame are those of its children and are recorded with them.
    const node = resolveAnew(context, layer, flows);
    // The children of one request, such as the entries of its list, are not kept.
    const own = change && node.type === 'frame' ? { ...node, children: [] } : node;
    resolved.set(stored, { ...place, node: own, needs: new LayerNeeds(context.needs) });
    return node;
  }
  if (!change) return known?.needs.repeat(context.needs) ? known.node : resolveStored(context, layer, flows);
  const node = known?.node ?? resolveStored({ ...context, needs: new NeedsCollector() }, stored, flows);
  if (layer.type === 'text' && node.type === 'text') return withWords(context, layer, node);
  if (layer.type === 'image' && node.type === 'image') return { ...node, image: neededImage(context, layer) };
  return resolveAnew(context, layer, flows);
}

type Surroundings = Omit<Resolved, 'node' | 'needs'>;

/** A design has the same layers in each of its languages. */
const placeOf = ({ direction, locale: { lang, currency } }: Context, flows: boolean): Surroundings => ({
  flows,
  direction,
  lang,
  currency,
});

const isEqual = (a: Surroundings, b: Surroundings) =>
  a.flows === b.flows && a.direction === b.direction && a.lang === b.lang && a.currency === b.currency;

/** The properties of each type of layer that affect only one part of its node, such as its text. */
const SEPARATE: Readonly<Record<Layer['type'], readonly string[]>> = {
  text: ['text', 'spans'],
  image: ['src'],
  frame: ['children', 'repeat'],
  shape: [],
  table: [],
  chart: [],
  qr: [],
  barcode: [],
};

function resolveStored(context: Context, layer: Layer, flows: boolean): SceneNode {
  const needs = new LayerNeeds(context.needs);
  const node = resolveAnew({ ...context, needs }, layer, flows);
  resolved.set(layer, { ...placeOf(context, flows), node, needs });
  return node;
}

function resolveAnew(context: Context, layer: Layer, flows: boolean): SceneNode {
  const base = {
    name: layer.name,
    placement: resolvePlacement(layer, flows),
    rotation: layer.rotation,
    ...(layer.flip !== 'none' && { flip: layer.flip }),
    opacity: layer.opacity,
    blend: layer.blendMode,
    shadows: resolveShadows(layer.shadow),
    blur: layer.blur,
    filters: resolveFilters(layer.filters),
    backdropFilters: resolveFilters(layer.backdropFilters),
    mask: resolveMask(context, layer),
    link: layer.link,
    alt: altOf(layer),
    fragmentation: resolveFragmentation(layer),
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
      return { ...base, ...droppedShadows(layer, base.shadows), type: 'frame', ...resolveFrame(context, layer) };
    case 'table':
      return { ...base, ...loaded(context.rarer.resolveTable)(context, layer) };
    case 'chart':
      return { ...base, ...loaded(context.rarer.resolveChart)(context, layer) };
  }
}

function loaded<Code>(code: Code | undefined): Code {
  if (!code) throw new NotLoaded('layers');
  return code;
}

/** A code that says nothing of itself is read by its value. */
function altOf(layer: Layer): string | null {
  if (!('alt' in layer)) return null;
  return layer.alt ?? ('value' in layer ? layer.value : null);
}

function resolveMask({ needs, pathOf }: Context, layer: Layer): Mask | null {
  const { mask } = layer;
  return mask && { outline: resolveOutline(mask, `${pathOf(layer)}.mask`), fade: resolveFade(mask, layer.name, needs) };
}

function resolveFade(
  { gradient, src, fit, mode }: NonNullable<Layer['mask']>,
  layer: string,
  needs: NeedsSink,
): Fade | null {
  if (gradient !== null) return { kind: 'gradient', fill: resolveFill(gradient), mode };
  if (src === null) return null;
  return { kind: 'image', image: needs.addImage({ sources: [src], layer, optional: false, focus: null }), fit, mode };
}

function resolveText(context: Context, stored: TextLayer): Specifics<TextNode> {
  const layer = localised(context, stored);
  const strut = resolveCharacterStyle(layer);
  const { background } = layer;
  return {
    spans: neededSpans(context, layer, strut),
    strut,
    align: layer.align,
    verticalAlign: layer.verticalAlign,
    direction: layer.direction,
    arc: layer.textPath === null ? null : arcOf(layer.textPath),
    writingMode: layer.textPath === null ? layer.writingMode : 'horizontal-tb',
    textOrientation: layer.textOrientation,
    textWrap: layer.textWrap,
    hyphens: layer.hyphens,
    textIndent: layer.textPath === null ? layer.textIndent : 0,
    paragraphSpacing: layer.textPath === null ? layer.paragraphSpacing : 0,
    list: listOf(layer),
    lineBreak: layer.lineBreak,
    wordBreak: layer.wordBreak,
    overflowWrap: layer.overflowWrap,
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
    autoFitMax: layer.autoFit === null ? null : layer.autoFit.max,
  };
}

function listOf({ listStyle: style, listIndent, fontSize, textPath }: TextLayer): TextList | null {
  return style === 'none' || textPath !== null ? null : { style, indent: listIndent ?? 2 * fontSize };
}

/** The node of a text layer of which only the text has changed. */
function withWords(context: Context, layer: TextLayer, node: TextNode): TextNode {
  return { ...node, spans: neededSpans(context, localised(context, layer), node.strut) };
}

/** Of the numbers of notes. */
const DIGITS = '0123456789';

/** The layer with its text formatted, in the language of the template if it has none of its own. */
function localised({ locale, pathOf }: Pick<Context, 'locale' | 'pathOf'>, layer: TextLayer): TextLayer {
  const { lang } = locale;
  if (layer.format === null && (layer.lang !== null || lang === undefined)) return layer;
  return {
    ...layer,
    lang: layer.lang ?? lang ?? null,
    text: formattedText(layer, locale, (text, property) => `${pathOf(text)}.${property}`),
  };
}

function neededSpans(
  { needs, countable, pathOf }: Context,
  layer: TextLayer,
  strut: CharacterStyle,
): readonly TextSpan[] {
  checkCounters(layer, countable, () => pathOf(layer));
  const spans = resolveSpans(layer, strut, needs);
  for (const span of spans) needs.addText(layer.name, span.image ? { ...span, text: '' } : span);
  for (const { style, footnote } of spans) {
    if (!footnote) continue;
    needs.addText(layer.name, { text: DIGITS, style });
    needs.addText(layer.name, { text: `${DIGITS} ${footnote.text}`, style: footnote.style });
  }
  const list = listOf(layer);
  if (list) for (const { style } of spans) needs.addText(layer.name, { text: markerLetters(list.style), style });
  needs.addText(layer.name, { text: '', style: strut });
  if (layer.hyphens === 'auto') {
    for (const { style } of spans) if (style.lang !== null) needs.addHyphenation(style.lang);
  }
  return spans;
}

function resolveImage(context: Context, layer: ImageLayer): Specifics<ImageNode> {
  return {
    image: neededImage(context, layer),
    fit: layer.fit,
    zoom: layer.zoom,
    isPixelated: layer.imageRendering === 'pixelated',
    focus: typeof layer.focus === 'string' ? 'auto' : layer.focus,
    radii: resolveCorners(layer.borderRadius),
    ...resolveBorders(layer),
  };
}

/** The key of a layer's image. */
function neededImage({ needs }: Context, layer: ImageLayer): string {
  const { src, fallback, optional, focus, width, height, pdfPage } = layer;
  const aspect =
    typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0 ? width / height : null;
  return needs.addImage({
    sources: fallback === null ? [src] : [src, fallback],
    layer: layer.name,
    ...(pdfPage > 1 && { page: pdfPage }),
    optional,
    focus: typeof focus === 'string' ? { by: focus, aspect } : null,
  });
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
  const { value, quietZone } = layer;
  if (layer.type === 'qr') {
    const { errorCorrection } = layer;
    const code = context.needs.addCode({ format: 'qr', value, errorCorrection, quietZone, path });
    return { code, square: true, fill, background, caption: null, digits: null };
  }
  const { format } = layer;
  const code = context.needs.addCode({ format, value, errorCorrection: null, quietZone, path });
  const caption = layer.showText ? captionOf(layer) : null;
  if (caption) context.needs.addText(layer.name, caption);
  const digits = caption && digitPlaces(format, caption.text);
  return { code, square: SQUARE.includes(format), fill, background, caption, digits };
}

function resolveFrame(context: Context, layer: FrameLayer): Specifics<FrameNode> {
  const direction = layer.direction ?? context.direction;
  return {
    layout: layer.layout?.type === 'contents' || !isLaidOut(layer) ? null : resolveLayout(layer.layout ?? COLUMN),
    direction: direction ?? 'ltr',
    hideWhenEmpty: layer.hideWhenEmpty,
    padding: resolveEdges(layer.padding),
    clip: layer.clip,
    background: layer.background === null ? null : resolveFill(layer.background),
    ...resolveBorders(layer),
    radii: resolveCorners(layer.borderRadius),
    children: resolveChildren(context, layer, direction),
  };
}

/** Outer shadows of what a frame paints, instead of those of its box. */
function droppedShadows({ shadowType }: FrameLayer, shadows: readonly Shadow[]): Partial<SceneNode> {
  const dropShadows = shadowType === 'drop' ? shadows.filter(({ inset }) => !inset) : [];
  if (dropShadows.length === 0) return {};
  return {
    shadows: shadows.filter(({ inset }) => inset),
    css: { transform: null, outline: null, clip: null, dropShadows },
  };
}

function resolveChildren(context: Context, layer: FrameLayer, direction: Context['direction']): readonly SceneNode[] {
  return resolveNodes(directed(context, direction), shownChildren(layer), isLaidOut(layer));
}

/** What flows is a column, unless it says otherwise. */
const isLaidOut = ({ layout, flow }: FrameLayer): boolean => (layout === null ? flow : layout.type !== 'contents');

/** The node of a frame of which only the children may have changed; `node` itself if they have not. */
function withChildren(context: Context, layer: FrameLayer, node: FrameNode): FrameNode {
  const children = resolveChildren(context, layer, layer.direction ?? context.direction);
  const isSame = children.length === node.children.length && children.every((child, i) => child === node.children[i]);
  return isSame ? node : { ...node, children };
}

function resolveLayout({ gap, ...layout }: StoredLayout): FlexLayout | GridLayout {
  const [row, column] = Array.isArray(gap) ? gap : [gap, gap];
  const [rowGap, columnGap] = [px(row), px(column)];
  const percentGaps =
    typeof row === 'string' || typeof column === 'string' ? { row: percent(row), column: percent(column) } : null;
  if (layout.type === 'flex') return { ...layout, rowGap, columnGap, percentGaps };
  const { columns, gridAutoFlow, gridAutoColumns, gridAutoRows, gridTemplateAreas, ...alignment } = layout;
  const { type, justifyContent, alignContent, justifyItems, align } = alignment;
  const flow = gridAutoFlow.startsWith('row') ? 'row' : 'column';
  const areas = gridTemplateAreas && parseAreas(gridTemplateAreas);
  // Without any of CSS's words for further columns, the columns given are all there are.
  const isOpen = flow === 'column' || areas !== null || columns.length === 0;
  return {
    type,
    columns: columns.flatMap(resolveTracks),
    rows: layout.rows.flatMap(resolveTracks),
    autoColumns: gridAutoColumns?.map(resolveTrack) ?? (isOpen ? [HUG] : null),
    autoRows: gridAutoRows?.map(resolveTrack) ?? [HUG],
    flow,
    dense: gridAutoFlow.endsWith('dense'),
    areas: typeof areas === 'string' ? null : areas,
    rowGap,
    columnGap,
    percentGaps,
    justifyContent,
    alignContent,
    justifyItems,
    align,
  };
}

const COLUMN: StoredLayout = {
  type: 'flex',
  direction: 'column',
  wrap: 'nowrap',
  gap: 0,
  justify: 'start',
  align: 'stretch',
  alignContent: 'start',
};

type StoredLayout = Exclude<NonNullable<FrameLayer['layout']>, { type: 'contents' }>;

const px = (length: number | string) => (typeof length === 'number' ? length : 0);
const percent = (length: number | string) => (typeof length === 'number' ? null : Number.parseFloat(length));

const HUG = { kind: 'hug' } as const;

/** The properties that a node's type adds to those of every node. */
type Specifics<Node extends SceneNode> = Omit<
  Node,
  | 'type'
  | 'name'
  | 'placement'
  | 'rotation'
  | 'flip'
  | 'opacity'
  | 'blend'
  | 'shadows'
  | 'blur'
  | 'filters'
  | 'backdropFilters'
  | 'mask'
  | 'link'
  | 'alt'
  | 'fragmentation'
>;
