// Places a laid-out box on a page as far as there is room, and says what is left of it: CSS Fragmentation 3 after layout.
//
// Nothing is laid out again. Boxes are as wide on each page; what is below a break moves up to the top of the next page,
// and so do margins and gaps that a break falls into (section 5.2). A box that cannot be divided, and is higher than a
// page, is cut. The boxes of a piece are made when they are asked for: to know where pages end takes no boxes.

import type { Rect } from '../geometry.ts';
import { borderWidths } from '../layout/border-box.ts';
import type { ColumnFlow, FrameBox, InlineContent, LayoutBox, TextBox } from '../layout/box.ts';
import { isStraight } from '../layout/box-matrix.ts';
import { TableBox } from '../layout/table-box.ts';
import { lazily } from '../lazily.ts';
import type { List } from '../packed-list.ts';
import { PLAIN_FRAME } from '../resolve/plain-node.ts';
import type { FrameNode, TableRowKind } from '../resolve/scene.ts';
import type { Line } from '../text/paragraph.ts';
import { type BoxGroup, BoxGroups, carriedTo, fragmentationOf, isDivisible } from './box-groups.ts';
import { cutFrame, shownPart, window } from './cut-frame.ts';
import type { Landmark, Landmarks } from './landmarks.ts';
import { artefact, moveBox } from './move-box.ts';

/** The margin above a group that is as far below what is above it, px: its own, or of what it begins with. */
function marginAbove({ boxes, gapAbove }: BoxGroup): number {
  const marginOf = (box: LayoutBox | undefined): number => {
    if (!box) return 0;
    const isOpen = box.kind === 'frame' && box.node.layout?.type === 'block' && edgesOf(box).top === 0;
    return Math.max(box.node.placement.margin.top, isOpen ? marginOf(box.children[0]) : 0);
  };
  return Math.max(0, Math.min(gapAbove, ...boxes.map(marginOf)));
}

/** What is left of a box. */
export type Rest =
  | {
      readonly kind: 'frame';
      /** The first group that is not shown yet, and the boxes of it of which something is left, by their place; null = all of it. */
      readonly group: number;
      readonly parts: ReadonlyMap<number, Rest> | null;
      /** Where no group is left: the height that the frame still has, px. */
      readonly height: number;
    }
  | { readonly kind: 'text'; readonly line: number }
  /** Of a row of columns: what is left of what it divides. */
  | { readonly kind: 'columns'; readonly rest: Rest | null }
  /** Of a box below others that go on: it begins on the next page, `above` px below the top there. */
  | { readonly kind: 'later'; readonly above: number }
  /** Of a box that was cut: the height that was shown, px. */
  | { readonly kind: 'cut'; readonly above: number };

type FrameRest = Extract<Rest, { kind: 'frame' }>;

export interface Piece {
  readonly bottom: number;
  /** Makes its box. */
  readonly box: () => LayoutBox;
  /** What begins in it, from top to bottom. */
  readonly landmarks: () => readonly Landmark[];
  /** null = the box ends with this piece. */
  readonly rest: Rest | null;
}

/** Where a piece may be. */
export interface Space {
  /** px on the page. */
  readonly top: number;
  readonly bottom: number;
  /** How far boxes move sideways, px. */
  readonly dx: number;
  /** Whether nothing is above it on the page: then a piece must be placed, even if too high or against a wish. */
  readonly isEmpty: boolean;
  /** Whether nothing is above it that may end a page, such as a heading alone: then it is divided, even against a wish. */
  readonly isHeld: boolean;
  /** px, from the top of the page to its bottom. */
  readonly page: number;
}

/** The space in a frame. */
interface Room extends Space {
  /** From the positions of layout to those on the page, px: of what begins here. */
  readonly shift: number;
  /** The groups that are shown at the bottom of each part. */
  readonly feet: readonly BoxGroup[];
  /** The table that is placed; null = another frame is. */
  readonly table: TableBox | null;
  /** Whether its boxes have margins that collapse, as those of html. */
  readonly keepsMargins: boolean;
  /** What has to be on the page below the last group where that is whole, px: the border and padding right below it. */
  readonly end: number;
}

/** Boxes on a page. */
interface Placed {
  /** Where they end, px. */
  readonly bottom: number;
  readonly boxes: () => readonly LayoutBox[];
  readonly landmarks: () => readonly Landmark[];
}

