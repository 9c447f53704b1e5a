// Lays out a grid frame at a known width: CSS Grid 1 with fixed, `fr` and `hug` tracks (`hug` is CSS's `auto`).
//
// Columns are sized first; they give the heights of the children, and those the rows. Named areas, `minmax`, dense
// packing, `justify-content` and baseline alignment are not supported.

import type { Dimension, FrameNode, GridLayout, GridTrack, SceneNode } from '../resolve/scene.ts';
import { bordered, contentOrigin, limits, marginsAlong, rigidSize } from './axis.ts';
import { contribution } from './flex-widths.ts';
import {
  type BoxSize,
  type Flow,
  type Fragment,
  fitContent,
  type IntrinsicWidths,
  LazyWidths,
  type PlacedFragment,
} from './fragment.ts';
import { type GridArea, placeInGrid } from './grid-placement.ts';
import { sizeTracks, type TrackItem, type TrackRoom } from './grid-tracks.ts';

export type GridFrame = FrameNode & { readonly layout: GridLayout };

interface Item {
  readonly node: SceneNode;
  readonly area: GridArea;
}

export function isGrid(node: SceneNode): node is GridFrame {
  return node.type === 'frame' && node.layout?.type === 'grid';
}

/** The intrinsic widths of a grid frame's border box. */
export function gridWidths(flow: Flow, frame: GridFrame): IntrinsicWidths {
  const items = gridItems(flow, frame);
  const rigid = rigidSize(frame, true);
  const { columnGap } = frame.layout;
  const widest = columnSizes(flow, frame, items, 'max-content');
  const gaps = columnGap * Math.max(0, widest.length - 1);
  const max = sum(widest) + gaps;
  return new LazyWidths(rigid + max, () => {
    return rigid + Math.min(max, sum(columnSizes(flow, frame, items, 'min-content')) + gaps);
  });
}

/** Lays out a grid frame; a height that is not given keeps the frame's minimum and maximum. */
export function layOutGrid(flow: Flow, frame: GridFrame, box: BoxSize): Fragment {
  const { layout } = frame;
  const rigid = { width: rigidSize(frame, true), height: rigidSize(frame, false) };
  const room = {
    width: Math.max(0, box.width - rigid.width),
    height: box.height === null ? null : Math.max(0, box.height - rigid.height),
  };
  const items = gridItems(flow, frame);
  const columns = columnSizes(flow, frame, items, room.width);
  const widthOf = (area: GridArea) => extent(columns, area.column, area.columnSpan, layout.columnGap);
  const natural = items.map(({ node, area }) => layOutItem(flow, layout, node, widthOf(area), null));

  const rowCount = Math.max(layout.rows.length, ...items.map(({ area }) => area.row + area.rowSpan));
  const tracks = Array.from({ length: rowCount }, (_, i) => layout.rows[i] ?? ({ kind: 'hug' } as const));
  const rowItems = items.map(({ node, area }, i): TrackItem => {
    const { rowSpan } = area;
    const height = (natural[i]?.size.height ?? 0) + marginsAlong(node.placement, false);
    const isShared = rowSpan > 1 && tracks.slice(area.row, area.row + rowSpan).some(isFr);
    const minimum = () => minimumContribution(flow, node, false, isShared, height);
    return { first: area.row, span: rowSpan, size: { min: height, max: height }, minimum };
  });
  const rows = sizeTracks(tracks, rowItems, layout.rowGap, room.height ?? 'indefinite');

  const origin = contentOrigin(frame);
  const lefts = starts(columns, layout.columnGap);
  const tops = starts(rows, layout.rowGap);
  const children = items.map(({ node, area }, i): PlacedFragment => {
    const width = widthOf(area);
    const height = extent(rows, area.row, area.rowSpan, layout.rowGap);
    const fragment = stretchedDown(flow, layout, node, natural[i] as Fragment, width, height);
    const left = lefts[area.column] ?? 0;
    const top = tops[area.row] ?? 0;
    const isRtl = frame.direction === 'rtl';
    const { margin } = node.placement;
    const across = width - fragment.size.width - margin.left - margin.right;
    const down = height - fragment.size.height - margin.top - margin.bottom;
    const share = SHARE[justificationOf(flow, layout, node)];
    const x = (isRtl ? room.width - left - width : left) + margin.left + across * (isRtl ? 1 - share : share);
    const y = top + margin.top + down * SHARE[alignmentOf(flow, layout, node)];
    return { node, fragment, x: origin.x + x, y: origin.y + y };
  });

  const content = extent(rows, 0, rows.length, layout.rowGap) + rigid.height;
  const height = box.height ?? (box.isUnbounded ? content : bordered(frame, false, content));
  // A minimum or maximum changes the height, and the rows share the new one as if it were given. Percentages, and `fr`
  // that sum to less than 1, are resolved again too: against the height that the rows came to while it was unknown.
  const isAgain = Math.abs(height - content) > TOLERANCE || takesPart(layout.rows);
  if (box.height === null && isAgain) return layOutGrid(flow, frame, { ...box, height });
  const first = children.find((_, i) => items[i]?.area.row === 0);
  const baseline = first ? first.y + (first.fragment.baseline ?? first.fragment.size.height) : null;
  return { size: { width: box.width, height }, baseline, children };
}

function gridItems(flow: Flow, frame: GridFrame): readonly Item[] {
  const nodes = flow.items(frame);
  const requests = nodes.map(({ placement }) => placement.grid);
  const areas = placeInGrid(requests, frame.layout.columns.length);
  return nodes.flatMap((node, i) => {
    const area = areas[i];
    return area ? { node, area } : [];
  });
}

