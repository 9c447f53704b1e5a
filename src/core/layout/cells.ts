// Lays out the rows and cells of a table of a page at a known width: CSS 2, 17.5, and of CSS Tables 3 how widths and heights
// are shared among columns and rows.

import { lazily } from '../lazily.ts';
import { unpackedCells } from '../resolve/plain-node.ts';
import type { FrameNode, Length, PackedCells, RowLayout, SceneNode } from '../resolve/scene.ts';
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

type RowPlace = RowLayout['cells'][number];

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

/** @param row its number among the table's @param count how many these are */
const cellsOf = (flow: Flow, frame: RowFrame, row: number, count: number): readonly Cell[] =>
  flow.items(frame).flatMap((node, i): readonly Cell[] => {
    const place = frame.layout.cells[i];
    return place ? [{ ...place, row, rowSpan: Math.min(place.rowSpan, count - row), node }] : [];
  });

/** Asks something about the cells of each row: of packed ones, nothing is kept but the answers. */
const ofRows = <Found>(
  flow: Flow,
  rows: readonly RowFrame[],
  find: (cell: Cell, isPacked: boolean) => Found,
): Found[] =>
  rows.flatMap((frame, row) => {
    const isPacked = frame.packed !== undefined;
    const ask = () => cellsOf(flow, frame, row, rows.length).map((cell) => find(cell, isPacked));
    return isPacked ? flow.apart(ask) : ask();
  });

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** All that stands between the columns and at their sides, px. */
const spacingAlong = ({ layout }: CellsFrame) =>
  layout.columns.length === 0 ? 0 : (layout.columns.length + 1) * layout.spacing.width;

/** Min- and max-content of the border box, px. */
export function cellsWidths(flow: Flow, frame: CellsFrame): IntrinsicWidths {
  const around = rigidSize(frame, true) + spacingAlong(frame);
  if (!frame.layout.isFixed) return widthsOf(flow, frame, around);
  const found = lazily(() => widthsOf(flow, frame, around));
  const min = around + sum(fixed(flow, frame, 0));
  return {
    min,
    get max() {
      return found().max;
    },
  };
}

function widthsOf(flow: Flow, frame: CellsFrame, around: number): IntrinsicWidths {
  const columns = columnsOf(flow, frame);
  const min = sum(columns.map((each) => each.min));
  const shares = Math.min(100, sum(columns.map(({ percent }) => percent)));
  const rest = sum(columns.map((each) => (each.percent > 0 ? 0 : each.max)));
  // As wide as each percentage needs, of which the others leave room for the rest (CSS Tables 3, 3.8.1).
  const byShares = columns.map((each) => (each.percent > 0 ? (each.max / each.percent) * 100 : 0));
  const byRest = shares > 0 && shares < 100 ? (rest / (100 - shares)) * 100 : 0;
  const max = Math.max(sum(columns.map((each) => each.max)), byRest, ...byShares);
  return { min: around + min, max: around + Math.max(min, max) };
}

const columnsOf = (flow: Flow, frame: CellsFrame): readonly Column[] =>
  flow.once(frame, () => findColumns(flow, frame));

