// Converts a scene to HTML and CSS that mean the same.
//
// Where we differ from CSS on purpose, the difference is written out in CSS's own terms, with its reason.

import type { Edges, Size } from '#core/geometry.ts';
import { borderWidths } from '#core/layout/border-box.ts';
import type {
  CharacterStyle,
  Dimension,
  FrameNode,
  GridLayout,
  GridTrack,
  Inset,
  Intrinsic,
  Length,
  Placement,
  Scene,
  SceneNode,
  Sides,
  TrackRepeat,
} from '#core/resolve/scene.ts';

type Style = Record<string, string | number>;

/** The intrinsic size of every picture, px. */
export const PHOTO = { width: 100, height: 50 };

/** Elements carry their layers' names as `data-name`; fonts are called `platen <family>`. */
export function toHtml(scene: Scene): string {
  const style = { position: 'absolute', left: 0, top: 0, width: px(scene.width), height: px(scene.height) };
  return element('div', style, '', scene.nodes.map((node) => outOfFlow(node)).join(''));
}

/** Placed by `x` and `y` in its frame's padding box. */
function outOfFlow(node: SceneNode): string {
  const { placement } = node;
  const { inset, grid, alignSelf, justifySelf } = placement;
  if (inset) {
    const style = { position: 'absolute', 'align-self': flexAlign(alignSelf), 'justify-self': justifySelf };
    const sized = { width: size(placement, 'width'), height: size(placement, 'height') };
    return content(node, { ...style, ...sized, ...sides(inset), ...(isAsked(grid) && lines(placement)) }, DEFINITE);
  }
  const unlaid = node.type === 'frame' && node.layout === null;
  const side = (size: Dimension, name: 'width' | 'height', end: 'right' | 'bottom'): Style =>
    size.kind === 'fill' || (unlaid && size.kind === 'hug') ? { [end]: 0 } : { [name]: length(size) };
  const style = {
    position: 'absolute',
    left: px(placement.x),
    top: px(placement.y),
    ...(isAsked(grid) && lines(placement)),
    ...side(placement.width, 'width', 'right'),
    ...side(placement.height, 'height', 'bottom'),
  };
  const definite = { width: placement.width.kind !== 'hug', height: placement.height.kind !== 'hug' };
  return content(node, style, definite);
}

const DEFINITE = { width: true, height: true };

/** Whether an absolute child names a grid area; lines of spans that only we count are written out. */
const isAsked = ({ column, row, lines }: Placement['grid']) => column !== null || row !== null || lines !== null;

const sides = (inset: Inset): Style => ({
  left: inset.left ? length(inset.left) : 'auto',
  right: inset.right ? length(inset.right) : 'auto',
  top: inset.top ? length(inset.top) : 'auto',
  bottom: inset.bottom ? length(inset.bottom) : 'auto',
});

const size = ({ relative, ...placement }: Placement, name: 'width' | 'height'): string =>
  relative?.[name]?.kind ?? length(placement[name]);

interface Definite {
  readonly width: boolean;
  readonly height: boolean;
}

function inFlow(node: SceneNode, frame: FrameNode, definite: Definite): string {
  if (node.placement.absolute) return outOfFlow(node);
  const layout = frame.layout?.type === 'flex' ? frame.layout : null;
  const row = layout?.direction.startsWith('row') ?? false;
  // A frame without a layout has no content to hug, so it fills.
  const unlaid = node.type === 'frame' && node.layout === null;
  const sized = (size: Dimension): Dimension => (unlaid && size.kind === 'hug' ? { kind: 'fill' } : size);
  const width = sized(node.placement.width);
  const height = sized(node.placement.height);
  const [main, cross] = row ? [width, height] : [height, width];
  const { flexGrow, flexShrink, flexBasis, alignSelf } = node.placement;
  const basis = flexBasis ?? main;

  const style: Style = {
    width: node.placement.relative?.width?.kind ?? length(width),
    height: node.placement.relative?.height?.kind ?? length(height),
    ...moved(node.placement),
  };
  if (basis.kind === 'fill') {
    // Shares are equal whatever the items contain, but a hugging frame is sized by its contents.
    const shared = row ? definite.width : definite.height;
    style.flex = `${flexGrow || 1} ${Math.max(1, flexShrink)} ${shared ? '0px' : 'auto'}`;
  } else {
    const own = node.placement.relative?.flexBasis?.kind;
    style.flex = `${flexGrow} ${flexShrink} ${own ?? (flexBasis ? length(flexBasis) : 'auto')}`;
  }
  style['align-self'] = cross.kind === 'fill' ? 'stretch' : flexAlign(alignSelf);
  // An image that hugs keeps its intrinsic size instead of being stretched.
  const stretches = (alignSelf === 'auto' ? layout?.align : alignSelf) === 'stretch';
  if (node.type === 'image' && cross.kind === 'hug' && alignSelf === 'auto' && stretches) style['align-self'] = 'start';
  // The same applies to a box with an aspect ratio whose main size is given.
  const ratioDecides = node.placement.aspectRatio !== null && main.kind !== 'hug' && cross.kind === 'hug';
  if (ratioDecides && alignSelf === 'auto' && stretches) style['align-self'] = 'start';
  const given = (size: Dimension) => size.kind === 'px' || size.kind === 'percent';
  const crossed = stretches || cross.kind === 'fill';
  return content(node, style, {
    width: given(width) || (definite.width && (width.kind === 'fill' || (!row && crossed))),
    height: given(height) || (row && crossed) || (definite.height && height.kind === 'fill'),
  });
}

