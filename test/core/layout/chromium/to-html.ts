// Converts a scene to HTML and CSS that mean the same.
//
// Where we differ from CSS on purpose, the difference is written out in CSS's own terms, with its reason.

import type {
  CharacterStyle,
  Dimension,
  FrameNode,
  GridLayout,
  GridTrack,
  Placement,
  Scene,
  SceneNode,
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
  const unlaid = node.type === 'frame' && node.layout === null;
  const side = (size: Dimension, name: 'width' | 'height', end: 'right' | 'bottom'): Style =>
    size.kind === 'fill' || (unlaid && size.kind === 'hug') ? { [end]: 0 } : { [name]: length(size) };
  const style = {
    position: 'absolute',
    left: px(placement.x),
    top: px(placement.y),
    ...side(placement.width, 'width', 'right'),
    ...side(placement.height, 'height', 'bottom'),
  };
  const definite = { width: placement.width.kind !== 'hug', height: placement.height.kind !== 'hug' };
  return content(node, style, definite);
}

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

  const style: Style = { width: length(width), height: length(height) };
  if (basis.kind === 'fill') {
    // Shares are equal whatever the items contain, but a hugging frame is sized by its contents.
    const shared = row ? definite.width : definite.height;
    style.flex = `${flexGrow || 1} ${Math.max(1, flexShrink)} ${shared ? '0px' : 'auto'}`;
  } else {
    style.flex = `${flexGrow} ${flexShrink} ${flexBasis ? length(flexBasis) : 'auto'}`;
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
  const { width, height, grid, justifySelf, alignSelf, aspectRatio } = node.placement;
  // A frame without a layout fills its area; images and boxes with an aspect ratio keep their proportions.
  const keeps = node.type === 'image' || aspectRatio !== null;
  const self = (size: Dimension, own: string, all: string) =>
    size.kind === 'fill' ? 'stretch' : own === 'auto' && all === 'stretch' && keeps ? 'start' : own;
  const style: Style = {
    width: length(width),
    height: length(height),
    'grid-column': `${grid.column === null ? 'auto' : grid.column + 1} / span ${grid.columnSpan}`,
    'grid-row': `${grid.row === null ? 'auto' : grid.row + 1} / span ${grid.rowSpan}`,
    'justify-self': self(width, justifySelf, layout.justifyItems),
    'align-self': self(height, alignSelf, layout.align),
  };
  return content(node, style, { width: true, height: true });
}

const track = (size: GridTrack): string => (size.kind === 'fr' ? `${size.value}fr` : length(size));

function content(node: SceneNode, placed: Style, definite: Definite): string {
  const style = { ...box(node.placement), ...placed };
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
      const { padding, border, layout } = node;
      Object.assign(style, {
        padding: `${px(padding.top)} ${px(padding.right)} ${px(padding.bottom)} ${px(padding.left)}`,
        border: border ? `${px(border.width)} solid` : 'none',
        overflow: node.clip ? 'hidden' : 'visible',
      });
      if (!style.position) style.position = 'relative';
      if (layout === null) return element('div', style, node.name, node.children.map(outOfFlow).join(''));
      style.direction = node.direction;
      style.gap = `${px(layout.rowGap)} ${px(layout.columnGap)}`;
      if (layout.type === 'grid') {
        Object.assign(style, {
          display: 'grid',
          'grid-template-columns': layout.columns.map(track).join(' '),
          'grid-template-rows': layout.rows.map(track).join(' ') || 'none',
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

function box({ minWidth, maxWidth, minHeight, maxHeight, aspectRatio, margin }: Placement): Style {
  const style: Style = { margin: `${px(margin.top)} ${px(margin.right)} ${px(margin.bottom)} ${px(margin.left)}` };
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
const flexAlign = (value: string): string => (value === 'start' || value === 'end' ? `flex-${value}` : value);
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function element(tag: string, style: Style, name: string, inner: string): string {
  const css = Object.entries(style)
    .map(([property, value]) => `${property}:${value}`)
    .join(';');
  const attributes = `style="${css}"${name === '' ? '' : ` data-name="${name}"`}`;
  return tag === 'img' ? `<img src="photo" ${attributes}>` : `<${tag} ${attributes}>${inner}</${tag}>`;
}