interface Filled extends Placed {
  readonly rest: Pick<FrameRest, 'group' | 'parts'> | null;
  /** The same for what follows them. */
  readonly shift: number;
}

/** Where a group was placed, and what of it. */
interface GroupPlace {
  readonly parts: ReadonlyMap<number, Rest> | null;
  /** Down to its end. */
  readonly space: Space;
}

type DividedGroup = Placed & { readonly rest: ReadonlyMap<number, Rest> };

const isHead = (kind: TableRowKind) => kind === 'head' || kind === 'group-head';
const isFoot = (kind: TableRowKind) => kind === 'foot' || kind === 'group-foot';

/** Rounding error allowed in sums of heights, px. */
const ROUNDING = 0.01;

/** Where a row of columns may be: its height is the most that each has, px. */
interface ColumnSpace extends Rect {
  /** As in `Space`. */
  readonly isEmpty: boolean;
  /** Whether what has no room in the columns goes on on the next page, rather than in columns beside them. */
  readonly isPaged: boolean;
}

interface FilledColumns {
  readonly pieces: readonly Piece[];
  /** null = nothing is left. */
  readonly rest: Rest | null;
  /** Whether something is higher than a column. */
  readonly isOverfull: boolean;
}

/** Rows of columns that are in each other this deep are not divided: the work would grow with each row. */
const MOST_DEEP = 2;
/** The most columns that are filled beside those that have room. */
const MOST_COLUMNS = 1_000;
/** Chromium's layout unit, px. */
const UNIT = 1 / 64;

export class BoxPlacer {
  readonly #groups: BoxGroups;
  readonly #landmarks: Landmarks;
  readonly #isColumn: boolean;
  readonly #inColumns: () => BoxPlacer = lazily(() => (this.#isColumn ? this : new BoxPlacer(this.#landmarks, true)));

  /** @param isColumn whether it fills columns: these break at other places, and what cannot be divided sticks out of them */
  constructor(landmarks: Landmarks, isColumn = false) {
    this.#landmarks = landmarks;
    this.#isColumn = isColumn;
    this.#groups = new BoxGroups(isColumn);
  }

  /** @returns null if no part of the box can be here: it begins on the next page */
  place(box: LayoutBox, rest: Rest | null, space: Space): Piece | null {
    const room = space.bottom - space.top + ROUNDING;
    if (rest === null && box.rect.height <= room && !this.#groups.hasForcedBreak(box)) {
      const dy = space.top - box.rect.y;
      return {
        bottom: space.top + box.rect.height,
        box: () => moveBox(box, space.dx, dy),
        landmarks: () => this.#landmarks.in(box, dy),
        rest: null,
      };
    }
    const mayWait = !space.isEmpty && !space.isHeld;
    const staysWhole = fragmentationOf(box).avoidsInside && mayWait && !this.#groups.hasForcedBreak(box);
    if (!staysWhole && rest?.kind !== 'cut') {
      if (box.kind === 'frame' && box.flow && box.flow.depth <= MOST_DEEP)
        return this.#placeColumns(box, box.flow, rest, space);
      if (box.kind === 'frame' && this.#groups.of(box).length > 0) {
        return this.#placeFrame(box, rest?.kind === 'frame' ? rest : null, space);
      }
      if (box.kind === 'text' && isDivisibleText(box)) {
        return this.#placeLines(box, rest?.kind === 'text' ? rest.line : 0, space);
      }
    }
    const isHollow = this.#isColumn && !staysWhole && isHollowFrame(box) && room > 1;
    if (rest === null && !space.isEmpty && !isHollow) return null;
    return this.#cutBox(box, rest?.kind === 'cut' ? rest.above : 0, space);
  }

