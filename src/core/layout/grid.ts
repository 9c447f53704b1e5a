// Lays out a grid frame at a known width: CSS Grid 1 without named lines (`hug` is CSS's `auto`).
//
// Columns are sized first; they give the heights of the children, and those the rows.

import type { Size } from '../geometry.ts';
import type { ContentAlignment, Dimension, GridLayout, GridTrack, SceneNode } from '../resolve/scene.ts';
import {
  bordered,
  contentOrigin,
  type GridFrame,
  hasAutoMargin,
  limits,
  marginsAlong,
  percentOf,
  rigidSize,
  shiftOf,
} from './axis.ts';
import { borderWidths } from './border-box.ts';
import { contribution } from './flex-lines.ts';
import {
  type BoxSize,
  type Flow,
  type Fragment,
  fitContent,
  type IntrinsicWidths,
  LazyWidths,
  leastWidth,
  type PlacedFragment,
} from './fragment.ts';
import { allTracks, COLUMNS, type Extent, explicitTracks, ROWS, requestOf, withoutEmpty } from './grid-lines.ts';
import { type GridArea, type GridRequest, placeInGrid } from './grid-placement.ts';
import { sizeTracks, type TrackItem, type TrackRoom } from './grid-tracks.ts';
import { withGaps } from './settle.ts';

interface Item {
  readonly node: SceneNode;
  readonly area: GridArea;
}

/** The intrinsic widths of a grid frame's border box. */
export function gridWidths(flow: Flow, frame: GridFrame): IntrinsicWidths {
  const grid = placeItems(flow, frame, { width: null, height: null });
  const rigid = rigidSize(frame, true);
  const { columnGap } = frame.layout;
  const widest = columnSizes(flow, frame, grid, 'max-content');
  const gaps = columnGap * Math.max(0, widest.length - 1);
  const max = sum(widest) + gaps;
  return new LazyWidths(rigid + max, () => {
    return rigid + Math.min(max, sum(columnSizes(flow, frame, grid, 'min-content')) + gaps);
  });
}

