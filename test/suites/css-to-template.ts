// Converts an element and its contents, as Chromium computed them, to layers of a template, or gives the reason why no
// template can express it.

import { MAX_TRACKS } from '#core/template/grid-syntax.ts';
import type { BrowserElement } from './browser-tree.ts';

type Properties = Record<string, unknown>;

export interface Layer extends Properties {
  readonly name: string;
  readonly type: string;
  readonly children?: readonly Layer[];
}

/** CSS that no template can express, as there is no property for it. */
export class NotExpressible extends Error {}

function no(cause: string): never {
  throw new NotExpressible(cause);
}

/** The name of the font family of all texts in a suite. */
export const SUITE_FAMILY = 'ahem';

/** The border box of each layer that Chromium has a box for, by name. */
export type Boxes = Map<string, readonly number[]>;

/** @throws NotExpressible */
export function rootLayer(element: BrowserElement, boxes: Boxes): Layer {
  const { style } = element;
  for (const size of ['width', 'height']) if (isPercent(style[size])) no('a percentage of the viewport');
  for (const side of SIDES)
    if (isLength(style[`margin-${side}`]) && style[`margin-${side}`] !== '0px') no('a margin of the root');
  return layer(element, null, '0', boxes);
}

const SIDES = ['top', 'right', 'bottom', 'left'] as const;

function layer(element: BrowserElement, parent: BrowserElement | null, name: string, boxes: Boxes): Layer {
  const { style, children, text } = element;
  const visible = style.display !== 'none';
  if (visible) boxes.set(name, element.rect);
  if (style['writing-mode'] !== 'horizontal-tb') no('writing-mode of boxes');
  if (style.float !== 'none') no('float');
  if (style.order !== '0') no('order');
  if (style.contain !== 'none') no('contain');
  if (style.transform !== 'none') no('transform');
  if (style.display === 'contents') no('display: contents');
  if (!['div', 'span'].includes(element.tag)) no(`<${element.tag}>`);
  const common: Properties = { name, visible, ...placement(element, parent) };
  if (!visible) return { ...common, name, type: 'frame' };

  const shown = children.filter((child) => child.style.display !== 'none');
  const edges = edgesOf(element, shown);
  const { direction } = style;
  if (text !== '' && shown.length > 0) no('text beside elements');
  if (text === '' && shown.length === 0) {
    return { ...common, ...edges, name, type: 'frame', layout: { direction: 'row' } };
  }
  const words: Layer = {
    ...{ name: `${name}.text`, type: 'text', text: text.replaceAll('\u00a0', ' ') },
    ...{ fontFamily: SUITE_FAMILY, fontSize: 10, lineHeight: 1 },
  };
  if (style.display === 'flex') {
    const inner = text === '' ? children.map((child, i) => layer(child, element, `${name}.${i}`, boxes)) : [words];
    return { ...common, ...edges, name, type: 'frame', direction, layout: flexLayout(style), children: inner };
  }
  if (style.display === 'grid') {
    if (text !== '') no('text right in a grid');
    const layout = gridLayout(element, shown);
    const inner = children.map((child, i) => layer(child, element, `${name}.${i}`, boxes));
    return { ...common, ...edges, name, type: 'frame', direction, layout, children: inner };
  }
  // A block that contains only text becomes a column with one text.
  if (style.display === 'block' && text !== '') {
    if (style['text-align'] !== 'start') no('text-align');
    return { ...common, ...edges, name, type: 'frame', direction, layout: { direction: 'column' }, children: [words] };
  }
  if (shown.every((child) => child.style.position === 'absolute')) {
    const inner = children.map((child, i) => layer(child, element, `${name}.${i}`, boxes));
    return { ...common, ...edges, name, type: 'frame', direction, layout: { direction: 'column' }, children: inner };
  }
  return no(`display: ${style.display}`);
}

const isPercent = (value: string | undefined) => value?.endsWith('%') ?? false;
const isLength = (value: string | undefined) => /^-?[\d.e-]+px$/.test(value ?? '');

