// Lays out the rows and cells of a table of a page at a known width: CSS 2, 17.5, and of CSS Tables 3 how widths and heights
// are shared among columns and rows.

import type { FrameNode, Length, RowLayout, SceneNode } from '../resolve/scene.ts';
import { type CellsFrame, contentOrigin, percentOf, rigidSize } from './axis.ts';
import { clampHeight } from './content-size.ts';
import {
  type BoxSize,
  type Flow,
  type Fragment,
  type IntrinsicWidths,
  outerWidths,
  type PlacedFragment,
} from './fragment.ts';

type RowFrame = FrameNode & { readonly layout: RowLayout };

const isRow = (node: SceneNode): node is RowFrame => node.type === 'frame' && node.layout?.type === 'row';

interface Cell {
  readonly row: number;
  readonly column: number;
  readonly span: number;
  readonly rowSpan: number;
  readonly align: RowLayout['cells'][number]['align'];
  readonly node: SceneNode;
}

/** What a column asks for, px. */
interface Column {
  min: number;
  max: number;
  /** Whether a cell or a `<col>` says its width. */
  isGiven: boolean;
  /** Of the table, 50 = half; 0 = none. */
  percent: number;
}

const rowsOf = (flow: Flow, frame: CellsFrame): readonly RowFrame[] => flow.items(frame).filter(isRow);

const cellsOf = (flow: Flow, rows: readonly RowFrame[]): readonly Cell[] =>
  rows.flatMap((frame, row) =>
    flow.items(frame).flatMap((node, i): readonly Cell[] => {
      const place = frame.layout.cells[i];
      return place ? [{ ...place, row, rowSpan: Math.min(place.rowSpan, rows.length - row), node }] : [];
    }),
  );

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** All that stands between the columns and at their sides, px. */
const spacingAlong = ({ layout }: CellsFrame) =>
  layout.columns.length === 0 ? 0 : (layout.columns.length + 1) * layout.spacing.width;

/** Min- and max-content of the border box, px. */
export function cellsWidths(flow: Flow, frame: CellsFrame): IntrinsicWidths {
  const columns = columnsOf(flow, frame);
  const around = rigidSize(frame, true) + spacingAlong(frame);
  const min = sum(columns.map((each) => each.min));
  const shares = Math.min(100, sum(columns.map(({ percent }) => percent)));
  const rest = sum(columns.map((each) => (each.percent > 0 ? 0 : each.max)));
  // As wide as each percentage needs, of which the others leave room for the rest (CSS Tables 3, 3.8.1).
  const byShares = columns.map((each) => (each.percent > 0 ? (each.max / each.percent) * 100 : 0));
  const byRest = shares > 0 && shares < 100 ? (rest / (100 - shares)) * 100 : 0;
  const max = Math.max(sum(columns.map((each) => each.max)), byRest, ...byShares);
  const least = frame.layout.isFixed ? sum(fixed(flow, frame, 0)) : min;
  return { min: around + least, max: around + Math.max(min, max) };
}

function columnsOf(flow: Flow, frame: CellsFrame): readonly Column[] {
  const columns = frame.layout.columns.map((length): Column => {
    const px = length?.kind === 'px' ? length.value : 0;
    return { min: px, max: px, isGiven: px > 0, percent: length?.kind === 'percent' ? length.value : 0 };
  });
  const cells = cellsOf(flow, rowsOf(flow, frame));
  for (const cell of cells.toSorted((a, b) => a.span - b.span)) {
    const node = flow.settled(cell.node, null, { width: null, height: null });
    const { width } = node.placement;
    const content = flow.contentWidths(node, null);
    const { min, max } =
      width.kind === 'px'
        ? { min: content.min, max: Math.max(content.min, width.value) }
        : outerWidths(flow, node, cell.node);
    const own = columns.slice(cell.column, cell.column + cell.span);
    const [only] = own;
    if (cell.span === 1 && only) {
      only.min = Math.max(only.min, min);
      only.max = Math.max(only.max, max, only.min);
      if (width.kind === 'px') only.isGiven = true;
      if (width.kind === 'percent') only.percent = Math.max(only.percent, width.value);
      continue;
    }
    const between = (own.length - 1) * frame.layout.spacing.width;
    if (width.kind === 'percent') sharePercent(own, width.value);
    grow(own, 'min', min - between);
    grow(own, 'max', max - between);
  }
  let left = 100;
  for (const column of columns) {
    column.max = Math.max(column.max, column.min);
    column.percent = Math.min(column.percent, left);
    left -= column.percent;
  }
  return columns;
}