  /** A row of columns that goes on over pages or other columns: each part fills the columns there, and the last balances them. */
  #placeColumns(box: FrameBox, flow: ColumnFlow, rest: Rest | null, space: Space): Piece | null {
    const from = rest?.kind === 'columns' ? rest.rest : null;
    const height = Math.max(0, space.bottom - space.top);
    const at = { x: box.rect.x + space.dx, y: space.top, width: box.rect.width, isEmpty: space.isEmpty, isPaged: true };
    const filled = this.#inColumns().columns(flow, from, { ...at, height });
    if (filled.isOverfull && !space.isEmpty) return null;
    const isLast = filled.rest === null;
    const own = isLast && flow.columns.isBalanced ? this.#inColumns().columnHeight(flow, height, from) : height;
    const { children, landmarks } = isLast ? this.#inColumns().columns(flow, from, { ...at, height: own }) : filled;
    return {
      bottom: space.top + own,
      box: () => ({
        ...box,
        flow: undefined,
        rect: { ...box.rect, x: at.x, y: at.y, height: own },
        children: children(),
      }),
      landmarks,
      rest: isLast ? null : { kind: 'columns', rest: filled.rest },
    };
  }

  /** Columns as high as they may be, with the rules between them. @param from what is left of what they divide; null = all */
  columns(
    flow: ColumnFlow,
    from: Rest | null,
    space: ColumnSpace,
  ): Omit<FilledColumns, 'pieces'> & { children(): readonly LayoutBox[]; landmarks(): readonly Landmark[] } {
    const { count, width, gap, rule } = flow.columns;
    const { pieces, ...filled } = this.#fillColumns(flow, from, space, space.isPaged ? count : MOST_COLUMNS);
    const children = () => {
      const boxes = pieces.map((piece) => piece.box());
      const rules = boxes.slice(1).map(({ rect }): LayoutBox => {
        const x = rect.x + (flow.columns.isRtl ? width + gap / 2 : -gap / 2) - (rule?.width ?? 0) / 2;
        const sideBorders = { top: null, right: null, bottom: null, left: rule };
        const at = { x, y: space.y, width: rule?.width ?? 0, height: space.height };
        return { kind: 'frame', node: { ...PLAIN_FRAME, name: 'column rule', sideBorders }, rect: at, children: [] };
      });
      return rule ? [...rules, ...boxes] : boxes;
    };
    return { ...filled, children, landmarks: () => pieces.flatMap((piece) => piece.landmarks()) };
  }

  /**
   * The height of a row of columns: the least in which all has room, where these are balanced; else all there is.
   *
   * @param most px; null = any
   */
  columnHeight(flow: ColumnFlow, most: number | null, from: Rest | null = null): number {
    const { whole, columns } = flow;
    if (!columns.isBalanced) return most ?? whole.rect.height;
    const fill = (units: number, limit: number) =>
      this.#fillColumns(flow, from, { ...whole.rect, height: units * UNIT, isEmpty: true }, limit);
    let high = Math.ceil(whole.rect.height / UNIT);
    // Breaks that are forced may take more columns than there are.
    const limit = Math.min(MOST_COLUMNS, Math.max(columns.count, fill(high, MOST_COLUMNS).pieces.length));
    // As in Chromium, no less than their share, even if margins go where columns break.
    let low = from === null ? Math.max(0, Math.ceil(high / limit) - 1) : 0;
    const fits = (units: number) => {
      const { rest, isOverfull } = fill(units, limit);
      return rest === null && !isOverfull;
    };
    // Most rows need little more than their share.
    for (let more = 1; low + more < high; more *= 8) {
      if (fits(low + more)) high = low + more;
      else low += more;
    }
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (fits(middle)) high = middle;
      else low = middle;
    }
    return Math.min(high * UNIT, most ?? Number.POSITIVE_INFINITY);
  }

  /** Fills columns one after another. @param limit the most of them */
  #fillColumns(
    { whole, columns: { width, gap, isRtl } }: ColumnFlow,
    from: Rest | null,
    { x, y, height, width: room, isEmpty }: Omit<ColumnSpace, 'isPaged'>,
    limit: number,
  ): FilledColumns {
    const pieces: Piece[] = [];
    let rest = from;
    let isOverfull = false;
    do {
      const index = pieces.length;
      const along = index * (width + gap);
      const dx = (isRtl ? x + room - width - along : x + along) - whole.rect.x;
      // A column has some height, so that each takes something.
      const most = limit === MOST_COLUMNS && index === limit - 1 ? whole.rect.height : Math.max(1, height);
      const isFree = isEmpty || index > 0;
      const space = { top: y, bottom: y + most, dx, isEmpty: isFree, isHeld: isFree, page: most };
      const piece = this.place(whole, rest, space);
      if (!piece) return { pieces, rest, isOverfull: true };
      pieces.push(piece);
      if (piece.bottom > y + Math.max(1, height) + ROUNDING) isOverfull = true;
      rest = piece.rest && !this.isOver(whole, piece.rest) ? piece.rest : null;
    } while (rest !== null && pieces.length < limit);
    return { pieces, rest, isOverfull };
  }

  /** What is left of a frame of which all is shown: nothing, on a page of its own. */
  nothing(frame: FrameBox): Rest {
    return { kind: 'frame', group: this.#groups.of(frame).length, parts: null, height: 0 };
  }

  /** Whether nothing is left of what flows but the empty ends of frames, of those in it only such as are not seen. */
  isOver(flow: LayoutBox, rest: Rest): boolean {
    if (flow.kind !== 'frame' || rest.kind !== 'frame') return false;
    if (rest.parts === null) return rest.height > 0;
    const groups = this.#groups.of(flow);
    return (
      rest.group === groups.length - 1 &&
      Array.from(rest.parts).every(([index, part]) => {
        const box = groups.at(rest.group)?.boxes[index];
        return box?.kind === 'frame' && !isSeen(box.node) && this.isOver(box, part);
      })
    );
  }

  #placeFrame(frame: FrameBox, from: FrameRest | null, space: Space): Piece | null {
    const groups = this.#groups.of(frame);
    const { clones } = fragmentationOf(frame);
    const edges = clones ? edgesOf(frame) : NO_EDGES;
    const first = from?.group ?? 0;
    const repeated = this.#groups.repeatedIn(frame);
    const table = frame instanceof TableBox ? frame : null;
    const heads = from ? repeatedAt('top', repeated, space).filter((group) => isAbove(group, groups.at(first))) : [];
    if (from && table) {
      heads.push(...this.#groups.groupHead(table, first));
      const carried = carriedTo(table, 'head', from.parts ? first + 1 : first);
      if (carried) heads.push(carried);
    }
    const start = space.top + edges.top + (heads.length > 0 ? (table?.rows.outside.top ?? 0) : 0);
    const top = start + heightOf(heads);
    const feet = repeatedAt('bottom', repeated, space);
    const filled = this.#fill(groups, from, {
      ...space,
      // From the positions of layout to those on the page.
      shift: space.top - frame.rect.y,
      top,
      bottom: space.bottom - edges.bottom - (feet.length > 0 ? (table?.rows.outside.bottom ?? 0) : 0),
      feet,
      table,
      keepsMargins: frame.node.layout?.type === 'block',
      end: clones ? 0 : endOf(frame, groups),
    });
    if (!filled) return null;
    const { rest, shift } = filled;
    const whole = from?.group === groups.length ? top + from.height : frame.rect.y + frame.rect.height + shift;
    // Its own padding ends with the page rather than going on over the next one.
    const isLast = rest === null && whole <= space.bottom + edgesOf(frame).bottom + ROUNDING;
    if (!from && !space.isEmpty && endsInPadding(frame, groups.at(rest?.group ?? 0), rest, space)) return null;
    const end = isLast
      ? Math.min(whole, space.bottom)
      : // A table that is closed on each page ends with its rows, other frames with the page.
        Math.max(table && clones ? 0 : space.bottom, filled.bottom + edges.bottom);
    const rect: Rect = { ...frame.rect, x: frame.rect.x + space.dx, y: space.top, height: end - space.top };
    const beside = from || table ? [] : frame.children.filter(({ node }) => node.placement.absolute);
    const node = clones ? frame.node : cutFrame(frame.node, { top: from !== null, bottom: !isLast });
    const box = (): FrameBox => {
      const inFlow = [...again(heads, start, space.dx), ...filled.boxes()];
      const children = table
        ? table.rows.finished(inFlow, rect.x)
        : [...inFlow, ...beside.map((each) => moveBox(each, space.dx, space.top - frame.rect.y))];
      return {
        kind: 'frame',
        node,
        ...(frame.cell && { cell: frame.cell, isContinued: from !== null }),
        ...(frame.tableRow && {
          tableRow: frame.tableRow,
          columns: frame.columns,
          ...(frame.tableRow.lines > 1 && { part: shownPart(frame.tableRow, rect, inFlow) }),
        }),
        rect,
        children,
      };
    };
    const landmarks = () => {
      if (from) return filled.landmarks();
      const dy = space.top - frame.rect.y;
      return [
        ...this.#landmarks.of(frame, dy),
        ...beside.flatMap((each) => this.#landmarks.in(each, dy)),
        ...filled.landmarks(),
      ];
    };
    const piece = { bottom: end, box, landmarks };
    if (isLast) return { ...piece, rest: null };
    if (rest) return { ...piece, rest: { kind: 'frame', ...rest, height: 0 } };
    return { ...piece, rest: { kind: 'frame', group: groups.length, parts: null, height: whole - end } };
  }

  /** Places as many groups as there is room for; null if none can be here. */
  #fill(groups: List<BoxGroup>, from: FrameRest | null, room: Room): Filled | null {
    const first = from?.group ?? 0;
    const placed: Placed[] = [];
    const carried = room.table?.rows.node.carryFoot;
    const carriedHeight = (carried && room.table?.rows.carriedHeight(carried)) ?? 0;
    const forced = carried && room.table ? this.#groups.lastForcedBreak(room.table) : 0;
    const end = groups.at(groups.length - 1)?.bottom ?? 0;
    let shift = room.shift;
    let rest: Filled['rest'] = null;
    let before: GroupPlace | null = null;
    for (let i = first; i < groups.length && rest === null; i += 1) {
      const group = groups.at(i);
      if (!group) break;
      if (placed.length > 0 && this.#groups.between(groups.at(i - 1), group) === 'forced') {
        rest = { group: i, parts: null };
        break;
      }
      const isContinued = from !== null && i === first;
      const parts = isContinued ? from.parts : null;
      const above = isContinued && parts === null ? groups.at(i - 1) : undefined;
      // CSS Fragmentation 3, 5.2: a margin after a forced break stays.
      const keeps = room.keepsMargins && above !== undefined && this.#groups.between(above, group) === 'forced';
      const top = isContinued ? room.top + (keeps ? marginAbove(group) : 0) : group.top + shift;
      // What all fits after has nothing to carry.
      const isEnd = i >= forced && top + end - group.top <= room.bottom + ROUNDING;
      const feet = heightOf(room.feet.filter((foot) => isAbove(group, foot)));
      const isEmpty = room.isEmpty && placed.length === 0;
      const height = group.bottom - group.top;
      const whole = room.bottom - feet - (isEnd ? 0 : carriedHeight);
      const isWholeEnd = i === groups.length - 1 && !parts && top + height <= whole + ROUNDING;
      const bottom = whole - (isWholeEnd && (room.table || !isEmpty) ? room.end : 0);
      const isKept = room.isEmpty || room.isHeld;
      const isHeld =
        isKept &&
        top + height > bottom &&
        this.#breakBefore(groups, i, first) === null &&
        (height > room.page || this.#leastBreakBefore(groups, i, first) === null);
      const space = { ...room, top, bottom, isEmpty, isHeld };
      const done = this.#placeGroup(group, parts, space);
      if (done === null) {
        const divided = before && this.#dividedBefore(groups, i, before);
        if (divided) {
          placed.splice(-1, 1, divided);
          rest = { group: i - 1, parts: divided.rest };
          break;
        }
        const least = isKept ? (this.#leastBreakBefore(groups, i, first) ?? (i > first ? i : null)) : null;
        const cut = this.#breakBefore(groups, i, first) ?? least;
        if (cut === null && !room.isEmpty) return null;
        rest = { group: cut ?? i, parts: null };
        placed.length = rest.group - first;
        break;
      }
      placed.push(done);
      before = { parts, space: { ...space, bottom: done.bottom } };
      if (done.rest) rest = { group: i, parts: done.rest };
      else shift = done.bottom - group.bottom;
    }
    const bottom = placed.at(-1)?.bottom ?? room.top;
    const next = rest && groups.at(rest.group);
    // Below the last group, feet stand where layout has put them.
    const repeated = next ? room.feet.filter((foot) => foot === next || isAbove(next, foot)) : [];
    const after = room.table && rest ? carriedTo(room.table, 'foot', rest.parts ? rest.group + 1 : rest.group) : null;
    const feet = after ? [after, ...repeated] : repeated;
    return {
      boxes: () => [
        ...placed.flatMap((each) => each.boxes()),
        ...again(feet, bottom + (feet[0]?.gapAbove ?? 0), room.dx),
      ],
      landmarks: () => placed.flatMap((each) => each.landmarks()),
      bottom: bottom + heightOf(feet),
      rest,
      shift,
    };
  }

  /** The last group up to `index` before which a page may end; null = there is none. */
  #breakBefore(groups: List<BoxGroup>, index: number, first: number): number | null {
    for (let i = index; i > first; i -= 1) {
      if (this.#groups.between(groups.at(i - 1), groups.at(i)) !== 'avoided') return i;
    }
    return null;
  }

  /** The same between rows where no page may end: of wishes that cannot all be met, those for heads and feet count more. */
  #leastBreakBefore(groups: List<BoxGroup>, index: number, first: number): number | null {
    for (let i = index; i > first; i -= 1) {
      const [above, below] = [groups.at(i - 1)?.row?.kind, groups.at(i)?.row?.kind];
      if (above && below && !isHead(above) && !isFoot(below)) return i;
    }
    return null;
  }

  /**
   * The group before the one at `index`, which no page may separate from it, ended a little earlier: its last rows or
   * lines go along to the next page. null = it cannot be divided there, as rows of a table are not.
   */
  #dividedBefore(groups: List<BoxGroup>, index: number, { parts, space }: GroupPlace): DividedGroup | null {
    const above = groups.at(index - 1);
    if (!above || above.row !== null || this.#groups.between(above, groups.at(index)) !== 'avoided') return null;
    const shorter = { ...space, bottom: space.bottom - 2 * ROUNDING, isEmpty: false, isHeld: false };
    const divided = this.#placeGroup(above, parts, shorter);
    if (!divided?.rest) return null;
    const goesAlong = Array.from(divided.rest).every(([index, rest]) => {
      const box = above.boxes[index];
      return box !== undefined && !isCut(rest) && !this.isOver(box, rest);
    });
    return goesAlong ? { ...divided, rest: divided.rest } : null;
  }

  #placeGroup(
    group: BoxGroup,
    parts: ReadonlyMap<number, Rest> | null,
    space: Space,
  ): (Placed & { readonly rest: ReadonlyMap<number, Rest> | null }) | null {
    const height = group.bottom - group.top;
    if (parts === null && group.row !== null && height <= space.bottom - space.top + ROUNDING) {
      const boxes = () => group.boxes.map((box) => moveBox(box, space.dx, space.top - group.top));
      return { boxes, landmarks: () => [], bottom: space.top + height, rest: null };
    }
    const pieces = new Map<number, Piece>();
    const rest = new Map<number, Rest>();
    const firstBottom = Math.min(...group.boxes.map(bottomOf));
    // Where the boxes begin that have no room on this page, but are below others of the group; null = all have.
    let later: number | null = null;
    for (const [index, box] of group.boxes.entries()) {
      const from = parts?.get(index) ?? null;
      if (parts && !from) continue;
      const hasBegun = from !== null && from.kind !== 'later';
      if (!hasBegun && later !== null && box.rect.y >= later - ROUNDING) {
        rest.set(index, { kind: 'later', above: box.rect.y - later });
        continue;
      }
      const above = from === null ? box.rect.y - group.top : from.kind === 'later' ? from.above : 0;
      // What goes on above it on this page comes first.
      const over = from?.kind === 'later' ? [...pieces].filter(([other]) => endsAbove(group.boxes[other], box)) : [];
      const top = Math.max(
        space.top + above,
        ...over.map(([other, { bottom }]) => bottom + box.rect.y - bottomOf(group.boxes[other])),
      );
      const canWait = !hasBegun && top > space.top + ROUNDING && box.rect.y >= firstBottom - ROUNDING;
      const piece =
        canWait && top >= space.bottom - ROUNDING
          ? null
          : this.place(box, hasBegun ? from : null, {
              ...space,
              top,
              isEmpty: space.isEmpty && !canWait,
              isHeld: space.isHeld && !canWait,
            });
      if (piece) {
        pieces.set(index, piece);
        if (piece.rest) rest.set(index, piece.rest);
        continue;
      }
      if (!canWait) return null;
      later = box.rect.y;
      rest.set(index, { kind: 'later', above: 0 });
      // What is beside it begins with it.
      for (const other of pieces.keys()) {
        const begun = parts?.get(other);
        if ((begun && begun.kind !== 'later') || (group.boxes[other]?.rect.y ?? 0) < later - ROUNDING) continue;
        pieces.delete(other);
        rest.set(other, { kind: 'later', above: 0 });
      }
    }
    const placed = [...pieces.values()];
    return {
      boxes: () => placed.map(({ box }) => box()),
      landmarks: () => placed.flatMap(({ landmarks }) => landmarks()),
      bottom: Math.max(space.top, ...placed.map(({ bottom }) => bottom)),
      rest: rest.size > 0 ? rest : null,
    };
  }

  #placeLines(box: TextBox, first: number, space: Space): Piece | null {
    const { rect, paragraph, content } = box;
    const { lines } = paragraph;
    const left = lines.length - first;
    const start = lines[first]?.box.y ?? 0;
    // A text that is divided is at the top of its first part, however it is aligned, as in Chromium.
    const hasRoom = ({ box: { y, height } }: Line) => y + height - start <= space.bottom - space.top + ROUNDING;
    // No more lines are looked at than have room: a text may be on thousands of pages.
    let fitting = 0;
    for (let line = lines[first]; line && hasRoom(line); line = lines[first + fitting]) fitting += 1;
    const count = fitting === left ? left : linesBeforeBreak(box, left, fitting, space.isEmpty);
    if (count === null) return null;
    const shown = lines.slice(first, first + count);
    const last = shown.at(-1)?.box ?? { y: start, height: 0 };
    const height = last.y + last.height - start;
    const piece = (): TextBox => ({
      ...box,
      rect: { x: rect.x + space.dx, y: space.top, width: rect.width, height },
      paragraph: { ...paragraph, lines: shown },
      // Lines keep their positions in the paragraph, of which only a part is in sight.
      content: { ...content, x: content.x + space.dx, y: space.top - start },
      ...(box.inline && { inline: inlineIn(box.inline, first, count, space.dx, space.top - start - content.y) }),
    });
    const landmarks = () => this.#landmarks.ofLines(box, shown, first, space.top);
    return {
      bottom: space.top + height,
      box: piece,
      landmarks,
      rest: count < left ? { kind: 'text', line: first + count } : null,
    };
  }

  /** A strip of a box that cannot be divided, from `above` on. In columns only what has nothing in it is cut. */
  #cutBox(box: LayoutBox, above: number, space: Space): Piece {
    if (this.#isColumn && !isHollowFrame(box)) {
      const dy = space.top - box.rect.y;
      return {
        bottom: space.top + box.rect.height,
        box: () => moveBox(box, space.dx, dy),
        landmarks: () => this.#landmarks.in(box, dy),
        rest: null,
      };
    }
    const height = Math.min(box.rect.height - above, Math.max(1, space.bottom - space.top));
    const dy = space.top - above - box.rect.y;
    const rect = { ...box.rect, x: box.rect.x + space.dx, y: space.top, height };
    const isLast = above + height >= box.rect.height - ROUNDING;
    return {
      bottom: space.top + height,
      box: () =>
        this.#isColumn && isHollowFrame(box)
          ? { ...box, node: cutFrame(box.node, { top: above > 0, bottom: !isLast }), rect }
          : window(moveBox(box, space.dx, dy), rect),
      landmarks: () => (above === 0 ? this.#landmarks.in(box, dy) : []),
      rest: isLast ? null : { kind: 'cut', above: above + height },
    };
  }
}