function inGrid(node: SceneNode, layout: GridLayout): string {
  if (node.placement.absolute) return outOfFlow(node);
  const { width, height, justifySelf, alignSelf, aspectRatio } = node.placement;
  // A frame without a layout fills its area; images and boxes with an aspect ratio keep their proportions.
  const keeps = node.type === 'image' || aspectRatio !== null;
  const self = (size: Dimension, own: string, all: string) =>
    size.kind === 'fill' ? 'stretch' : own === 'auto' && all === 'stretch' && keeps ? 'start' : own;
  const style: Style = {
    width: size(node.placement, 'width'),
    height: size(node.placement, 'height'),
    ...moved(node.placement),
    ...lines(node.placement),
    'justify-self': self(width, justifySelf, layout.justifyItems),
    'align-self': self(height, alignSelf, layout.align),
  };
  return content(node, style, { width: true, height: true });
}

const moved = ({ inset }: Placement): Style => (inset ? { position: 'relative', ...sides(inset) } : {});

function lines({ grid, absolute }: Placement): Style {
  const { columnStart = null, columnEnd = null, rowStart = null, rowEnd = null, area = null } = grid.lines ?? {};
  if (area !== null) return { 'grid-area': area };
  const between = (first: number | null, span: number, start: number | null, end: number | null) => {
    const from = start ?? (first === null ? null : first + 1);
    if (from !== null && from < 1 && start === null) return `span ${span} / ${from + span}`;
    if (absolute && from !== null && end === null) return `${from} / ${from + span}`;
    return from === null && end !== null ? `span ${span} / ${end}` : `${from ?? 'auto'} / ${end ?? `span ${span}`}`;
  };
  return {
    'grid-column': between(grid.column, grid.columnSpan, columnStart, columnEnd),
    'grid-row': between(grid.row, grid.rowSpan, rowStart, rowEnd),
  };
}

function track(size: GridTrack | TrackRepeat): string {
  switch (size.kind) {
    case 'fr':
      return `${size.value}fr`;
    case 'minmax':
      return `minmax(${track(size.min)}, ${track(size.max)})`;
    case 'fit-content':
      return `fit-content(${track(size.limit)})`;
    case 'repeat':
      return `repeat(${size.times}, ${size.tracks.map(track).join(' ')})`;
    case 'min-content':
    case 'max-content':
      return size.kind;
    default:
      return length(size);
  }
}

function areas({ areas }: GridLayout): string {
  if (!areas) return 'none';
  const cells = Array.from({ length: areas.rows }, () => Array.from({ length: areas.columns }, () => '.'));
  for (const [name, { column, row, columnSpan, rowSpan }] of Object.entries(areas.named)) {
    for (const each of cells.slice(row, row + rowSpan)) each.fill(name, column, column + columnSpan);
  }
  return cells.map((each) => `'${each.join(' ')}'`).join(' ');
}