/** The percentage of a cell over several columns is for those that have none. */
function sharePercent(columns: readonly Column[], percent: number): void {
  const open = columns.filter((each) => each.percent === 0);
  const left = percent - sum(columns.map((each) => each.percent));
  if (left <= 0) return;
  const whole = sum(open.map(({ max }) => max));
  for (const each of open) each.percent = whole > 0 ? (left * each.max) / whole : left / open.length;
}

/** Widens columns together to `to` px: those without a width of their own, by what they hold. */
function grow(columns: readonly Column[], name: 'min' | 'max', to: number): void {
  const missing = to - sum(columns.map((each) => each[name]));
  if (missing <= 0) return;
  const open = columns.filter(({ isGiven, percent }) => !isGiven && percent === 0);
  const takers = open.length > 0 ? open : columns;
  const whole = sum(takers.map(({ max }) => max));
  for (const each of takers) each[name] += whole > 0 ? (missing * each.max) / whole : missing / takers.length;
}

/** Shares `width` px among the columns (CSS Tables 3, 3.9.3). */
function shared(columns: readonly Column[], width: number): readonly number[] {
  const byPercent = ({ percent, min }: Column) => Math.max(min, (percent / 100) * width);
  const least = columns.map(({ min }) => min);
  const guesses = [
    least,
    columns.map((each) => (each.percent > 0 ? byPercent(each) : each.min)),
    columns.map((each) => (each.percent > 0 ? byPercent(each) : each.isGiven ? each.max : each.min)),
    columns.map((each) => (each.percent > 0 ? byPercent(each) : each.max)),
  ];
  const totals = guesses.map(sum);
  const next = totals.findIndex((total) => total >= width);
  if (next === 0) return least;
  if (next > 0) {
    const [below = 0, above = 0] = [totals[next - 1], totals[next]];
    const part = above === below ? 0 : (width - below) / (above - below);
    return columns.map((_, i) => {
      const [from = 0, to = 0] = [guesses[next - 1]?.[i], guesses[next]?.[i]];
      return from + (to - from) * part;
    });
  }
  const most = guesses[3] ?? least;
  const excess = width - sum(most);
  const open = columns.map(({ isGiven, percent, max }) => (isGiven || percent > 0 ? 0 : max));
  const given = columns.map(({ percent, max }) => (percent > 0 ? 0 : max));
  const shares = columns.map(({ percent }) => percent);
  const isOpen = columns.map(({ isGiven, percent }) => (isGiven || percent > 0 ? 0 : 1));
  const weights = [open, isOpen, given, shares, columns.map(() => 1)].find((each) => sum(each) > 0) ?? [];
  return most.map((own, i) => own + (excess * (weights[i] ?? 0)) / sum(weights));
}

/** CSS 2, 17.5.2.1: by the columns and the first row alone. */
function fixed(flow: Flow, frame: CellsFrame, width: number): readonly number[] {
  const found: (number | null)[] = frame.layout.columns.map((length) => widthOf(length, width));
  const rows = rowsOf(flow, frame);
  for (const { row, column, span, node } of cellsOf(flow, rows)) {
    if (row > 0) break;
    const { placement } = flow.settled(node, null, { width: null, height: null });
    const own =
      placement.width.kind === 'px' || placement.width.kind === 'percent' ? widthOf(placement.width, width) : null;
    if (own === null) continue;
    const share = (own - (span - 1) * frame.layout.spacing.width) / span;
    for (let i = column; i < column + span; i += 1) found[i] ??= share;
  }
  const open = found.filter((each) => each === null).length;
  const rest = width - sum(found.map((each) => each ?? 0));
  if (open > 0) return found.map((each) => each ?? Math.max(0, rest) / open);
  const whole = sum(found.map((each) => each ?? 0));
  return rest > 0 && whole > 0 ? found.map((each) => ((each ?? 0) / whole) * width) : found.map((each) => each ?? 0);
}