/** Lays out a grid frame; a height that is not given keeps the frame's minimum and maximum. */
export function layOutGrid(flow: Flow, given: GridFrame, box: BoxSize): Fragment {
  const rigid = { width: rigidSize(given, true), height: rigidSize(given, false) };
  const room = {
    width: Math.max(0, box.width - rigid.width),
    height: box.height === null ? null : Math.max(0, box.height - rigid.height),
  };
  const frame = withGaps(given, room);
  const { layout } = frame;
  const grid = placeItems(flow, frame, room);
  const { items } = grid;
  const columns = alignedTracks(
    columnSizes(flow, frame, grid, room.width),
    room.width,
    layout.columnGap,
    layout.justifyContent,
  );
  const widthOf = (area: GridArea) => extent(columns.sizes, area.column, area.columnSpan, columns.gap);
  const natural = items.map((item) => layOutItem(flow, frame, grid, item, widthOf(item.area), null));

  const shims = baselineShims(flow, layout, items, natural);
  const rowItems = items.map((item, i): TrackItem => {
    const { area } = item;
    const { rowSpan } = area;
    const node = flow.settled(item.node, frame, { width: widthOf(area), height: null });
    const height = (natural[i]?.size.height ?? 0) + marginsAlong(node.placement, false) + (shims?.[i] ?? 0);
    const isShared = rowSpan > 1 && grid.rows.slice(area.row, area.row + rowSpan).some(isFr);
    const minimum = (most: number) => minimumContribution(flow, node, false, isShared, height, most);
    return { first: area.row, span: rowSpan, size: { min: height, max: height }, minimum };
  });
  const isStretched = layout.alignContent === 'stretch';
  const rowSizes = sizeTracks(grid.rows, rowItems, layout.rowGap, room.height ?? 'indefinite', isStretched);
  const rows = alignedTracks(rowSizes, room.height, layout.rowGap, layout.alignContent);

  const origin = contentOrigin(frame);
  const lefts = starts(columns);
  const tops = starts(rows);
  const isRtl = frame.direction === 'rtl';
  const children = items.map(({ node, area }, i): PlacedFragment => {
    const width = widthOf(area);
    const height = extent(rows.sizes, area.row, area.rowSpan, rows.gap);
    const own = flow.settled(node, frame, { width, height });
    const fragment = stretchedDown(flow, frame, grid, { node, area }, natural[i] as Fragment, { width, height });
    const left = lefts[area.column] ?? 0;
    const top = tops[area.row] ?? 0;
    const { margin, autoMargins } = own.placement;
    const across = width - fragment.size.width - margin.left - margin.right;
    const down = height - fragment.size.height - margin.top - margin.bottom;
    const aligned = shareOf(justificationOf(flow, layout, own), across);
    const share =
      autoMargins && across > 0 && hasAutoMargin(own.placement, true)
        ? autoShare(autoMargins.left, autoMargins.right)
        : isRtl
          ? 1 - aligned
          : aligned;
    const downShare =
      autoMargins && down > 0 && hasAutoMargin(own.placement, false)
        ? autoShare(autoMargins.top, autoMargins.bottom)
        : shareOf(alignmentOf(flow, layout, own), down);
    const x = (isRtl ? room.width - left - width : left) + margin.left + across * share;
    const y = top + margin.top + (shims?.[i] ?? down * downShare);
    const shift = shiftOf(own.placement, frame.direction, width, height);
    return { node, settled: own, fragment, x: origin.x + x, y: origin.y + y, shift };
  });

  const content = extent(rows.sizes, 0, rows.sizes.length, rows.gap) + rigid.height;
  const height = box.height ?? (box.isUnbounded ? content : bordered(frame, false, content));
  // A minimum or maximum changes the height, and the rows share the new one as if it were given. Percentages, and `fr`
  // that sum to less than 1, are resolved again too: against the height that the rows came to while it was unknown.
  const isAgain =
    Math.abs(height - content) > TOLERANCE || takesPart(grid.rows) || (layout.percentGaps?.row ?? null) !== null;
  if (box.height === null && isAgain) return layOutGrid(flow, frame, { ...box, height });
  const first = firstOf(flow, frame, items);
  const child = first === null ? null : children[first];
  const baseline = child ? child.y + (child.fragment.baseline ?? child.fragment.size.height) : null;
  const areas = areasOf(frame, grid, { columns, rows }, { width: room.width, height: height - rigid.height });
  return { size: { width: box.width, height }, baseline, children, areas };
}

/** The share of the free space that lies before a box between two margins of which at least one is `auto`. */
function autoShare(before: boolean, after: boolean): number {
  return before && after ? 0.5 : before ? 1 : 0;
}