function px(value: string | undefined, property: string): number {
  if (isLength(value)) return Number.parseFloat(value ?? '');
  return no(`${property}: ${isPercent(value) ? '%' : value}`);
}

/** Px, a percentage or `auto`, which is `hug`. */
function dimension(value: string | undefined, property: string): number | string {
  if (value === 'auto') return 'hug';
  if (isPercent(value)) {
    if (value?.startsWith('-')) no(`${property}: negative`);
    return value ?? '';
  }
  return px(value, property);
}

function placement(element: BrowserElement, parent: BrowserElement | null): Properties {
  const { style } = element;
  const around = (horizontal: boolean) => {
    const sides = horizontal ? ['left', 'right'] : ['top', 'bottom'];
    return sides.reduce(
      (sum, side) => sum + px(style[`padding-${side}`], 'padding') + px(style[`border-${side}-width`], 'border'),
      0,
    );
  };
  const extra = (horizontal: boolean) => (style['box-sizing'] === 'content-box' ? around(horizontal) : 0);
  const sized = (value: string | undefined, property: string, horizontal: boolean) => {
    const size = dimension(value, property);
    if (extra(horizontal) === 0 || size === 'hug') return size;
    return typeof size === 'number' ? size + extra(horizontal) : no('box-sizing: content-box');
  };
  const bound = (value: string | undefined, property: string, horizontal: boolean, none: string) =>
    value === none ? null : px(value, property) + extra(horizontal);

  const placed: Properties = {
    width: sized(style.width, 'width', true),
    height: sized(style.height, 'height', false),
    minWidth: bound(style['min-width'], 'min-width', true, 'auto'),
    minHeight: bound(style['min-height'], 'min-height', false, 'auto'),
    maxWidth: bound(style['max-width'], 'max-width', true, 'none'),
    maxHeight: bound(style['max-height'], 'max-height', false, 'none'),
    margin: SIDES.map((side) =>
      style[`margin-${side}`] === 'auto' ? no('margin: auto') : px(style[`margin-${side}`], 'margin'),
    ),
    aspectRatio: aspectRatio(style['aspect-ratio']),
  };
  const { minWidth, maxWidth, minHeight, maxHeight } = placed as Record<string, number | null>;
  // A minimum above the maximum is an error in a template; in CSS the minimum wins.
  if ((minWidth ?? 0) > (maxWidth ?? Number.POSITIVE_INFINITY)) placed.maxWidth = minWidth;
  if ((minHeight ?? 0) > (maxHeight ?? Number.POSITIVE_INFINITY)) placed.maxHeight = minHeight;
  if (placed.aspectRatio !== null && style['box-sizing'] === 'content-box' && around(true) + around(false) > 0) {
    no('aspect-ratio of the content box');
  }
  if (!parent) return placed;
  if (style.position === 'absolute') return { ...placed, ...absolute(element, parent) };
  for (const side of SIDES) if (style[side] !== 'auto' && style.position === 'relative') no('relative offset');
  if (parent.style.display === 'flex') {
    const basis = style['flex-basis'] ?? '';
    const { 'align-self': own = '' } = style;
    if (style['min-width'] === 'auto') placed.minWidth = null;
    return {
      ...placed,
      flexGrow: Number(style['flex-grow']),
      flexShrink: Number(style['flex-shrink']),
      flexBasis:
        basis === 'auto' ? null : sized(basis, 'flex-basis', parent.style['flex-direction']?.startsWith('row') ?? true),
      alignSelf: own === 'auto' ? 'auto' : alignment(own, parent.style),
    };
  }
  return {
    ...placed,
    alignSelf: gridSelf(style['align-self']),
    justifySelf: gridSelf(style['justify-self']),
    ...gridPlace(style, 'column'),
    ...gridPlace(style, 'row'),
  };
}

function aspectRatio(value: string | undefined): number | null {
  if (value === 'auto') return null;
  const [width = Number.NaN, height = 1] = (value ?? '').split('/').map(Number);
  // In CSS, a ratio with a zero counts as none.
  if (width === 0 || height === 0) return null;
  return Number.isFinite(width / height) ? width / height : no(`aspect-ratio: ${value}`);
}