function findColumns(flow: Flow, frame: CellsFrame): readonly Column[] {
  const columns = frame.layout.columns.map((length): Column => {
    const px = length?.kind === 'px' ? length.value : 0;
    return { min: px, max: px, isGiven: px > 0, percent: length?.kind === 'percent' ? length.value : 0 };
  });
  const asked = ofRows(flow, rowsOf(flow, frame), ({ column, span, node: source }) => {
    const node = flow.settled(source, null, { width: null, height: null });
    const { width } = node.placement;
    const own = width.kind === 'px' ? flow.contentWidths(node, null) : outerWidths(flow, node, source);
    return { column, span, width, min: own.min, max: width.kind === 'px' ? Math.max(own.min, width.value) : own.max };
  });
  for (const { column, span, width, min, max } of asked.sort((a, b) => a.span - b.span)) {
    const own = columns.slice(column, column + span);
    const [only] = own;
    if (span === 1 && only) {
      only.min = Math.max(only.min, min);
      // Where a cell says a width, those that say none are only as wide as they have to be.
      const isFirst = width.kind === 'px' && !only.isGiven;
      if (width.kind === 'px' || !only.isGiven) only.max = Math.max(isFirst ? 0 : only.max, max);
      only.max = Math.max(only.max, only.min);
      only.isGiven ||= isFirst;
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
  const rows = rowsOf(flow, frame).slice(0, 1);
  for (const { column, span, node } of ofRows(flow, rows, (cell) => cell)) {
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
  const widthOf = ({ column, span }: Pick<Cell, 'column' | 'span'>) =>
    sum(widths.slice(column, column + span)) + (span - 1) * spacing.width;
  const samples = new Samples(flow);
  const cells = rows.flatMap((row, index): LaidCell[] =>
    row.packed
      ? samples.cells(row, row.packed, index, widthOf)
      : cellsOf(flow, row, index, rows.length).map((cell) => laidCell(flow, cell, widthOf(cell))),
  );
  const byRow = Map.groupBy(cells, ({ row }) => row);
  const baselines = rows.map((_, row) =>
    Math.max(0, ...(byRow.get(row) ?? []).filter((each) => each.align === 'baseline').map(({ baseline }) => baseline)),
  );
  const dropOf = (cell: LaidCell) => (cell.align === 'baseline' ? (baselines[cell.row] ?? 0) - cell.baseline : 0);
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
    const own = [
      row,
      ...(byRow.get(index) ?? []).flatMap((cell) => (cell.rowSpan === 1 ? [cell.content?.settled ?? cell.node] : [])),
    ];
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
    const own = byRow.get(index) ?? [];
    const tall = own.map(({ rowSpan }) => sum(heights.slice(index, index + rowSpan)) + (rowSpan - 1) * spacing.height);
    const places = { lefts, widths: own.map((cell) => cell.width), tall, drop: baselines[index] ?? 0, isRtl, whole };
    const [cell] = own;
    const lift = cell && cell.firstLine !== null ? cell.firstLine + shiftIn(cell, tall[0] ?? 0, places.drop) : null;
    const inside = row.packed ? [] : placedCells(flow, own, places);
    const size = { width: Math.max(0, whole), height: heights[index] ?? 0 };
    const baseline = inside[0] ? inside[0].fragment.baseline : lift;
    const packed = row.packed && { cells: laterRow(flow, row, places) };
    const fragment = { size, baseline, children: inside, ...packed };
    const placed = { x: origin.x + spacing.width, y: top, shift: null, fragment };
    top += size.height + spacing.height;
    return { node: row, settled: flow.settled(row, null, { width: null, height: null }), ...placed };
  });
  const [first] = children;
  const baseline = first && first.fragment.baseline !== null ? first.y + first.fragment.baseline : null;
  return { size: { width: box.width, height: Math.max(height, natural + rigid) }, baseline, children };
}

interface LaidCell extends Cell {
  readonly width: number;
  readonly height: number;
  /** That of its row is, where it is aligned so. */
  readonly baseline: number;
  /** The baseline of its first line, and the height of what is in it, px. */
  readonly firstLine: number | null;
  readonly natural: number;
  /** null = it is not kept. */
  readonly content: { readonly settled: SceneNode; readonly fragment: Fragment } | null;
}

function laidCell(flow: Flow, cell: Cell, width: number): LaidCell {
  const settled = flow.settled(cell.node, null, { width, height: null });
  const fragment = flow.layOut(settled, { width, height: null, hugs: false, isUnbounded: true });
  const { height } = settled.placement;
  const { size, baseline } = fragment;
  const least = height.kind === 'px' ? Math.max(height.value, size.height) : size.height;
  return {
    ...cell,
    width,
    height: clampHeight(settled.placement, least),
    baseline: baseline ?? contentBottom(settled, size.height),
    firstLine: baseline,
    natural: size.height,
    content: { settled, fragment },
  };
}

/** Lays out the cells of packed rows: of those with one line the first of each form and width, as the others are as high. */
class Samples {
  readonly #flow: Flow;
  readonly #known = new Map<PackedCells['forms'][number], LaidCell[]>();

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  cells(row: RowFrame, { forms, words }: PackedCells, index: number, widthOf: (cell: RowPlace) => number): LaidCell[] {
    const parts = words.split('\0');
    return row.layout.cells.flatMap((place, i): readonly LaidCell[] => {
      const form = forms[i];
      if (!form) return [];
      const { frame, text } = form;
      const width = widthOf(place);
      const own = { ...place, row: index, node: frame };
      const known = this.#known.get(form) ?? [];
      const room = width - rigidSize(frame, true);
      const isOneLine =
        frame.placement.relative === null && (!text || this.#flow.isOneLine(text, parts[3 * i + 2] ?? '', room));
      const sample = isOneLine && known.find((each) => each.width === width);
      if (sample) return [{ ...sample, ...own }];
      const [node = frame] = unpackedCells({ forms: [form], words: parts.slice(3 * i, 3 * i + 3).join('\0') });
      const laid = this.#flow.apart(() => ({
        ...laidCell(this.#flow, { ...own, node }, width),
        ...own,
        content: null,
      }));
      if (isOneLine) this.#known.set(form, [...known, laid]);
      return [laid];
    });
  }
}

/** Of the cells of a row: their widths and heights, and where the baselines of those are that are aligned by them, px. */
interface RowPlaces {
  readonly lefts: readonly number[];
  readonly widths: readonly number[];
  readonly tall: readonly number[];
  readonly drop: number;
  readonly isRtl: boolean;
  /** The width of the row. */
  readonly whole: number;
}

/** How far what is in a cell goes down, px. @param drop of the baselines of its row */
const shiftIn = ({ align, natural, baseline }: LaidCell, height: number, drop: number): number =>
  align === 'baseline' ? drop - baseline : (height - natural) * { top: 0, middle: 0.5, bottom: 1 }[align];

function placedCells(flow: Flow, cells: readonly LaidCell[], { lefts, tall, drop, ...row }: RowPlaces) {
  return cells.flatMap((cell, i): readonly PlacedFragment[] => {
    if (!cell.content) return [];
    const { settled, fragment } = cell.content;
    const [left, height] = [lefts[cell.column] ?? 0, tall[i] ?? 0];
    const x = row.isRtl ? row.whole - left - cell.width : left;
    const share = { top: 0, baseline: 0, middle: 0.5, bottom: 1 }[cell.align];
    const own = takesHeight(settled)
      ? alignedIn(flow.layOut(settled, { width: cell.width, height, hugs: false }), settled, share)
      : stretched(fragment, height, shiftIn(cell, height, drop));
    return [{ node: cell.node, settled, x, y: 0, shift: null, fragment: own }];
  });
}

/** Lays out the cells of a packed row once more. */
const laterRow = (flow: Flow, row: RowFrame, places: RowPlaces) => () => {
  const cells = cellsOf(flow, row, 0, 1).map((cell, i) => laidCell(flow, cell, places.widths[i] ?? 0));
  return placedCells(flow, cells, places);
};

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
