// Where a box is: its sizes, margins and padding, and how it takes part in flex, grid and pages, from the style of its
// element.

import { PLAIN_FRAME, PLAIN_NODE } from '../resolve/plain-node.ts';
import { WHOLE } from '../resolve/resolve-pages.ts';
import { resolveCorners, resolveEdges } from '../resolve/resolve-style.ts';
import type {
  Columns,
  ContentAlignment,
  Dimension,
  FlexLayout,
  Fragmentation,
  FrameNode,
  GridLayout,
  GridTrack,
  Inset,
  Intrinsic,
  Length,
  Placement,
  RelativeSizes,
  SceneNode,
  Sides,
  TrackRepeat,
} from '../resolve/scene.ts';
import { parseAreas, parseLines, parseTracks } from '../template/grid-syntax.ts';
import { asLength, parseCompared, parseMixed } from './lengths.ts';
import { borderOf } from './paint-style.ts';
import { eachSide, evenly, SIDES, splitValue, tableOf } from './shorthands.ts';
import { keyword, type Style } from './style.ts';

type Borders = Pick<FrameNode, 'border' | 'sideBorders'>;

export const NO_EDGES = resolveEdges(0);
export const NO_CORNERS = resolveCorners(0);

/** Where a box is that says nothing of it. */
export const IN_FLOW: Placement = { ...PLAIN_NODE.placement, absolute: false };
/** A block in a box, which keeps to itself. */
export const innerBlock = (name: string, children: readonly SceneNode[], placement = IN_FLOW): FrameNode => ({
  ...{ ...PLAIN_FRAME, name, layout: { type: 'block', isRoot: true }, children, placement },
});

export const px = (value: number) => ({ kind: 'px', value }) as const;

/** px and percentages of a property of each side; null = no side has any. */
function edges(style: Style, name: 'margin' | 'padding') {
  const values = eachSide((side) => style.word(`${name}-${side}`));
  const mixed = eachSide((side) => (/^(auto)?$/.test(values[side]) ? null : parseMixed(values[side], style.units)));
  return {
    px: eachSide((side) => mixed[side]?.px ?? 0),
    percent: SIDES.some((side) => mixed[side]?.percent) ? eachSide((side) => mixed[side]?.percent || null) : null,
    auto: SIDES.some((side) => values[side] === 'auto') ? eachSide((side) => values[side] === 'auto') : null,
  };
}

const intrinsicOf = (value: string): Intrinsic | null => {
  const word = value.toLowerCase().replace(/^-(webkit|moz)-/, '');
  if (word === 'min-content' || word === 'max-content') return { kind: word };
  return /^fit-content/.test(word) ? { kind: 'fit-content' } : null;
};

/** How a box is laid out by what it is in. */
export interface Surroundings {
  /** Of the parent's boxes: below each other in a block, or as items of a flex or grid. */
  readonly within: 'block' | 'flex' | 'grid' | 'line' | 'cells';
  /** Whether a width that is not given fills the parent: not that of a picture, a table or a float. */
  readonly fills: boolean;
  /** px of border and padding on each axis, where sizes do not have them in. */
  readonly rigid: { readonly width: number; readonly height: number };
}

export const clearOf = (style: Style): Placement['clear'] =>
  keyword(style.word('clear'), ['left', 'right', 'both'], undefined);