/** A template positions by left and top, and `fill` extends to the right and bottom edge. */
function absolute({ style, children, text }: BrowserElement, parent: BrowserElement): Properties {
  if (parent.style.position === 'static') no('an absolute box in a static one');
  const placed: Properties = { position: 'absolute' };
  for (const [side, end, size, at] of [
    ['left', 'right', 'width', 'x'],
    ['top', 'bottom', 'height', 'y'],
  ] as const) {
    if (style[side] === 'auto') no(style[end] === 'auto' ? 'static position' : `${end} of an absolute box`);
    placed[at] = px(style[side], side);
    if (style[end] === 'auto' || style[size] !== 'auto') continue;
    if (style[end] !== '0px') no(`${end} of an absolute box`);
    placed[size] = 'fill';
  }
  const isEmpty = children.length === 0 && text === '';
  if (style['aspect-ratio'] !== 'auto' && isEmpty && (placed.width === 'fill' || placed.height === 'fill')) {
    no('aspect-ratio of an absolute box');
  }
  return placed;
}

/**
 * Border and padding. A template's border has one width on all sides; unequal borders become padding where that has the
 * same effect.
 */
function edgesOf({ style }: BrowserElement, children: readonly BrowserElement[]): Properties {
  const borders = SIDES.map((side) => px(style[`border-${side}-width`], 'border'));
  const paddings = SIDES.map((side) => px(style[`padding-${side}`], 'padding'));
  if (style['overflow-x'] !== style['overflow-y']) no('overflow of one axis');
  const overflow = style['overflow-x'] ?? 'visible';
  if (overflow !== 'visible' && overflow !== 'hidden') no(`overflow: ${overflow}`);
  const clip = overflow === 'hidden';
  const [width = 0] = borders;
  if (borders.every((each) => each === width)) {
    return { clip, padding: paddings, border: width === 0 ? null : { width, color: '#000' } };
  }
  if (children.some((child) => child.style.position === 'absolute')) no('unequal borders around absolute boxes');
  return { clip, padding: paddings.map((padding, i) => padding + (borders[i] ?? 0)) };
}

function alignment(value: string, container: BrowserElement['style']): string {
  const reversed = container['flex-wrap'] === 'wrap-reverse';
  const words: Record<string, string> = {
    'flex-start': 'start',
    'flex-end': 'end',
    center: 'center',
    stretch: 'stretch',
    normal: 'stretch',
    baseline: 'baseline',
    ...(reversed ? {} : { start: 'start', end: 'end' }),
  };
  return words[value] ?? no(`alignment: ${value}${reversed ? ' in reverse' : ''}`);
}

function flexLayout(style: BrowserElement['style']): Properties {
  const direction = style['flex-direction'] ?? 'row';
  const wrap = style['flex-wrap'];
  if (!['nowrap', 'wrap', 'wrap-reverse'].includes(wrap ?? '')) no(`flex-wrap: ${wrap}`);
  const reversed = direction.endsWith('reverse');
  const justify: Record<string, string> = {
    'flex-start': 'start',
    'flex-end': 'end',
    center: 'center',
    normal: 'start',
    stretch: 'start',
    'space-between': 'space-between',
    'space-around': 'space-around',
    'space-evenly': 'space-evenly',
    ...(reversed ? {} : { start: 'start', end: 'end' }),
  };
  const content: Record<string, string> = {
    ...justify,
    normal: 'stretch',
    stretch: 'stretch',
    ...(wrap === 'wrap-reverse' ? { start: '', end: '' } : { start: 'start', end: 'end' }),
  };
  return {
    direction,
    wrap,
    gap: gaps(style),
    justify: justify[style['justify-content'] ?? ''] || no(`justify-content: ${style['justify-content']}`),
    align: alignment(style['align-items'] ?? '', style),
    alignContent: content[style['align-content'] ?? ''] || no(`align-content: ${style['align-content']}`),
  };
}