/** Heads or feet, unless they would take more than a quarter of the page, as in Chromium. */
function repeatedAt(at: 'top' | 'bottom', repeated: readonly BoxGroup[], { page }: Space): BoxGroup[] {
  const groups = repeated.filter(({ repeatAt }) => repeatAt === at);
  return heightOf(groups) <= page / 4 ? groups : [];
}

/** With the gaps between them and what they belong to, px. */
const heightOf = (groups: readonly BoxGroup[]): number =>
  groups.reduce(
    (sum, { top, bottom, gapAbove, gapBelow, repeatAt }) =>
      sum + bottom - top + (repeatAt === 'top' ? gapBelow : gapAbove),
    0,
  );

const isAbove = (above: BoxGroup | undefined, below: BoxGroup | undefined): boolean =>
  above !== undefined && below !== undefined && above !== below && above.bottom <= below.top + ROUNDING;

/** Groups once more, one below the other. @param top px on the page */
function again(groups: readonly BoxGroup[], top: number, dx: number): readonly LayoutBox[] {
  let at = top;
  return groups.flatMap((group) => {
    const dy = at - group.top;
    at += heightOf([group]);
    return group.boxes.map((box) => artefact(moveBox(box, dx, dy)));
  });
}

const bottomOf = (box: LayoutBox | undefined): number => (box ? box.rect.y + box.rect.height : 0);