export function placementOf(style: Style, { within, fills, rigid }: Surroundings): Placement {
  const isContentBox = style.word('box-sizing') !== 'border-box';
  const extra = (property: string) => (isContentBox ? (/width/.test(property) ? rigid.width : rigid.height) : 0);
  const [margin, padding] = [edges(style, 'margin'), edges(style, 'padding')];
  const position = style.word('position');
  const { isOut } = style;
  const compared = parseCompared(style.get('width'), style.units);
  const dimension = (property: 'width' | 'height'): Dimension => {
    const mixed = (property === 'width' && compared?.value) || style.mixed(property);
    if (mixed) {
      const px = mixed.px + extra(property);
      if (mixed.percent !== 0) return { kind: 'percent', value: mixed.percent, ...(px !== 0 && { plus: px }) };
      return { kind: 'px', value: Math.max(0, px) };
    }
    return property === 'width' && fills && !intrinsicOf(style.get('width')) ? { kind: 'fill' } : { kind: 'hug' };
  };
  const limit = (property: string): { px: number | null; length: Length | Intrinsic | null } => {
    const value = style.get(property);
    const intrinsic = /width/.test(property) ? intrinsicOf(value) : null;
    if (intrinsic) return { px: null, length: intrinsic };
    const between = parseCompared(value, style.units);
    if (between?.most && property === 'max-width') return { px: between.most + extra(property), length: null };
    const mixed = style.mixed(property);
    if (!mixed) return { px: null, length: null };
    if (mixed.percent === 0) return { px: Math.max(0, mixed.px + extra(property)), length: null };
    return { px: null, length: asLength({ ...mixed, px: mixed.px + extra(property) }) };
  };
  const [minWidth, maxWidth, minHeight, maxHeight] = ['min-width', 'max-width', 'min-height', 'max-height'].map(limit);
  const basis = style.word('flex-basis');
  const [width, height] = [dimension('width'), dimension('height')];
  const relative: RelativeSizes = {
    margin: margin.percent,
    padding: padding.percent,
    ...(padding.percent && isContentBox && { isOutside: true }),
    width: width.kind === 'hug' ? intrinsicOf(style.get('width')) : null,
    height: height.kind === 'hug' ? intrinsicOf(style.get('height')) : null,
    flexBasis: intrinsicOf(basis),
    minWidth: minWidth?.length ?? null,
    maxWidth: maxWidth?.length ?? null,
    minHeight: (minHeight?.length as Length | null) ?? null,
    maxHeight: (maxHeight?.length as Length | null) ?? null,
  };
  const isRelative = Object.values(relative).some((value) => value !== null);
  const inset = insetOf(style);
  const float = keyword(style.word('float'), ['left', 'right'], null);
  const clear = clearOf(style);
  const mixedBasis = style.mixed('flex-basis');
  const given: Placement['flexBasis'] = mixedBasis && {
    ...(mixedBasis.percent === 0
      ? { kind: 'px', value: mixedBasis.px + extra('width') }
      : { kind: 'percent', value: mixedBasis.percent, plus: extra('width') }),
  };
  return {
    ...PLAIN_NODE.placement,
    width,
    height,
    absolute: isOut,
    inset: isOut ? (inset ?? evenly(null)) : position === 'relative' ? inset : null,
    ...(position === 'sticky' && inset && { sticky: inset }),
    autoMargins: margin.auto,
    relative: isRelative ? relative : null,
    minWidth: tighter(Math.max, minWidth?.px, compared?.least, extra('width')),
    maxWidth: tighter(Math.min, maxWidth?.px, compared?.most, extra('width')),
    minHeight: minHeight?.px ?? null,
    maxHeight: maxHeight?.px ?? null,
    aspectRatio: ratioOf(style),
    flexGrow: style.number('flex-grow') ?? 0,
    flexShrink: within === 'flex' ? (style.number('flex-shrink') ?? 1) : 0,
    flexBasis: given ?? (basis === 'content' ? { kind: 'hug' } : null),
    alignSelf: selfAlignment(style.word('align-self')),
    justifySelf: selfAlignment(style.word('justify-self')) as Placement['justifySelf'],
    grid: gridPlace(style, isOut),
    margin: margin.px,
    ...(float && within === 'block' && !isOut && { float }),
    ...(clear && { clear }),
  };
}

/** Of a limit and of what a width is compared with, px without `extra`, the one that holds. */
function tighter(
  choose: (a: number, b: number) => number,
  own: number | null | undefined,
  other: number | null | undefined,
  extra: number,
): number | null {
  if (other === null || other === undefined) return own ?? null;
  return own === null || own === undefined ? other + extra : choose(own, other + extra);
}

export const paddingOf = (style: Style): Sides<number> => edges(style, 'padding').px;

export function insetOf(style: Style): Inset | null {
  const sides = eachSide((side) => {
    const mixed = style.mixed(side);
    return mixed && asLength(mixed);
  });
  return SIDES.some((side) => sides[side]) ? sides : null;
}

function ratioOf(style: Style): number | null {
  const [, width, height = '1'] = /^(?:auto\s+)?([\d.]+)\s*(?:\/\s*([\d.]+))?/.exec(style.get('aspect-ratio')) ?? [];
  const ratio = width === undefined ? 0 : Number(width) / Number(height);
  return ratio > 0 && Number.isFinite(ratio) ? ratio : null;
}

const ALIGNMENTS = tableOf({
  'flex-start': 'start',
  'flex-end': 'end',
  'self-start': 'start',
  'self-end': 'end',
  left: 'start',
  right: 'end',
  'first baseline': 'baseline',
  'last baseline': 'baseline',
  normal: 'stretch',
});