const gaps = (style: BrowserElement['style']) =>
  ['row-gap', 'column-gap'].map((name) => (style[name] === 'normal' ? 0 : px(style[name], 'gap')));

/** Lists the tracks of both axes: columns that exist only for an item hug, as CSS's implicit tracks do. */
function gridLayout({ style }: BrowserElement, children: readonly BrowserElement[]): Properties {
  if (style['grid-auto-flow'] !== 'row') no(`grid-auto-flow: ${style['grid-auto-flow']}`);
  for (const name of ['grid-auto-columns', 'grid-auto-rows']) if (style[name] !== 'auto') no(name);
  for (const name of ['justify-content', 'align-content']) {
    if (!['normal', 'stretch'].includes(style[name] ?? '')) no(`${name} of a grid`);
  }
  const columns = tracks(style['grid-template-columns'] ?? '');
  const items = children.filter((child) => child.style.position !== 'absolute');
  const needed = items.map((item) => {
    const { gridColumn, columnSpan } = gridPlace(item.style, 'column') as {
      gridColumn: number | null;
      columnSpan: number;
    };
    return (gridColumn ?? 1) - 1 + columnSpan;
  });
  const count = Math.max(1, columns.length, ...needed);
  if (count > MAX_TRACKS) no('more tracks than a template may name');
  while (columns.length < count) columns.push('hug');
  return {
    type: 'grid',
    columns,
    rows: tracks(style['grid-template-rows'] ?? ''),
    gap: gaps(style),
    justifyItems: gridItems(style['justify-items']),
    align: gridItems(style['align-items']),
  };
}

function tracks(list: string): (number | string)[] {
  const spread = list.replace(/repeat\((\d+), ([^()]+)\)/g, (_, count: string, track: string) =>
    Array(Number(count)).fill(track).join(' '),
  );
  if (spread === '' || spread === 'none') return [];
  if (spread.split(' ').length > MAX_TRACKS) no('more tracks than a template may name');
  return spread.split(' ').map((track) => {
    if (track === 'auto') return 'hug';
    if (/^[\d.]+(%|fr)$/.test(track)) return track;
    if (isLength(track)) return Number.parseFloat(track);
    return no(`track: ${/^[a-z-]+/.exec(track)?.[0] ?? track}`);
  });
}

function gridItems(value: string | undefined): string {
  const words: Record<string, string> = {
    ...{ normal: 'stretch', legacy: 'stretch', stretch: 'stretch', start: 'start', end: 'end', center: 'center' },
    ...{ 'flex-start': 'start', 'flex-end': 'end' },
  };
  return words[value ?? ''] ?? no(`alignment in a grid: ${value}`);
}

const gridSelf = (value: string | undefined) => (value === 'auto' ? 'auto' : gridItems(value));

function gridPlace(style: BrowserElement['style'], axis: 'column' | 'row'): Properties {
  const [start = '', end = ''] = [style[`grid-${axis}-start`], style[`grid-${axis}-end`]];
  const line = (value: string) => (/^\d+$/.test(value) ? Number(value) : null);
  const span = (value: string) => (/^span \d+$/.test(value) ? Number(value.slice(5)) : null);
  for (const value of [start, end]) {
    if (value !== 'auto' && line(value) === null && span(value) === null)
      no(/^-\d+$/.test(value) ? 'a line from the end' : 'a line by name');
  }
  let first = line(start);
  const last = line(end);
  let count = span(start) ?? span(end) ?? 1;
  if (first !== null && last !== null) {
    if (last === first) count = 1;
    else {
      count = Math.abs(last - first);
      first = Math.min(first, last);
    }
  } else if (last !== null) {
    first = last - count;
    if (first < 1) no('a line before the first');
  }
  if ((first ?? 1) > MAX_TRACKS || count > MAX_TRACKS) no('more tracks than a template may name');
  return axis === 'column' ? { gridColumn: first, columnSpan: count } : { gridRow: first, rowSpan: count };
}