function content(node: SceneNode, placed: Style, definite: Definite): string {
  const style = { ...box(node.placement), ...breaks(node), ...placed };
  switch (node.type) {
    case 'text': {
      const cut = node.overflow !== 'visible' || node.autoFitMin !== null;
      const own = { 'white-space': 'pre-wrap', 'overflow-wrap': 'break-word', 'unicode-bidi': 'plaintext' };
      const spans = node.spans.map((span) => element('span', characters(span.style), '', escaped(span.text)));
      const first = node.spans[0]?.style;
      return element(
        'div',
        { ...style, ...own, ...(first ? characters(first) : {}), ...(cut ? { overflow: 'hidden' } : {}) },
        node.name,
        spans.join(''),
      );
    }
    case 'image':
      // An image that fills may be smaller than its intrinsic size; CSS's automatic minimum size forbids that unless it
      // is set to 0.
      return element('img', { 'min-width': 0, 'min-height': 0, ...style }, node.name, '');
    case 'frame': {
      const { padding, layout } = node;
      Object.assign(style, {
        padding: edges(padding, node.placement.relative?.padding ?? null, null),
        'border-width': edges(borderWidths(node), null, null),
        'border-style': 'solid',
        overflow: node.clip ? 'hidden' : 'visible',
      });
      if (!style.position) style.position = 'relative';
      if (layout?.type !== 'flex' && layout?.type !== 'grid')
        return element('div', style, node.name, node.children.map(outOfFlow).join(''));
      style.direction = node.direction;
      const { row, column } = layout.percentGaps ?? { row: null, column: null };
      const gap = (own: number, percent: number | null) => (percent === null ? px(own) : `${percent}%`);
      style.gap = `${gap(layout.rowGap, row)} ${gap(layout.columnGap, column)}`;
      if (layout.type === 'grid') {
        Object.assign(style, {
          display: 'grid',
          'grid-template-columns': layout.columns.map(track).join(' ') || 'none',
          'grid-template-rows': layout.rows.map(track).join(' ') || 'none',
          'grid-template-areas': areas(layout),
          'grid-auto-flow': `${layout.flow}${layout.dense ? ' dense' : ''}`,
          'grid-auto-columns': (layout.autoColumns ?? []).map(track).join(' ') || 'auto',
          'grid-auto-rows': layout.autoRows.map(track).join(' '),
          'justify-content': layout.justifyContent,
          'align-content': layout.alignContent,
          'justify-items': layout.justifyItems,
          'align-items': layout.align,
        });
        return element('div', style, node.name, node.children.map((child) => inGrid(child, layout)).join(''));
      }
      Object.assign(style, {
        display: 'flex',
        'flex-direction': layout.direction,
        'flex-wrap': layout.wrap,
        'justify-content': flexAlign(layout.justify),
        'align-items': flexAlign(layout.align),
        'align-content': flexAlign(layout.alignContent),
      });
      return element('div', style, node.name, node.children.map((child) => inFlow(child, node, definite)).join(''));
    }
    default:
      return element('div', style, node.name, '');
  }
}

function edges(own: Edges, percents: Sides<number | null> | null, autos: Sides<boolean> | null): string {
  const each = (side: keyof Edges) =>
    autos?.[side] ? 'auto' : percents?.[side] ? `${percents[side]}%` : px(own[side]);
  return `${each('top')} ${each('right')} ${each('bottom')} ${each('left')}`;
}

/** CSS Fragmentation, in the columns that stand for pages. */
function breaks(node: SceneNode): Style {
  if (!node.fragmentation) return {};
  const { before, after, avoidsInside, orphans, widows, clones } = node.fragmentation;
  const css = (value: string) => (value === 'page' ? 'column' : value);
  return {
    'break-before': css(before),
    'break-after': css(after),
    'break-inside': avoidsInside ? 'avoid' : 'auto',
    orphans,
    widows,
    'box-decoration-break': clones ? 'clone' : 'slice',
  };
}

/** A frame that flows, over columns of this size that stand for pages. */
export function toColumns(flow: FrameNode, { width, height }: Size): string {
  const style = { width: px(width), height: px(height), columns: px(width), 'column-gap': 0, 'column-fill': 'auto' };
  const node = { ...flow, placement: { ...flow.placement, x: 0, y: 0, absolute: false } };
  return element('div', style, '', content(node, { width: px(width) }, { width: true, height: false }));
}

function box(placement: Placement): Style {
  const { minWidth, maxWidth, minHeight, maxHeight, aspectRatio, margin, relative, autoMargins } = placement;
  const style: Style = { margin: edges(margin, relative?.margin ?? null, autoMargins) };
  const limit = (size: Length | Intrinsic) =>
    size.kind === 'px' || size.kind === 'percent' ? length(size) : size.kind;
  if (relative?.minWidth) style['min-width'] = limit(relative.minWidth);
  if (relative?.maxWidth) style['max-width'] = limit(relative.maxWidth);
  if (relative?.minHeight) style['min-height'] = limit(relative.minHeight);
  if (relative?.maxHeight) style['max-height'] = limit(relative.maxHeight);
  if (minWidth !== null) style['min-width'] = px(minWidth);
  if (maxWidth !== null) style['max-width'] = px(maxWidth);
  if (minHeight !== null) style['min-height'] = px(minHeight);
  if (maxHeight !== null) style['max-height'] = px(maxHeight);
  if (aspectRatio !== null) style['aspect-ratio'] = aspectRatio;
  return style;
}

function characters(style: CharacterStyle): Style {
  const families = style.font.families.map((family) => `'platen ${family}'`).join(',');
  return { font: `${style.fontSize}px/${style.lineHeight} ${families}` };
}

function length(size: Dimension): string {
  if (size.kind === 'px') return px(size.value);
  return size.kind === 'percent' ? `${size.value}%` : 'auto';
}

const px = (value: number): string => `${value}px`;
/** `start` and `end` follow the frame's direction, as `flex-start` and `flex-end` do. */
const flexAlign = (value: string): string => value.replace(/\b(start|end)$/, 'flex-$1');
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function element(tag: string, style: Style, name: string, inner: string): string {
  const css = Object.entries(style)
    .map(([property, value]) => `${property}:${value}`)
    .join(';');
  const attributes = `style="${css}"${name === '' ? '' : ` data-name="${name}"`}`;
  return tag === 'img' ? `<img src="photo" ${attributes}>` : `<${tag} ${attributes}>${inner}</${tag}>`;
}