const IN_ITS_AREA = ['start', 'center', 'end', 'safe center', 'safe end', 'stretch'] as const;
const OF_ITEMS = [...IN_ITS_AREA, 'baseline'] as const;
const OF_CONTENT = [...IN_ITS_AREA, 'space-between', 'space-around', 'space-evenly'] as const;

const selfAlignment = (word: string) => keyword(ALIGNMENTS.get(word) ?? word, OF_ITEMS, 'auto');
const contentAlignment = (word: string, initial: ContentAlignment): ContentAlignment =>
  word === 'normal' ? initial : keyword(ALIGNMENTS.get(word) ?? word, OF_CONTENT, initial);

function gaps(style: Style): Pick<FlexLayout, 'rowGap' | 'columnGap' | 'percentGaps'> {
  const [row, column] = [style.mixed('row-gap'), style.mixed('column-gap')];
  const percentGaps =
    row?.percent || column?.percent ? { row: row?.percent || null, column: column?.percent || null } : null;
  return { rowGap: row?.px ?? 0, columnGap: column?.px ?? 0, percentGaps };
}

/** CSS Multi-column Layout 1, 3; null = it has no columns. */
export function columnsOf(style: Style): Columns | null {
  const [count, width] = [style.number('column-count'), style.mixed('column-width')];
  if (count === null && width === null) return null;
  const gap = style.mixed('column-gap');
  return {
    count: count === null ? null : Math.max(1, Math.min(1_000_000, Math.round(count))),
    width: width && Math.max(1, width.px),
    gap: gap ? asLength(gap) : { kind: 'px', value: style.fontSize },
    rule: borderOf(style, 'left', 'column-rule'),
    isBalanced: style.word('column-fill') !== 'auto',
  };
}

export function flexOf(style: Style): FlexLayout {
  const justify = contentAlignment(style.word('justify-content'), 'start');
  const align = selfAlignment(style.word('align-items'));
  return {
    type: 'flex',
    direction: keyword(style.word('flex-direction'), ['row', 'row-reverse', 'column', 'column-reverse'], 'row'),
    wrap: keyword(style.word('flex-wrap'), ['wrap', 'wrap-reverse'], 'nowrap'),
    ...gaps(style),
    justify: justify === 'stretch' ? 'start' : justify,
    align: align === 'auto' ? 'stretch' : align,
    alignContent: contentAlignment(style.word('align-content'), 'stretch'),
  };
}

export function gridOf(style: Style): GridLayout {
  const areas = parseAreas(
    [...style.get('grid-template-areas').matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, a, b]) => a ?? b ?? ''),
  );
  const flow = style.word('grid-auto-flow');
  const justifyItems = selfAlignment(style.word('justify-items'));
  const align = selfAlignment(style.word('align-items'));
  const autos = (property: string) => {
    const tracks = tracksOf(style, property).filter((track): track is GridTrack => track.kind !== 'repeat');
    return tracks.length > 0 ? tracks : [{ kind: 'hug' } as const];
  };
  return {
    type: 'grid',
    columns: tracksOf(style, 'grid-template-columns'),
    rows: tracksOf(style, 'grid-template-rows'),
    autoColumns: autos('grid-auto-columns'),
    autoRows: autos('grid-auto-rows'),
    flow: /column/.test(flow) ? 'column' : 'row',
    dense: /dense/.test(flow),
    areas: typeof areas === 'string' || areas.rows === 0 ? null : areas,
    ...gaps(style),
    justifyContent: contentAlignment(style.word('justify-content'), 'stretch'),
    alignContent: contentAlignment(style.word('align-content'), 'stretch'),
    justifyItems: justifyItems === 'auto' || justifyItems === 'baseline' ? 'stretch' : justifyItems,
    align: align === 'auto' ? 'stretch' : align,
  };
}