const widthOf = (length: Length | null, whole: number): number | null =>
  length === null ? null : length.kind === 'px' ? length.value : percentOf(length, whole);

export function layOutCells(flow: Flow, frame: CellsFrame, box: BoxSize): Fragment {
  const { layout } = frame;
  const { spacing } = layout;
  const rigid = rigidSize(frame, false);
  const room = Math.max(0, box.width - rigidSize(frame, true) - spacingAlong(frame));
  const widths = layout.isFixed ? fixed(flow, frame, room) : shared(columnsOf(flow, frame), room);
  const lefts = widths.map((_, i) => sum(widths.slice(0, i)) + i * spacing.width);
  const rows = rowsOf(flow, frame);
  const cells = cellsOf(flow, rows).map((cell) => {
    const width = sum(widths.slice(cell.column, cell.column + cell.span)) + (cell.span - 1) * spacing.width;
    const node = flow.settled(cell.node, null, { width, height: null });
    const fragment = flow.layOut(node, { width, height: null, hugs: false, isUnbounded: true });
    const { height } = node.placement;
    const least = height.kind === 'px' ? Math.max(height.value, fragment.size.height) : fragment.size.height;
    return {
      ...cell,
      width,
      settled: node,
      fragment,
      height: clampHeight(node.placement, least),
      baseline: fragment.baseline ?? contentBottom(node, fragment.size.height),
    };
  });
  const byRow = Map.groupBy(cells, ({ row }) => row);
  const baselines = rows.map((_, row) =>
    Math.max(0, ...(byRow.get(row) ?? []).filter((each) => each.align === 'baseline').map(({ baseline }) => baseline)),
  );
  const dropOf = (cell: (typeof cells)[number]) =>
    cell.align === 'baseline' ? (baselines[cell.row] ?? 0) - cell.baseline : 0;
  const heights = rows.map((row, index) => {
    const { height } = row.placement;
    const own = height.kind === 'px' ? height.value : 0;
    return Math.max(
      own,
      ...(byRow.get(index) ?? []).filter((each) => each.rowSpan === 1).map((each) => each.height + dropOf(each)),
    );
  });
  for (const { row, rowSpan, height } of cells
    .filter((each) => each.rowSpan > 1)
    .toSorted((a, b) => a.rowSpan - b.rowSpan)) {
    const missing = height - sum(heights.slice(row, row + rowSpan)) - (rowSpan - 1) * spacing.height;
    if (missing <= 0) continue;
    const spanned = Array.from({ length: rowSpan }, (_, i) => row + i);
    // Rows in which others begin that reach down take it first, as in Chromium; then all by their heights.
    const beginning = spanned.slice(1).filter((each) => cells.some((cell) => cell.row === each && cell.rowSpan > 1));
    const takers = beginning.length > 0 ? beginning : spanned;
    const whole = sum(takers.map((each) => heights[each] ?? 0));
    for (const each of takers)
      heights[each] =
        (heights[each] ?? 0) + (whole > 0 ? (missing * (heights[each] ?? 0)) / whole : missing / takers.length);
  }
  const between = rows.length === 0 ? 0 : (rows.length + 1) * spacing.height;
  const natural = sum(heights) + between;
  const height = box.height ?? (box.isUnbounded ? natural + rigid : clampHeight(frame.placement, natural + rigid));
  let excess = height - rigid - natural;
  // As in Chromium, of the rows with what is between them, and for borders and paddings, too.
  const shareOf = rows.map((row, index) => {
    const own = [row, ...(byRow.get(index) ?? []).flatMap((cell) => (cell.rowSpan === 1 ? [cell.settled] : []))];
    const shares = own.flatMap(({ placement }) =>
      placement.height.kind === 'percent' ? [placement.height.value] : [],
    );
    return shares.length > 0 ? (Math.max(...shares) / 100) * (height - rigid - 2 * spacing.height) : null;
  });
  for (const [i, share] of shareOf.entries()) {
    const missing = Math.max(0, Math.min(excess, (share ?? 0) - (heights[i] ?? 0)));
    heights[i] = (heights[i] ?? 0) + missing;
    excess -= missing;
  }
  if (excess > 0 && rows.length > 0) {
    const isOpen = rows.map((row, i) => row.placement.height.kind !== 'px' && shareOf[i] === null);
    const isTaking = isOpen.includes(true) ? isOpen : isOpen.map(() => true);
    const whole = sum(heights.filter((_, i) => isTaking[i]));
    const takers = isTaking.filter(Boolean).length;
    for (const [i, own] of heights.entries())
      if (isTaking[i]) heights[i] = own + (whole > 0 ? (excess * own) / whole : excess / takers);
  }
  const origin = contentOrigin(frame);
  const isRtl = frame.direction === 'rtl';
  const whole = room + (widths.length - 1) * spacing.width;
  let top = origin.y + spacing.height;
  const children = rows.map((row, index): PlacedFragment => {
    const inside = (byRow.get(index) ?? []).map((cell): PlacedFragment => {
      const tall = sum(heights.slice(index, index + cell.rowSpan)) + (cell.rowSpan - 1) * spacing.height;
      const left = lefts[cell.column] ?? 0;
      const spare = tall - cell.fragment.size.height;
      const share = cell.align === 'middle' ? 0.5 : cell.align === 'bottom' ? 1 : 0;
      const dy = cell.align === 'baseline' ? dropOf(cell) : spare * share;
      return {
        node: cell.node,
        settled: cell.settled,
        x: isRtl ? whole - left - cell.width : left,
        y: 0,
        shift: null,
        fragment: takesHeight(cell.settled)
          ? alignedIn(flow.layOut(cell.settled, { width: cell.width, height: tall, hugs: false }), cell.settled, share)
          : stretched(cell.fragment, tall, dy),
      };
    });
    const size = { width: Math.max(0, whole), height: heights[index] ?? 0 };
    const [first] = inside;
    const baseline = first?.fragment.baseline ?? null;
    const placed = { x: origin.x + spacing.width, y: top, shift: null, fragment: { size, baseline, children: inside } };
    top += size.height + spacing.height;
    return { node: row, settled: flow.settled(row, null, { width: null, height: null }), ...placed };
  });
  const [first] = children;
  const baseline = first && first.fragment.baseline !== null ? first.y + first.fragment.baseline : null;
  return { size: { width: box.width, height: Math.max(height, natural + rigid) }, baseline, children };
}

