// Converts an element and its contents, as Chromium computed them, to layers of a template, or gives the reason why no
// template can express it.

import { MAX_TRACKS, parseAreas, parseLines, parseTrack, parseTracks } from '#core/template/grid-syntax.ts';
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
const SUITE_FAMILY = 'ahem';

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
  const hasBox = style.display !== 'contents';
  if (visible && hasBox) boxes.set(name, element.rect);
  if (style['writing-mode'] !== 'horizontal-tb') no('writing-mode of boxes');
  if (style.float !== 'none') no('float');
  if (style.order !== '0') no('order');
  if (style.contain !== 'none') no('contain');
  if (style.transform !== 'none') no('transform');
  if (!['div', 'span'].includes(element.tag)) no(`<${element.tag}>`);
  if (!hasBox) {
    if (text !== '') no('text right in a box of contents');
    if (parent === null) no('display: contents of the root');
    const inner = children.map((child, i) => layer(child, parent, `${name}.${i}`, boxes));
    return { name, type: 'frame', layout: { type: 'contents' }, children: inner };
  }
  const common: Properties = { name, visible, ...placement(element, parent) };
  if (!visible) return { ...common, name, type: 'frame' };

  const shown = children.filter((child) => child.style.display !== 'none');
  const edges = edgesOf(element);
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
    const layout = gridLayout(element);
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

const INTRINSIC = ['min-content', 'max-content', 'fit-content'];

/** Px or a percentage. */
function length(value: string | undefined, property: string): number | string {
  return isPercent(value) ? (value ?? '') : px(value, property);
}

/** Px, a percentage, a size by content, or `auto`, which is `hug`. */
function dimension(value: string | undefined, property: string): number | string {
  if (value === 'auto') return 'hug';
  if (INTRINSIC.includes(value ?? '')) return value ?? '';
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
    if (INTRINSIC.includes(String(size))) return size;
    return typeof size === 'number' ? size + extra(horizontal) : no('box-sizing: content-box');
  };
  const bound = (value: string | undefined, property: string, horizontal: boolean, none: string) => {
    if (value === none) return null;
    if (horizontal && INTRINSIC.includes(value ?? '')) return value ?? null;
    const limit = length(value, property);
    if (typeof limit === 'number') return limit + extra(horizontal);
    return extra(horizontal) === 0 ? limit : no('box-sizing: content-box');
  };

  const placed: Properties = {
    width: sized(style.width, 'width', true),
    height: sized(style.height, 'height', false),
    minWidth: bound(style['min-width'], 'min-width', true, 'auto'),
    minHeight: bound(style['min-height'], 'min-height', false, 'auto'),
    maxWidth: bound(style['max-width'], 'max-width', true, 'none'),
    maxHeight: bound(style['max-height'], 'max-height', false, 'none'),
    margin: SIDES.map((side) => {
      const margin = style[`margin-${side}`];
      return margin === 'auto' ? margin : length(margin, 'margin');
    }),
    aspectRatio: aspectRatio(style['aspect-ratio']),
  };
  if (placed.aspectRatio !== null && style['box-sizing'] === 'content-box' && around(true) + around(false) > 0) {
    no('aspect-ratio of the content box');
  }
  if (!parent) return placed;
  if (style.position === 'absolute') return { ...placed, ...absolute(element, parent) };
  if (style.position === 'relative' && SIDES.some((side) => style[side] !== 'auto')) {
    placed.position = 'relative';
    for (const side of SIDES) placed[side] = style[side] === 'auto' ? 'auto' : length(style[side], side);
  }
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
    ...gridSelves(style),
    ...gridPlaces(style),
  };
}

function aspectRatio(value: string | undefined): number | null {
  if (value === 'auto') return null;
  const [width = Number.NaN, height = 1] = (value ?? '').split('/').map(Number);
  // In CSS, a ratio with a zero counts as none.
  if (width === 0 || height === 0) return null;
  return Number.isFinite(width / height) ? width / height : no(`aspect-ratio: ${value}`);
}

function absolute({ style }: BrowserElement, parent: BrowserElement): Properties {
  if (parent.style.position === 'static') no('an absolute box in a static one');
  const placed: Properties = { position: 'absolute' };
  for (const side of SIDES) placed[side] = style[side] === 'auto' ? 'auto' : length(style[side], side);
  if (parent.style.display === 'flex') {
    const { 'align-self': own = '' } = style;
    return { ...placed, alignSelf: own === 'auto' ? 'auto' : alignment(own, parent.style) };
  }
  if (parent.style.display !== 'grid') return placed;
  // Of an absolute box, a line without another one reaches to the edge of its frame.
  for (const axis of ['column', 'row']) {
    const ends = [style[`grid-${axis}-start`], style[`grid-${axis}-end`]];
    if (ends.some((end) => end !== 'auto') && !ends.every((end) => /^-?\d+$/.test(end ?? ''))) {
      no('an area of an absolute box up to the edge');
    }
  }
  return { ...placed, ...gridSelves(style), ...gridPlaces(style) };
}