function tracksOf(style: Style, property: string): readonly (GridTrack | TrackRepeat)[] {
  const value = style.get(property);
  if (value === '' || /^(none|auto)$/i.test(value)) return [];
  const tracks = splitValue(value.replace(/\[[^[\]]*\]/g, ' ')).map((entry) => {
    // Lengths in other units become px.
    const inPx = entry.replace(/[+-]?[\d.]+(?:[a-z]+|%)?|calc\([^()]*\)/gi, (text) => {
      if (/(fr|px|%)$|^\d+$/i.test(text)) return text.replace(/^([+-]?)\./, '$10.');
      const mixed = parseMixed(text, style.units);
      if (!mixed) return text;
      return mixed.percent !== 0 && mixed.px === 0 ? `${mixed.percent}%` : `${Number(mixed.px.toFixed(4))}px`;
    });
    return parseTracks(inPx.toLowerCase().replace(/minmax\(\s*0\s*,/g, 'minmax(0px,'));
  });
  if (tracks.some((track) => track === null)) {
    style.lost(property, value);
    return [];
  }
  return tracks.flatMap((track) => track ?? []);
}

/** The numbers of the lines that have names, from 1: `[full-start] 1fr [full-end]`. */
function lineNames(style: Style, property: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const value = style.get(property);
  if (!value.includes('[')) return found;
  let line = 1;
  for (const part of splitValue(
    value.replace(/\[([^[\]]*)\]/g, (_, names: string) => ` [${names.trim().replace(/\s+/g, '|')}] `),
  )) {
    const [, names] = /^\[(.*)\]$/.exec(part) ?? [];
    if (names === undefined) {
      const [, times, inside = ''] = /^repeat\(\s*(\d+)\s*,(.*)\)$/i.exec(part) ?? [];
      line += times === undefined ? 1 : Number(times) * splitValue(inside.replace(/\[[^[\]]*\]/g, ' ')).length;
    } else for (const name of names.split('|')) if (!found.has(name)) found.set(name, line);
  }
  return found;
}

/** What is placed absolutely reaches from one line to the edge (CSS Grid 1, 9.1). */
const TO_THE_EDGE = 10_000;

function gridPlace(style: Style, isOut: boolean): Placement['grid'] {
  const area = style.get('grid-area');
  const parts = splitValue(area, '/');
  const isNamed = parts.length === 1 && /^[a-z_-][\w-]*$/i.test(area) && !/^auto$/i.test(area);
  const axis = (name: 'column' | 'row', first: number) => {
    const names = style.parent && lineNames(style.parent, `grid-template-${name}s`);
    const line = (end: 'start' | 'end', i: number) => {
      const word = style.get(`grid-${name}-${end}`) || (isNamed ? 'auto' : parts[i] || 'auto');
      if (!names?.size || /^(auto|span\b.*|-?\d+)$/i.test(word)) return word;
      return String(names.get(`${word}-${end}`) ?? names.get(word) ?? 'auto');
    };
    const lines = parseLines(`${line('start', first)} / ${line('end', first + 2)}`);
    return lines ?? { first: null, span: null, start: null, end: null };
  };
  const [column, row] = [axis('column', 1), axis('row', 0)];
  const isOpen = isNamed || [column, row].some(({ start, end }) => start !== null || end !== null);
  return {
    column: column.first,
    row: row.first,
    columnSpan: column.span ?? (isOut && column.first !== null ? TO_THE_EDGE : 1),
    rowSpan: row.span ?? (isOut && row.first !== null ? TO_THE_EDGE : 1),
    lines: isOpen
      ? {
          ...{ area: isNamed ? area : null, columnStart: column.start, columnEnd: column.end },
          ...{ rowStart: row.start, rowEnd: row.end },
        }
      : null,
  };
}

/** px of each side. */
export const sideWidths = ({ border, sideBorders }: Borders): Sides<number> =>
  eachSide((side) => (sideBorders ? sideBorders[side] : border)?.width ?? 0);

/** px of border and padding on each axis. */
export function rigidOf(padding: Sides<number>, borders: Borders): Surroundings['rigid'] {
  const { top, right, bottom, left } = sideWidths(borders);
  return { width: padding.left + padding.right + left + right, height: padding.top + padding.bottom + top + bottom };
}

/** How a box takes part in pages and columns (CSS Fragmentation 4, 3). */
export function breaksOf(style: Style): Fragmentation {
  const of = (property: string): Fragmentation['before'] => {
    const value = style.word(property);
    if (value === 'column') return 'column';
    return /^(page|always|all|left|right|recto|verso)$/.test(value) ? 'page' : /^avoid/.test(value) ? 'avoid' : 'auto';
  };
  const [before, after] = [of('break-before'), of('break-after')];
  const avoidsInside = /^avoid/.test(style.word('break-inside'));
  const spansColumns = style.word('column-span') === 'all' && style.word('float') === 'none';
  const isPlain = before === 'auto' && after === 'auto' && !avoidsInside && !spansColumns;
  const clones = ['', '-webkit-'].some((prefix) => style.word(`${prefix}box-decoration-break`) === 'clone');
  const page = style.get('page');
  const named = page === '' || /^auto$/i.test(page) ? null : page;
  if (isPlain && !clones && named === null) return WHOLE;
  const spans = spansColumns ? { spansColumns } : {};
  return { ...WHOLE, before, after, avoidsInside, clones, page: named, ...spans };
}
