// Divides what is in a frame into groups, one below the other: the children of a column, the rows of a grid, the lines
// of a wrapping row. A page can end between two groups, and the children of one group go on beside each other (CSS
// Fragmentation 3, section 2: parallel fragmentation flows).

import type { FrameBox, LayoutBox } from '../layout/box.ts';
import { isStraight } from '../layout/box-matrix.ts';
import { PackedRowBox, TableBox } from '../layout/table-box.ts';
import type { List } from '../packed-list.ts';
import { WHOLE } from '../resolve/resolve-pages.ts';
import type { Fragmentation, RowLook } from '../resolve/scene.ts';

export interface BoxGroup {
  readonly boxes: readonly LayoutBox[];
  /** px on the canvas, from the top of the highest to the bottom of the lowest. */
  readonly top: number;
  readonly bottom: number;
  /** Where all of it is shown again on each page; null = nowhere. */
  readonly repeatAt: 'top' | 'bottom' | null;
  /** Whether a page has to, or should not, begin or end with it: of a row of a table. null = it is none. */
  readonly row: Pick<RowLook, 'before' | 'after' | 'kind'> | null;
  /** To its neighbours, px; 0 where there is none. */
  readonly gapAbove: number;
  readonly gapBelow: number;
}

/** Overlaps that are rounding errors, px. */
const ROUNDING = 0.01;

const bottomOf = ({ rect }: LayoutBox) => rect.y + rect.height;

export class BoxGroups {
  readonly #known = new WeakMap<FrameBox, List<BoxGroup>>();
  readonly #repeated = new WeakMap<FrameBox, readonly BoxGroup[]>();
  readonly #forced = new WeakMap<FrameBox, boolean>();
  readonly #lastForced = new WeakMap<TableBox, number>();

  readonly #isColumn: boolean;

  /** @param isColumn whether what is divided stands in columns */
  constructor(isColumn = false) {
    this.#isColumn = isColumn;
  }

  #isForced(wanted: Fragmentation['before']): boolean {
    return wanted === 'page' || (this.#isColumn && wanted === 'column');
  }

  /** From top to bottom; none for a frame that cannot be divided. */
  of(frame: FrameBox): List<BoxGroup> {
    let groups = this.#known.get(frame);
    if (!groups) {
      groups = !isDivisible(frame) ? [] : frame instanceof TableBox ? new RowGroups(frame) : groupsIn(frame);
      if (!(frame instanceof PackedRowBox)) this.#known.set(frame, groups);
    }
    return groups;
  }

  /** Those that are shown on each page. */
  repeatedIn(frame: FrameBox): readonly BoxGroup[] {
    let repeated = this.#repeated.get(frame);
    if (!repeated) {
      repeated = Array.from(this.of(frame)).filter(({ repeatAt }) => repeatAt !== null);
      this.#repeated.set(frame, repeated);
    }
    return repeated;
  }