function columnSizes(flow: Flow, { layout }: GridFrame, items: readonly Item[], room: TrackRoom): readonly number[] {
  const trackItems = items.map(({ node, area }): TrackItem => {
    const { column, columnSpan } = area;
    const size = contribution(flow, node, null);
    const isShared = columnSpan > 1 && layout.columns.slice(column, column + columnSpan).some(isFr);
    const minimum = () => minimumContribution(flow, node, true, isShared, size.min);
    return { first: column, span: columnSpan, size, minimum };
  });
  return sizeTracks(layout.columns, trackItems, layout.columnGap, room);
}

/** Whether tracks take a fraction of their grid's size, which may itself come from the tracks. */
function takesPart(tracks: readonly GridTrack[]): boolean {
  const shares = tracks.flatMap((track) => (track.kind === 'fr' ? [track.value] : []));
  return tracks.some(({ kind }) => kind === 'percent') || (shares.length > 0 && sum(shares) < 1);
}

const isFr = ({ kind }: GridTrack) => kind === 'fr';

/**
 * The minimum contribution of a child, margins included (CSS Grid 1, section 6.6). A size that is not given in px
 * counts as its minimum. The automatic minimum is 0 for content that may be clipped or shrunk, and for a child that
 * spans several tracks of which one is `fr`.
 *
 * @param smallest the smallest margin box that its content allows
 */
function minimumContribution(
  flow: Flow,
  node: SceneNode,
  horizontal: boolean,
  isShared: boolean,
  smallest: number,
): number {
  const size = horizontal ? node.placement.width : node.placement.height;
  const { min } = limits(node.placement, horizontal);
  if (size.kind === 'px' || (min === null && !isShared && flow.keepsWhole(node))) return smallest;
  return marginsAlong(node.placement, horizontal) + Math.max(min ?? 0, rigidSize(node, horizontal));
}

/** Lays out a child in its columns, at its own height (`down` is null) or at that of its rows. */
function layOutItem(flow: Flow, layout: GridLayout, node: SceneNode, across: number, down: number | null): Fragment {
  const { placement } = node;
  const { margin } = placement;
  const areaWidth = Math.max(0, across - margin.left - margin.right);
  const areaHeight = down === null ? null : Math.max(0, down - margin.top - margin.bottom);
  const stretchesDown = alignmentOf(flow, layout, node) === 'stretch' && isAuto(placement.height);
  const givenHeight = lengthOf(placement.height, areaHeight) ?? (stretchesDown ? areaHeight : null);
  const height = givenHeight === null ? null : bordered(node, false, givenHeight);

  const stretchesAcross = justificationOf(flow, layout, node) === 'stretch' && isAuto(placement.width);
  const given = lengthOf(placement.width, areaWidth) ?? (stretchesAcross ? areaWidth : null);
  const content = () => fitContent(flow.contentWidths(node, height), areaWidth);
  return flow.layOut(node, { width: bordered(node, true, given ?? content()), height, hugs: given === null });
}

function stretchedDown(
  flow: Flow,
  layout: GridLayout,
  node: SceneNode,
  natural: Fragment,
  width: number,
  height: number,
): Fragment {
  const stretched = layOutItem(flow, layout, node, width, height);
  return Math.abs(stretched.size.height - natural.size.height) < TOLERANCE ? natural : stretched;
}

function justificationOf(flow: Flow, layout: GridLayout, node: SceneNode): GridLayout['justifyItems'] {
  const { justifySelf, width } = node.placement;
  if (width.kind === 'fill') return 'stretch';
  if (justifySelf !== 'auto') return justifySelf;
  return keepsOwnSize(flow, layout.justifyItems, node) ? 'start' : layout.justifyItems;
}

function alignmentOf(flow: Flow, layout: GridLayout, node: SceneNode): GridLayout['align'] {
  const { alignSelf, height } = node.placement;
  if (height.kind === 'fill') return 'stretch';
  if (alignSelf === 'baseline') return 'start';
  if (alignSelf !== 'auto') return alignSelf;
  return keepsOwnSize(flow, layout.align, node) ? 'start' : layout.align;
}

/** A child with proportions of its own is not stretched out of them. */
function keepsOwnSize(flow: Flow, wanted: GridLayout['align'], node: SceneNode): boolean {
  return wanted === 'stretch' && flow.keepsRatio(node);
}

const SHARE = { start: 0, stretch: 0, center: 0.5, end: 1 } as const;
const TOLERANCE = 0.001;

const isAuto = (size: Dimension) => size.kind === 'hug' || size.kind === 'fill';

function lengthOf(size: Dimension, whole: number | null): number | null {
  if (size.kind === 'px') return size.value;
  return size.kind === 'percent' && whole !== null ? (size.value / 100) * whole : null;
}

/** Where each track starts, px: in one pass, since children with spans make rows by the hundred thousand. */
function starts(sizes: readonly number[], gap: number): readonly number[] {
  let before = 0;
  return sizes.map((size, i) => {
    const start = i === 0 ? 0 : before + gap * (i - 1) + gap;
    before += size;
    return start;
  });
}

/** The length of `count` neighbouring tracks and the gaps between them, px. */
function extent(sizes: readonly number[], first: number, count: number, gap: number): number {
  return sum(sizes.slice(first, first + count)) + gap * Math.max(0, count - 1);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