/** Section 10.1: the areas of absolutely placed children; a side that names no line is that of the padding box. */
function areasOf(
  frame: GridFrame,
  grid: PlacedGrid,
  { columns, rows }: { readonly columns: AlignedTracks; readonly rows: AlignedTracks },
  content: Size,
): Fragment['areas'] {
  const asked = frame.children.filter(({ placement: { absolute, grid: own } }) => {
    return absolute && (own.column !== null || own.row !== null || own.lines !== null);
  });
  if (asked.length === 0) return undefined;
  const origin = contentOrigin(frame);
  const border = borderWidths(frame);
  const [lefts, tops] = [starts(columns), starts(rows)];
  // A line beyond the grid's own counts as none: that side is the edge of the padding box.
  const along = (first: number | null, span: number, tracks: AlignedTracks, at: readonly number[], edges: Span) => {
    const endOf = (i: number) => (at[i] ?? 0) + (tracks.sizes[i] ?? 0);
    const last = tracks.sizes.length - 1;
    const inside = (line: number) => line >= 0 && line <= last + 1;
    const start = first === null || !inside(first) ? edges.start : (at[first] ?? endOf(last));
    const end = first === null || !inside(first + span) ? edges.end : endOf(first + span - 1);
    return { start, size: Math.max(0, end - start) };
  };
  const across = {
    start: border.left - origin.x,
    end: content.width + rigidSize(frame, true) - border.right - origin.x,
  };
  const down = {
    start: border.top - origin.y,
    end: content.height + rigidSize(frame, false) - border.bottom - origin.y,
  };
  const isRtl = frame.direction === 'rtl';
  // From the right, columns start at the content box's right edge.
  const fromRight = { start: content.width - across.end, end: content.width - across.start };
  return new Map(
    asked.map((node) => {
      const request = grid.requestOf(node);
      const x = along(request.column, request.columnSpan, columns, lefts, isRtl ? fromRight : across);
      const y = along(request.row, request.rowSpan, rows, tops, down);
      const left = isRtl ? content.width - x.start - x.size : x.start;
      return [node, { x: origin.x + left, y: origin.y + y.start, width: x.size, height: y.size }];
    }),
  );
}

/** From the content box's start, px. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The children in their cells, and the tracks of both axes, with those that the grid adds. */
interface PlacedGrid {
  readonly items: readonly Item[];
  readonly columns: readonly GridTrack[];
  readonly rows: readonly GridTrack[];
  /** The tracks that a child asks for, counted from the first of all. */
  readonly requestOf: (node: SceneNode) => GridRequest;
}

/** A grid's content box as far as it is known, px. */
interface GridRoom {
  readonly width: number | null;
  readonly height: number | null;
}

function placeItems(flow: Flow, frame: GridFrame, room: GridRoom): PlacedGrid {
  const { layout } = frame;
  const nodes = flow.items(frame);
  const columns = explicitTracks(layout.columns, layout.columnGap, extentAlong(frame, true, room.width));
  const rows = explicitTracks(layout.rows, layout.rowGap, extentAlong(frame, false, room.height));
  const explicit = {
    columns: Math.max(columns.tracks.length, layout.areas?.columns ?? 0),
    rows: Math.max(rows.tracks.length, layout.areas?.rows ?? 0),
  };
  const requests = nodes.map(({ placement }) => requestOf(placement.grid, layout, explicit));
  const across = layout.flow === 'row' ? explicit.columns : explicit.rows;
  // A flow by columns adds rows as a flow by rows does: there is always a row for what names one.
  const open = layout.flow === 'column' || layout.autoColumns !== null;
  const areas = placeInGrid(requests, across, { flow: layout.flow, dense: layout.dense, open });
  const items = nodes.flatMap((node, i) => {
    const area = areas[i];
    return area ? [{ node, area }] : [];
  });
  const all = {
    columns: allTracks(columns.tracks, explicit.columns, layout.autoColumns, items, COLUMNS),
    rows: allTracks(rows.tracks, explicit.rows, layout.autoRows, items, ROWS),
  };
  if (all.columns.before === 0 && all.rows.before === 0 && !columns.fitted && !rows.fitted) {
    const requestIn = ({ placement }: SceneNode) => requestOf(placement.grid, layout, explicit);
    return { items, columns: all.columns.tracks, rows: all.rows.tracks, requestOf: requestIn };
  }
  const lessColumns = withoutEmpty(all.columns, columns.fitted, items, COLUMNS);
  const lessRows = withoutEmpty(all.rows, rows.fitted, items, ROWS);
  return {
    items: items.map(({ node, area }) => ({
      node,
      area: {
        column: lessColumns.placeOf(area.column),
        row: lessRows.placeOf(area.row),
        columnSpan: lessColumns.placeOf(area.column + area.columnSpan) - lessColumns.placeOf(area.column),
        rowSpan: lessRows.placeOf(area.row + area.rowSpan) - lessRows.placeOf(area.row),
      },
    })),
    columns: lessColumns.tracks,
    rows: lessRows.tracks,
    requestOf: ({ placement }) => {
      const { column, row, ...spans } = requestOf(placement.grid, layout, explicit);
      return {
        column: column === null ? null : lessColumns.placeOf(column),
        row: row === null ? null : lessRows.placeOf(row),
        ...spans,
      };
    },
  };
}