  /** Whether a page has to begin with it: CSS propagates the break of the first child to its frame. */
  beginsPage(box: LayoutBox): boolean {
    if (this.#isForced(fragmentationOf(box).before)) return true;
    if (box instanceof TableBox || box instanceof PackedRowBox) return false;
    return (
      box.kind === 'frame' &&
      (this.of(box)
        .at(0)
        ?.boxes.some((child) => this.beginsPage(child)) ??
        false)
    );
  }

  endsPage(box: LayoutBox): boolean {
    if (this.#isForced(fragmentationOf(box).after)) return true;
    if (box instanceof TableBox || box instanceof PackedRowBox) return false;
    return (
      box.kind === 'frame' &&
      (this.of(box)
        .at(-1)
        ?.boxes.some((child) => this.endsPage(child)) ??
        false)
    );
  }

  /** Whether a page has to end somewhere between what is in it. */
  hasForcedBreak(box: LayoutBox): boolean {
    if (box.kind !== 'frame' || box instanceof PackedRowBox) return false;
    let known = this.#forced.get(box);
    if (known === undefined) {
      known =
        box instanceof TableBox
          ? this.lastForcedBreak(box) > 0
          : Array.from(this.of(box)).some(
              ({ boxes }, i, groups) =>
                boxes.some((child) => this.hasForcedBreak(child)) ||
                (i > 0 && this.between(groups[i - 1], groups[i]) === 'forced'),
            );
      this.#forced.set(box, known);
    }
    return known;
  }

  /** The last row of a table that has to begin a page; 0 = none has. */
  lastForcedBreak(table: TableBox): number {
    let last = this.#lastForced.get(table);
    if (last === undefined) {
      const { rows } = table.rows.node;
      last = rows.length - 1;
      while (last > 0 && rows.look(last)?.before !== 'page') last -= 1;
      this.#lastForced.set(table, last);
    }
    return last;
  }

  /** The rows of a table that are shown again on a page that begins with row `next`, below its header. */
  groupHead(table: TableBox, next: number): readonly BoxGroup[] {
    const { rows, repeatsGroupHead } = table.rows.node;
    const start = repeatsGroupHead ? rows.group(next) : null;
    if (start === null || next <= start) return [];
    let end = start;
    while (rows.look(end)?.kind === 'group-head') end += 1;
    return next < end ? [] : Array.from({ length: end - start }, (_, i) => new RowGroup(table, start + i, true));
  }

  /** Whether a page has to end, may end, or should not end between two groups. */
  between(above: BoxGroup | undefined, below: BoxGroup | undefined): 'forced' | 'allowed' | 'avoided' {
    if (!above || !below) return 'allowed';
    // A head never ends a page, and a foot never begins one.
    if (above.row !== null && below.row !== null) {
      if (below.row.before === 'page') return 'forced';
      return above.row.after === 'avoid' || below.row.before === 'avoid' ? 'avoided' : 'allowed';
    }
    if (above.boxes.some((box) => this.endsPage(box)) || below.boxes.some((box) => this.beginsPage(box))) {
      return 'forced';
    }
    const isAvoided =
      above.repeatAt === 'top' ||
      above.boxes.some((box) => fragmentationOf(box).after === 'avoid') ||
      below.boxes.some((box) => fragmentationOf(box).before === 'avoid');
    return isAvoided ? 'avoided' : 'allowed';
  }
}

export const fragmentationOf = ({ node }: LayoutBox) => node.fragmentation ?? WHOLE;

/** What is turned, masked or blurred as a whole stays whole, and so does what clips more than it shows. */
export function isDivisible(frame: FrameBox): boolean {
  const { mask, blur, filters, layout, clip, css } = frame.node;
  if (frame.flow) return false;
  if (layout === null || !isStraight(frame.node) || mask !== null || blur !== 0 || filters !== null) return false;
  if (css && (css.transform ?? css.clip ?? css.dropShadows[0])) return false;
  return !clip || frame.children.every((child) => bottomOf(child) <= bottomOf(frame) + ROUNDING);
}

function groupsIn(frame: FrameBox): readonly BoxGroup[] {
  const inFlow = frame.children.filter(({ node }) => !node.placement.absolute);
  const groups: { boxes: LayoutBox[]; top: number; bottom: number }[] = [];
  for (const box of isInOrder(inFlow) ? inFlow : inFlow.toSorted((a, b) => a.rect.y - b.rect.y)) {
    const last = groups.at(-1);
    if (last && box.rect.y < last.bottom - ROUNDING) {
      last.boxes.push(box);
      last.bottom = Math.max(last.bottom, bottomOf(box));
    } else {
      groups.push({ boxes: [box], top: box.rect.y, bottom: bottomOf(box) });
    }
  }
  return groups.map((group, i) => {
    const [first] = group.boxes;
    const at = first ? fragmentationOf(first).repeatAt : null;
    const [above = group, below = group] = [groups[i - 1], groups[i + 1]];
    const gapAbove = above === group ? 0 : group.top - above.bottom;
    const gapBelow = below === group ? 0 : below.top - group.bottom;
    return {
      ...group,
      gapAbove,
      gapBelow,
      row: null,
      repeatAt: group.boxes.every((box) => fragmentationOf(box).repeatAt === at) ? at : null,
    };
  });
}

/** The rows of a table, of which a long one has very many: each is made when it is asked for. */
class RowGroups implements List<BoxGroup> {
  readonly #table: TableBox;
  /** By number: these are compared. */
  readonly #repeated = new Map<number, RowGroup>();

  constructor(table: TableBox) {
    this.#table = table;
  }

  get length(): number {
    return this.#table.rows.count;
  }

  at(index: number): RowGroup | undefined {
    if (index < 0 || index >= this.length) return undefined;
    const group = this.#repeated.get(index) ?? new RowGroup(this.#table, index);
    if (group.repeatAt !== null) this.#repeated.set(index, group);
    return group;
  }

  *[Symbol.iterator](): Generator<RowGroup> {
    for (let i = 0; i < this.length; i += 1) yield this.at(i) as RowGroup;
  }
}

/** A row of a table. Its boxes are made when a page has it. */
class RowGroup implements BoxGroup {
  readonly #table: TableBox;
  readonly #index: number;

  readonly #isContinued: boolean;

  /** @param isContinued whether it is the header of a group, shown again */
  constructor(table: TableBox, index: number, isContinued = false) {
    this.#table = table;
    this.#index = index;
    this.#isContinued = isContinued;
  }

  get boxes(): readonly LayoutBox[] {
    return [this.#table.row(this.#index, this.#isContinued)];
  }

  get top(): number {
    return this.#table.rect.y + this.#table.rows.top(this.#index);
  }

  get bottom(): number {
    return this.#table.rect.y + this.#table.rows.top(this.#index + 1);
  }

  get row(): RowLook | null {
    return this.#table.rows.node.rows.look(this.#index) ?? null;
  }

  get repeatAt(): 'top' | 'bottom' | null {
    const { repeatsHead, repeatsFoot } = this.#table.rows.node;
    const kind = this.row?.kind;
    return kind === 'head' && repeatsHead ? 'top' : kind === 'foot' && repeatsFoot ? 'bottom' : null;
  }

  get gapAbove(): number {
    return 0;
  }

  get gapBelow(): number {
    return 0;
  }
}

/** What a table carries to a page that begins with row `next`; null = nothing. */
export function carriedTo(table: TableBox, at: 'head' | 'foot', next: number): BoxGroup | null {
  const { rows, rect } = table;
  const carried = at === 'head' ? rows.node.carryHead : rows.node.carryFoot;
  if (!carried || next >= rows.count || carried.texts.at(next)?.length === 0) return null;
  return {
    get boxes() {
      return [rows.carriedRow(carried, next, { x: rect.x, y: 0 })];
    },
    ...{ top: 0, bottom: rows.carriedHeight(carried), repeatAt: null, row: null, gapAbove: 0, gapBelow: 0 },
  };
}

const isInOrder = (boxes: readonly LayoutBox[]): boolean =>
  boxes.every((box, i) => i === 0 || box.rect.y >= (boxes[i - 1]?.rect.y ?? 0));