const endsAbove = (above: LayoutBox | undefined, box: LayoutBox): boolean =>
  above !== undefined && bottomOf(above) <= box.rect.y + ROUNDING;

/** Whether the end of a frame is seen although nothing is in it. */
const isSeen = ({ background, border, sideBorders, shadows }: FrameNode): boolean =>
  background !== null || border !== null || sideBorders !== null || shadows.length > 0;

/** Whether anything in it was cut where it cannot be divided. */
export function isCut(rest: Rest): boolean {
  if (rest.kind === 'columns') return rest.rest !== null && isCut(rest.rest);
  return rest.kind === 'cut' || (rest.kind === 'frame' && [...(rest.parts?.values() ?? [])].some(isCut));
}

const isDivisibleText = ({ node }: TextBox): boolean =>
  node.arc === null &&
  node.writingMode === 'horizontal-tb' &&
  isStraight(node) &&
  !node.css &&
  node.mask === null &&
  node.blur === 0 &&
  node.filters === null;

/** How many of the lines left stay on this page, of which `fitting` have room; null = none should. */
function linesBeforeBreak(box: TextBox, left: number, fitting: number, isEmpty: boolean): number | null {
  const { orphans, widows } = fragmentationOf(box);
  const count = Math.min(fitting, Math.max(0, left - widows));
  if (count >= Math.min(orphans, left) && count > 0) return count;
  return isEmpty ? Math.max(1, fitting) : null;
}