function extentAlong(frame: GridFrame, horizontal: boolean, size: number | null): Extent {
  const { min, max } = limits(frame.placement, horizontal);
  const rigid = rigidSize(frame, horizontal);
  return { size, least: Math.max(0, (min ?? 0) - rigid), most: Math.max(0, max - rigid) };
}

function columnSizes(flow: Flow, { layout }: GridFrame, grid: PlacedGrid, room: TrackRoom): readonly number[] {
  const trackItems = grid.items.map((item): TrackItem => {
    const node = flow.settled(item.node, null, UNKNOWN);
    const { column, columnSpan } = item.area;
    const size = contribution(flow, node, false);
    const isShared = columnSpan > 1 && grid.columns.slice(column, column + columnSpan).some(isFr);
    const minimum = (most: number) => minimumContribution(flow, node, true, isShared, size.min, most);
    return { first: column, span: columnSpan, size, minimum };
  });
  return sizeTracks(grid.columns, trackItems, layout.columnGap, room, layout.justifyContent === 'stretch');
}

/**
 * How far each child that is aligned by its baseline moves down from the top of its row, so that the baselines of a row
 * meet, px; undefined for the others. Null if there are none.
 */
function baselineShims(
  flow: Flow,
  layout: GridLayout,
  items: readonly Item[],
  fragments: readonly Fragment[],
): readonly (number | undefined)[] | null {
  const isAligned = items.map(({ node }) => alignmentOf(flow, layout, node) === 'baseline');
  if (!isAligned.includes(true)) return null;
  const farthest = new Map<number, number>();
  const reaches = items.map(({ node, area }, i) => {
    const { baseline = null, size } = fragments[i] ?? {};
    const reach = node.placement.margin.top + (baseline ?? size?.height ?? 0);
    if (isAligned[i]) farthest.set(area.row, Math.max(farthest.get(area.row) ?? Number.NEGATIVE_INFINITY, reach));
    return reach;
  });
  return items.map(({ area }, i) => (isAligned[i] ? (farthest.get(area.row) ?? 0) - (reaches[i] ?? 0) : undefined));
}

/** The child that gives a grid its baseline: in the first row, the first that is aligned by it, or else the first. */
function firstOf(flow: Flow, { layout }: GridFrame, items: readonly Item[]): number | null {
  const inFirst = items.flatMap(({ area }, i) => (area.row === 0 ? [i] : []));
  const aligned = inFirst.find((i) => {
    const node = items[i]?.node;
    return node && alignmentOf(flow, layout, node) === 'baseline';
  });
  return aligned ?? inFirst[0] ?? null;
}

/** Whether tracks take a fraction of their grid's size, which may itself come from the tracks. */
function takesPart(tracks: readonly GridTrack[]): boolean {
  const shares = tracks.flatMap((track) => shareOfTrack(track) ?? []);
  return tracks.some(isPart) || (shares.length > 0 && sum(shares) < 1);
}

function isPart(track: GridTrack): boolean {
  if (track.kind === 'minmax') return track.min.kind === 'percent' || track.max.kind === 'percent';
  return track.kind === 'percent' || (track.kind === 'fit-content' && track.limit.kind === 'percent');
}

function shareOfTrack(track: GridTrack): number | null {
  if (track.kind === 'fr') return track.value;
  return track.kind === 'minmax' && track.max.kind === 'fr' ? track.max.value : null;
}

