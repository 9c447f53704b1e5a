// Lays out the rows and cells of a table of a page at a known width: CSS 2, 17.5, and of CSS Tables 3 how widths and heights
// are shared among columns and rows.

import { lazily } from '../lazily.ts';
import { unpackedCells } from '../resolve/plain-node.ts';
import type { FrameNode, Length, PackedCells, RowLayout, SceneNode } from '../resolve/scene.ts';
import type { PlainLines } from '../text/plain-lines.ts';
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

type CellForm = PackedCells['forms'][number];
type RowPlace = RowLayout['cells'][number];

const isRow = (node: SceneNode): node is RowFrame => node.type === 'frame' && node.layout?.type === 'row';

interface Cell {
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

/** @param left how many rows there are from this one on */
const cellsOf = (flow: Flow, frame: RowFrame, left: number): readonly Cell[] =>
  flow.items(frame).flatMap((node, i): readonly Cell[] => {
    const place = frame.layout.cells[i];
    return place ? [{ ...place, rowSpan: Math.min(place.rowSpan, left), node }] : [];
  });

/** Asks something about the cells of each row: of packed ones, nothing is kept but the answers. */
const ofRows = <Found>(flow: Flow, rows: readonly RowFrame[], find: (cell: Cell) => Found): Found[] =>
  rows.flatMap((frame, row) => {
    const ask = () => cellsOf(flow, frame, rows.length - row).map(find);
    return frame.packed ? flow.apart(ask) : ask();
  });

/** The largest of what is asked of each; 0 = all are less. */
const most = <Of>(all: readonly Of[], ask: (one: Of) => number) =>
  all.reduce((found, one) => Math.max(found, ask(one)), 0);
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
  const cells = rows.map((row, index): readonly LaidCell[] =>
    row.packed
      ? samples.cells(row, row.packed, widthOf)
      : cellsOf(flow, row, rows.length - index).map((cell) => laidCell(flow, cell, widthOf(cell))),
  );
  const baselines = cells.map((own) => most(own, ({ align, baseline }) => (align === 'baseline' ? baseline : 0)));
  const heights = rows.map(({ placement: { height } }, index) => {
    const drop = baselines[index] ?? 0;
    const inside = most(cells[index] ?? [], (cell) =>
      cell.rowSpan > 1 ? 0 : cell.align === 'baseline' ? cell.height + (drop - cell.baseline) : cell.height,
    );
    return height.kind === 'px' ? Math.max(height.value, inside) : inside;
  });
  const spanning = cells.flatMap((own, row) => own.flatMap((cell) => (cell.rowSpan > 1 ? [{ ...cell, row }] : [])));
  for (const { row, rowSpan, height } of spanning.sort((a, b) => a.rowSpan - b.rowSpan)) {
    const missing = height - sum(heights.slice(row, row + rowSpan)) - (rowSpan - 1) * spacing.height;
    if (missing <= 0) continue;
    const spanned = Array.from({ length: rowSpan }, (_, i) => row + i);
    // Rows in which others begin that reach down take it first, as in Chromium; then all by their heights.
    const beginning = spanned.slice(1).filter((each) => spanning.some((cell) => cell.row === each));
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
    let share = row.placement.height.kind === 'percent' ? row.placement.height.value : null;
    for (const { rowSpan, content, node } of cells[index] ?? []) {
      const own = (content?.settled ?? node).placement.height;
      if (rowSpan === 1 && own.kind === 'percent') share = Math.max(share ?? own.value, own.value);
    }
    return share === null ? null : (share / 100) * (height - rigid - 2 * spacing.height);
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
    const own = cells[index] ?? [];
    const drop = baselines[index] ?? 0;
    const tall = ({ rowSpan }: Cell) => sum(heights.slice(index, index + rowSpan)) + (rowSpan - 1) * spacing.height;
    const placed = (cell: LaidCell, node: SceneNode, content: LaidContent): PlacedFragment => {
      const left = lefts[cell.column] ?? 0;
      const x = isRtl ? whole - left - cell.width : left;
      const fragment = finished(flow, cell, content, tall(cell), drop);
      return { node, settled: content.settled, x, y: 0, shift: null, fragment };
    };
    const inside = own.flatMap((cell) => (row.packed || !cell.content ? [] : [placed(cell, cell.node, cell.content)]));
    const [cell] = own;
    const lift = cell && cell.firstLine !== null ? cell.firstLine + shiftIn(cell, tall(cell), drop) : null;
    const later = () =>
      flow.items(row).flatMap((node, i) => (own[i] ? [placed(own[i], node, contentOf(flow, own[i], node))] : []));
    const size = { width: Math.max(0, whole), height: heights[index] ?? 0 };
    const baseline = inside[0] ? inside[0].fragment.baseline : lift;
    const fragment = { size, baseline, children: inside, ...(row.packed && { cells: later }) };
    const y = top;
    top += size.height + spacing.height;
    const settled = flow.settled(row, null, { width: null, height: null });
    return { node: row, settled, x: origin.x + spacing.width, y, shift: null, fragment };
  });
  const [first] = children;
  const baseline = first && first.fragment.baseline !== null ? first.y + first.fragment.baseline : null;
  return { size: { width: box.width, height: Math.max(height, natural + rigid) }, baseline, children };
}