/** Whether what is in a cell has a share of its height, which is known once its row is laid out. */
const takesHeight = (node: SceneNode): boolean =>
  node.type === 'frame' &&
  node.children.some(({ placement }) => placement.height.kind === 'percent' && !placement.absolute);

/** Where the content of a cell without lines ends, which is its baseline. */
function contentBottom(node: SceneNode, height: number): number {
  if (node.type !== 'frame') return height;
  const { padding, border, sideBorders } = node;
  return height - padding.bottom - ((sideBorders ? sideBorders.bottom : border)?.width ?? 0);
}

/** A cell in which heights are shares of its own, with its content moved down by a share of what it leaves. */
function alignedIn(fragment: Fragment, node: SceneNode, share: number): Fragment {
  const ends = fragment.children.map((own) => own.y + own.fragment.size.height + own.settled.placement.margin.bottom);
  const spare = contentBottom(node, fragment.size.height) - Math.max(0, ...ends);
  return share === 0 ? fragment : stretched(fragment, fragment.size.height, Math.max(0, spare) * share);
}

/** A cell as high as its row, with its content moved down. */
function stretched(fragment: Fragment, height: number, dy: number): Fragment {
  const { size, baseline, children } = fragment;
  const moved = dy === 0 ? children : children.map((child) => ({ ...child, y: child.y + dy }));
  return {
    ...fragment,
    size: { ...size, height },
    baseline: baseline === null ? null : baseline + dy,
    children: moved,
  };
}