const isAutoAtLeast = (track: GridTrack): boolean =>
  track.kind === 'minmax' ? track.min.kind === 'hug' : track.kind === 'hug' || track.kind === 'fr';

const isFr = (track: GridTrack) => shareOfTrack(track) !== null;

/**
 * The minimum contribution of a child, margins included (CSS Grid 1, section 6.6). A size that is not given in px
 * counts as its minimum. The automatic minimum is 0 for content that may be clipped or shrunk, and for a child that
 * spans several tracks of which one is `fr`.
 *
 * @param smallest the smallest margin box that its content allows
 * @param most what its tracks hold at most, which an automatic minimum does not exceed
 */
function minimumContribution(
  flow: Flow,
  node: SceneNode,
  horizontal: boolean,
  isShared: boolean,
  smallest: number,
  most: number,
): number {
  const size = horizontal ? node.placement.width : node.placement.height;
  const { min } = limits(node.placement, horizontal);
  if (size.kind === 'px') return smallest;
  if (min === null && !isShared && flow.keepsWhole(node)) {
    return Math.min(smallest, Math.max(most, marginsAlong(node.placement, horizontal) + rigidSize(node, horizontal)));
  }
  return marginsAlong(node.placement, horizontal) + Math.max(min ?? 0, rigidSize(node, horizontal));
}

/** Lays out a child in its columns, at its own height (`down` is null) or at that of its rows. */
function layOutItem(
  flow: Flow,
  frame: GridFrame,
  grid: PlacedGrid,
  item: Item,
  across: number,
  down: number | null,
): Fragment {
  const { layout } = frame;
  const node = flow.settled(item.node, frame, { width: across, height: down });
  const { placement } = node;
  const { margin } = placement;
  const areaWidth = Math.max(0, across - margin.left - margin.right);
  const areaHeight = down === null ? null : Math.max(0, down - margin.top - margin.bottom);
  const stretchesDown = alignmentOf(flow, layout, node) === 'stretch' && isAuto(placement.height);
  const givenHeight = lengthOf(placement.height, down) ?? (stretchesDown ? areaHeight : null);
  const height = givenHeight === null ? null : bordered(node, false, givenHeight);

  const stretchesAcross = justificationOf(flow, layout, node) === 'stretch' && isAuto(placement.width);
  const ratio = node.type === 'image' || node.type === 'code' ? null : placement.aspectRatio;
  if (ratio !== null && isAuto(placement.width) && isAuto(placement.height) && (stretchesAcross || stretchesDown)) {
    // Its rows' height by the ratio is its automatic minimum, where it has one (section 6.6).
    const { column, columnSpan } = item.area;
    const hasMinimum = flow.keepsWhole(node) && grid.columns.slice(column, column + columnSpan).some(isAutoAtLeast);
    const byRatio = stretchesDown && (hasMinimum || !stretchesAcross) ? (areaHeight ?? 0) * ratio : 0;
    const most = limits(placement, false).max * ratio;
    const wide = Math.min(most, Math.max(stretchesAcross ? areaWidth : 0, byRatio));
    return flow.layOut(node, { width: bordered(node, true, wide), height: null, hugs: false });
  }
  const given = lengthOf(placement.width, Math.max(0, across)) ?? (stretchesAcross ? areaWidth : null);
  const content = () => fitContent(flow.contentWidths(node, height), areaWidth);
  const wide = Math.max(leastWidth(flow, node), bordered(node, true, given ?? content()));
  return flow.layOut(node, { width: wide, height, hugs: given === null });
}

function stretchedDown(
  flow: Flow,
  frame: GridFrame,
  grid: PlacedGrid,
  item: Item,
  natural: Fragment,
  { width, height }: Size,
): Fragment {
  const stretched = layOutItem(flow, frame, grid, item, width, height);
  return Math.abs(stretched.size.height - natural.size.height) < TOLERANCE ? natural : stretched;
}