/** Whether a page would end between the last line of a cell and its end: there CSS allows no break. */
function endsInPadding(
  { cell, tableRow, rect }: FrameBox,
  group: BoxGroup | undefined,
  rest: Filled['rest'],
  { top, bottom }: Space,
): boolean {
  if (!cell && !tableRow) return false;
  const end = rect.y + rect.height;
  return (group?.boxes ?? []).some(
    (box, i) =>
      box.kind === 'text' &&
      !rest?.parts?.has(i) &&
      top - rect.y + box.rect.y + box.content.height + end - bottomOf(box) > bottom + ROUNDING,
  );
}

/** What stands in some of the lines of a text, moved. @param dx @param dy px */
function inlineIn(
  { behind, among }: InlineContent,
  first: number,
  count: number,
  dx: number,
  dy: number,
): InlineContent {
  const shown = (some: InlineContent['among']) =>
    some.flatMap(({ line, box }) =>
      line >= first && line < first + count ? [{ line: line - first, box: moveBox(box, dx, dy) }] : [],
    );
  return { behind: shown(behind), among: shown(among) };
}

/** Whether nothing is in a frame, so that it can be divided anywhere. */
const isHollowFrame = (box: LayoutBox): box is FrameBox =>
  box.kind === 'frame' && box.children.length === 0 && isDivisible(box);

/** CSS Fragmentation 3, 4.1: between a box and the end of the one that it is in, a page may end only where there is a gap. */
function endOf(frame: FrameBox, groups: List<BoxGroup>): number {
  const { bottom } = edgesOf(frame);
  const below = frame.rect.y + frame.rect.height - (groups.at(groups.length - 1)?.bottom ?? 0);
  const { height, minHeight } = frame.node.placement;
  if (frame instanceof TableBox || below <= bottom + ROUNDING) return bottom;
  // A margin is no gap.
  return bottom > 0 && height.kind === 'hug' && minHeight === null ? below : 0;
}

const NO_EDGES = { top: 0, bottom: 0 };

/** Border and padding, px. */
function edgesOf({ node }: FrameBox): { readonly top: number; readonly bottom: number } {
  const border = borderWidths(node);
  return { top: border.top + node.padding.top, bottom: border.bottom + node.padding.bottom };
}