function edgesOf({ style }: BrowserElement): Properties {
  const border = (side: string) => ({ width: px(style[`border-${side}-width`], 'border'), color: '#000' });
  if (style['overflow-x'] !== style['overflow-y']) no('overflow of one axis');
  const overflow = style['overflow-x'] ?? 'visible';
  if (overflow !== 'visible' && overflow !== 'hidden') no(`overflow: ${overflow}`);
  return {
    clip: overflow === 'hidden',
    padding: SIDES.map((side) => length(style[`padding-${side}`], 'padding')),
    ...{ borderTop: border('top'), borderRight: border('right') },
    ...{ borderBottom: border('bottom'), borderLeft: border('left') },
  };
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
    'first baseline': 'baseline',
    'safe center': 'safe center',
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
  ['row-gap', 'column-gap'].map((name) => (style[name] === 'normal' ? 0 : length(style[name], 'gap')));

function gridLayout({ style }: BrowserElement): Properties {
  const areas = style['grid-template-areas'] ?? 'none';
  const rows = areas === 'none' ? null : [...areas.matchAll(/"([^"]*)"/g)].map(([, row = '']) => row);
  if (rows && typeof parseAreas(rows) === 'string') no('grid-template-areas');
  return {
    type: 'grid',
    columns: tracks(style['grid-template-columns'] ?? ''),
    rows: tracks(style['grid-template-rows'] ?? ''),
    gridTemplateAreas: rows,
    gridAutoFlow: style['grid-auto-flow'] === 'dense' ? 'row dense' : style['grid-auto-flow'],
    gridAutoColumns: autoTracks(style['grid-auto-columns'] ?? '') ?? ['auto'],
    gridAutoRows: autoTracks(style['grid-auto-rows'] ?? ''),
    gap: gaps(style),
    justifyContent: gridContent(style['justify-content']),
    alignContent: gridContent(style['align-content']),
    justifyItems: gridItems(style['justify-items']),
    align: gridItems(style['align-items']),
  };
}

/** Splits at spaces outside parentheses. */
const words = (list: string): readonly string[] => list.match(/[^\s()]+(?:\((?:[^()]|\([^()]*\))*\))?/g) ?? [];

function tracks(list: string): readonly string[] {
  if (list === '' || list === 'none') return [];
  if (list.includes('[')) no('a line by name');
  const all = words(list);
  const parsed = all.flatMap((track) => parseTracks(track) ?? no(`track: ${/^[a-z-]+/.exec(track)?.[0] ?? track}`));
  if (parsed.length > MAX_TRACKS) no('more tracks than a template may name');
  return all;
}

function autoTracks(list: string): readonly string[] | null {
  if (list === '') return null;
  const all = words(list);
  if (!all.every((track) => parseTrack(track) !== null)) no('grid-auto-rows or grid-auto-columns');
  return all;
}

function gridItems(value: string | undefined): string {
  const words: Record<string, string> = {
    ...{ normal: 'stretch', legacy: 'stretch', stretch: 'stretch', start: 'start', end: 'end', center: 'center' },
    ...{ 'flex-start': 'start', 'flex-end': 'end', 'safe center': 'safe center', 'safe end': 'safe end' },
    ...{ baseline: 'baseline', 'first baseline': 'baseline' },
  };
  return words[value ?? ''] ?? no(`alignment in a grid: ${value}`);
}

function gridContent(value: string | undefined): string {
  const words: Record<string, string> = {
    ...{ normal: 'stretch', stretch: 'stretch', start: 'start', end: 'end', center: 'center' },
    ...{ 'flex-start': 'start', 'flex-end': 'end', 'safe center': 'safe center', 'safe end': 'safe end' },
    ...{ 'space-between': 'space-between', 'space-around': 'space-around', 'space-evenly': 'space-evenly' },
  };
  return words[value ?? ''] ?? no(`alignment of tracks: ${value}`);
}

const gridSelf = (value: string | undefined) => (value === 'auto' ? 'auto' : gridItems(value));

function gridSelves(style: BrowserElement['style']): Properties {
  const justifySelf = gridSelf(style['justify-self']);
  if (justifySelf === 'baseline') no('baseline across columns');
  return { alignSelf: gridSelf(style['align-self']), justifySelf };
}

function gridPlaces(style: BrowserElement['style']): Properties {
  const ends = ['row-start', 'column-start', 'row-end', 'column-end'].map((end) => style[`grid-${end}`] ?? '');
  const isName = (value: string) => value !== 'auto' && /^[a-z_]/i.test(value) && !value.startsWith('span');
  if (ends.some(isName)) {
    if (!ends.every((end) => end === ends[0])) no('a line by name');
    return { gridArea: ends[0] };
  }
  return { gridColumn: gridPlace(style, 'column'), gridRow: gridPlace(style, 'row') };
}

function gridPlace(style: BrowserElement['style'], axis: 'column' | 'row'): string | null {
  const lines = `${style[`grid-${axis}-start`]} / ${style[`grid-${axis}-end`]}`;
  if (lines === 'auto / auto') return null;
  return parseLines(lines) ? lines : no('more tracks than a template may name');
}