function justificationOf(flow: Flow, layout: GridLayout, node: SceneNode): GridLayout['justifyItems'] {
  const { justifySelf, width } = node.placement;
  if (width.kind === 'fill') return 'stretch';
  if (hasAutoMargin(node.placement, true)) return 'start';
  if (justifySelf !== 'auto') return justifySelf;
  return keepsOwnSize(flow, layout.justifyItems, node, node.placement.height) ? 'start' : layout.justifyItems;
}

function alignmentOf(flow: Flow, layout: GridLayout, node: SceneNode): GridLayout['align'] {
  const { alignSelf, height } = node.placement;
  if (height.kind === 'fill') return 'stretch';
  if (hasAutoMargin(node.placement, false)) return 'start';
  if (alignSelf !== 'auto') return alignSelf;
  return keepsOwnSize(flow, layout.align, node, node.placement.width) ? 'start' : layout.align;
}

/** A picture with proportions of its own is not stretched out of them, nor a box whose other side has a size. */
function keepsOwnSize(flow: Flow, wanted: string, node: SceneNode, other: Dimension): boolean {
  if (wanted !== 'stretch' || !flow.keepsRatio(node)) return false;
  return node.type === 'image' || node.type === 'code' || !isAuto(other);
}

/** The share of the free space that lies before a child or before the tracks. @param free negative if they overflow */
function shareOf(alignment: GridLayout['align'], free: number): number {
  switch (alignment) {
    case 'center':
      return 0.5;
    case 'end':
      return 1;
    case 'safe center':
      return free < 0 ? 0 : 0.5;
    case 'safe end':
      return free < 0 ? 0 : 1;
    default:
      return 0;
  }
}

const TOLERANCE = 0.001;
const UNKNOWN = { width: null, height: null };

const isAuto = (size: Dimension) => size.kind === 'hug' || size.kind === 'fill';

function lengthOf(size: Dimension, whole: number | null): number | null {
  if (size.kind === 'px') return size.value;
  return size.kind === 'percent' && whole !== null ? Math.max(0, percentOf(size, whole)) : null;
}

/** The tracks of one axis as they lie in their grid, px. */
interface AlignedTracks {
  readonly sizes: readonly number[];
  /** Before the first. */
  readonly start: number;
  /** Between two, with the space that is distributed. */
  readonly gap: number;
}

/** Section 10.5: distributes the space that tracks leave. @param room null = as large as the tracks */
function alignedTracks(
  sizes: readonly number[],
  room: number | null,
  gap: number,
  alignment: ContentAlignment,
): AlignedTracks {
  if (alignment === 'stretch' || alignment === 'start' || room === null) return { sizes, start: 0, gap };
  const free = room - sum(sizes) - gap * Math.max(0, sizes.length - 1);
  const count = sizes.length;
  switch (alignment) {
    // Without space, what is spaced falls back to the start.
    case 'space-between':
      return { sizes, start: 0, gap: gap + (count > 1 ? Math.max(0, free) / (count - 1) : 0) };
    case 'space-around': {
      const share = Math.max(0, free) / Math.max(1, count);
      return { sizes, start: share / 2, gap: gap + share };
    }
    case 'space-evenly': {
      const share = Math.max(0, free) / (count + 1);
      return { sizes, start: share, gap: gap + share };
    }
    default:
      return { sizes, start: free * shareOf(alignment, free), gap };
  }
}

/** Where each track starts, px: in one pass, since children with spans make rows by the hundred thousand. */
function starts({ sizes, start, gap }: AlignedTracks): readonly number[] {
  let before = start;
  return sizes.map((size, i) => {
    const at = i === 0 ? before : before + gap * (i - 1) + gap;
    before += size;
    return at;
  });
}

/** The length of `count` neighbouring tracks and the gaps between them, px. */
function extent(sizes: readonly number[], first: number, count: number, gap: number): number {
  return sum(sizes.slice(first, first + count)) + gap * Math.max(0, count - 1);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