/** A cell as it is laid out, and what is in it. */
interface LaidContent {
  readonly settled: SceneNode;
  readonly fragment: Fragment;
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
  readonly content: LaidContent | null;
  /** Of a packed cell whose words are on one line: what lays out those of others like it. */
  readonly lines?: PlainLines | null;
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

/** Lays out the cells of packed rows: of those with one line the first of each form and place, as the others are like it. */
class Samples {
  readonly #flow: Flow;
  readonly #known = new Map<CellForm, { readonly lines: PlainLines | null; like: readonly LaidCell[] }>();

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  cells({ layout }: RowFrame, { forms, words }: PackedCells, widthOf: (cell: RowPlace) => number): readonly LaidCell[] {
    const parts = words.split('\0');
    return forms.flatMap((form, i) => {
      const place = layout.cells[i];
      if (!place) return [];
      const width = widthOf(place);
      const known = this.#of(form);
      const isOneLine = isPlaced(form, known.lines, parts[3 * i + 2] ?? '', width - rigidSize(form.frame, true));
      const { column, align } = place;
      const like = known.like.find((each) => each.column === column && each.width === width && each.align === align);
      if (isOneLine && like) return [like];
      const [node = form.frame] = unpackedCells({ forms: [form], words: parts.slice(3 * i, 3 * i + 3).join('\0') });
      const laid = this.#flow.apart(() => laidCell(this.#flow, { ...place, node }, width));
      if (!isOneLine) return [{ ...laid, node: form.frame, content: null }];
      const own = { ...laid, lines: known.lines };
      known.like = [...known.like, own];
      return [own];
    });
  }

  #of(form: CellForm) {
    let known = this.#known.get(form);
    if (!known) {
      known = { lines: form.text && this.#flow.plainLines(form.text), like: [] };
      this.#known.set(form, known);
    }
    return known;
  }
}

/** Whether the words of a cell are surely on one line, as high as any other. @param room px */
const isPlaced = ({ frame, text }: CellForm, lines: PlainLines | null, words: string, room: number): boolean =>
  frame.placement.relative === null &&
  (!text || (lines !== null && (lines.heightOf(words, room) ?? lines.layOut(words, room)) !== null));

/** What is in a cell of a packed row: laid out once more, or as the one that it is like, with its own words. */
function contentOf(flow: Flow, cell: LaidCell, node: SceneNode): LaidContent {
  const { content, lines, width } = cell;
  const [line] = content?.fragment.children ?? [];
  const [text] = node.type === 'frame' ? node.children : [];
  if (content && (!line || text?.type !== 'text')) return { settled: node, fragment: content.fragment };
  const paragraph = line && text?.type === 'text' && lines?.layOut(text.spans[0]?.text ?? '', line.fragment.size.width);
  if (!content || !line || !text || !paragraph) return laidCell(flow, { ...cell, node }, width).content as LaidContent;
  const words = { ...line, node: text, settled: text, fragment: { ...line.fragment, text: { node: text, paragraph } } };
  return { settled: node, fragment: { ...content.fragment, children: [words] } };
}

/** How far what is in a cell goes down, px. @param drop of the baselines of its row */
const shiftIn = ({ align, natural, baseline }: LaidCell, height: number, drop: number): number =>
  align === 'baseline' ? drop - baseline : (height - natural) * { top: 0, middle: 0.5, bottom: 1 }[align];

/** A cell as high as its rows. @param drop of the baselines of its row */
function finished(
  flow: Flow,
  cell: LaidCell,
  { settled, fragment }: LaidContent,
  height: number,
  drop: number,
): Fragment {
  if (!takesHeight(settled)) return stretched(fragment, height, shiftIn(cell, height, drop));
  const share = { top: 0, baseline: 0, middle: 0.5, bottom: 1 }[cell.align];
  return alignedIn(flow.layOut(settled, { width: cell.width, height, hugs: false }), settled, share);
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
