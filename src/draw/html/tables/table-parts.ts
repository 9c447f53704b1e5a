// Says which declarations make satori measure the parts of a table, and draw each at its place.

import { type HtmlElement, isElement } from '../parse-html.ts';
import { behindCells } from './cell-backgrounds.ts';
import type { CellBorders } from './collapsed-borders.ts';
import type { Table } from './read-tables.ts';
import type { TableCell } from './table-grid.ts';
import { outside, outsideAcross, outsideDown, type Sizes, starts, sum, widthOfCell } from './table-sizes.ts';
import { SIDES, type TableStyles } from './table-styles.ts';

/** By property. */
export type Declared = Readonly<Record<string, string>>;

export const px = (length: number): string => `${Math.round(length * 1e6) / 1e6}px`;

/** Satori would draw a shadow where a variable holds `none`. */
const NO_SHADOW = '0 0 0 transparent';
export const UNBOUNDED: Declared = { 'min-width': '0', 'max-width': 'none' };
/** A box of this height is as high as its borders and padding. */
const NO_HEIGHT: Declared = { height: '0', 'min-height': '0', 'box-sizing': 'border-box' };
const BARE: Declared = {
  margin: '0',
  padding: '0',
  'border-width': '0',
  float: 'none',
  'min-height': '0',
  'max-height': 'none',
};

/** Every part as a block that its table's box does not depend on, for measuring. */
export function* restingParts(
  { element, grid, borders }: Table,
  styles: TableStyles,
): Iterable<readonly [HtmlElement, Declared]> {
  const position = styles.declared(element, 'position') ?? 'static';
  const table: Record<string, string> = { display: 'block' };
  if (/^(static|inherit|initial)$/i.test(position)) table.position = 'relative';
  if (borders)
    Object.assign(table, {
      padding: '0',
      'border-radius': '0',
      'border-style': 'solid',
      'border-color': 'transparent',
    });
  if (borders) for (const side of SIDES) table[`border-${side}-width`] = px(borders.edges[side]);
  yield [element, table];
  for (const caption of grid.captions) yield [caption, { display: 'block', position: 'absolute', left: '0', top: '0' }];
  for (const column of grid.columnElements) {
    yield [column, { ...BARE, display: 'block', position: 'absolute', left: '0', top: '0', background: 'none' }];
  }
  for (const section of grid.sections)
    yield [section.element, { ...BARE, display: 'block', height: '0', 'background-color': 'transparent' }];
  for (const row of grid.rows) {
    yield [
      row.element,
      { ...BARE, display: 'block', position: 'absolute', left: '0', top: '0', 'background-color': 'transparent' },
    ];
  }
  for (const cell of grid.cells) {
    const own: Record<string, string> = {
      display: 'block',
      position: 'absolute',
      left: '0',
      top: '0',
      margin: '0',
      float: 'none',
    };
    const around = borders?.cells.get(cell);
    if (around) Object.assign(own, borderDeclarations(around));
    if (cell.element.name === 'th' && styles.declared(cell.element, 'text-align') === null) {
      const row = styles.parentOf(cell.element);
      const inherited = row && styles.inherited(row, 'text-align');
      if (inherited === null || /^(start|initial)$/i.test(inherited)) own['text-align'] = 'center';
    }
    yield [cell.element, own];
  }
}

function borderDeclarations(around: CellBorders): Declared {
  const own: Record<string, string> = { 'border-radius': '0' };
  for (const side of SIDES) {
    const here = around[side];
    const border = here?.isOwn ? here.border : null;
    own[`border-${side}-width`] = px(border?.width ?? 0);
    own[`border-${side}-style`] = border?.style ?? 'none';
    own[`border-${side}-color`] = border?.color ?? 'transparent';
  }
  return own;
}

/** The least widths of cells, in a table that is as high as its borders and padding. */
export function* narrowParts({ element, grid }: Table): Iterable<readonly [HtmlElement, Declared]> {
  yield [element, NO_HEIGHT];
  for (const cell of grid.cells) yield [cell.element, { width: 'min-content' }];
}

/** The widths that are declared for cells, or those that they want. */
export function* wideParts(table: Table, styles: TableStyles): Iterable<readonly [HtmlElement, Declared]> {
  const { element, grid } = table;
  if (isPlain(table, styles) && styles.declared(element, 'width') === null) {
    yield [element, { width: roomOf(element, styles) }];
  }
  for (const cell of grid.cells) {
    if (!styles.hasLength(cell.element, 'width')) yield [cell.element, { width: 'max-content' }];
  }
}

/** Whether the width that a table may take does not depend on what is in it. */
export function isPlain({ element, grid, level }: Table, styles: TableStyles): boolean {
  const parent = styles.parentOf(element);
  const isItem = parent !== null && /flex|grid/i.test(styles.declared(parent, 'display') ?? '');
  return level === 0 && grid.cells.length > 0 && !isItem && styles.declared(element, 'min-width') === null;
}

/** As wide as the table would be in its place, for satori to say how much that is. */
export function askedWidth({ element }: Table, styles: TableStyles, own: Sizes): Declared {
  const least = styles.declared(element, 'min-width');
  const min = least === null ? px(own.min) : `max(${px(own.min)}, ${least})`;
  if (styles.declared(element, 'width') !== null) return { 'min-width': min };
  const room = roomOf(element, styles);
  const most = styles.declared(element, 'max-width');
  const max = most === null || /^none$/i.test(most) ? room : `min(${room}, ${most})`;
  const width = isStretched(element, styles) ? room : px(own.max);
  return { width, 'min-width': min, 'max-width': max };
}

/** The width of what a table stands in, less its margins. */
function roomOf(element: HtmlElement, styles: TableStyles): string {
  const margins = ['margin-left', 'margin-right']
    .map((name) => styles.declared(element, name))
    .filter((each) => each !== null && Number.parseFloat(each) !== 0);
  return margins.length === 0 ? '100%' : `calc(100% - ${margins.map((each) => `(${each})`).join(' - ')})`;
}

/** Whether the table is an item that is as wide as its flex container or grid area. */
function isStretched(element: HtmlElement, styles: TableStyles): boolean {
  const parent = styles.parentOf(element);
  const display = (parent && styles.declared(parent, 'display')) ?? '';
  if (!parent || !/flex|grid/i.test(display)) return false;
  const flow = `${styles.declared(parent, 'flex-direction') ?? ''} ${styles.declared(parent, 'flex-flow') ?? ''}`;
  if (/flex/i.test(display) && !/column/i.test(flow)) return false;
  if (['margin-left', 'margin-right'].some((name) => styles.isAuto(element, name))) return false;
  const align = /grid/i.test(display)
    ? (styles.declared(element, 'justify-self') ?? styles.declared(parent, 'justify-items'))
    : (styles.declared(element, 'align-self') ?? styles.declared(parent, 'align-items'));
  return align === null || /^(stretch|normal)$/i.test(align);
}

/** Rows as flex containers, so that satori says how high cells are, and where their first baselines meet. */
export function* rowParts(
  { grid, borders, spacing }: Table,
  styles: TableStyles,
  own: Sizes,
): Iterable<readonly [HtmlElement, Declared]> {
  for (const caption of grid.captions) yield [caption, { height: 'auto' }];
  for (const { element } of grid.rows) {
    yield [
      element,
      {
        display: 'flex',
        'flex-flow': 'row nowrap',
        'align-items': 'flex-start',
        width: 'max-content',
        height: 'auto',
        gap: '0',
      },
    ];
  }
  for (const cell of grid.cells) {
    const width = px(widthOfCell(cell, own, spacing[0]) + outsideAcross(borders?.cells.get(cell)));
    const isOnBaseline = styles.verticalAlign(cell.element) === 'baseline';
    const align = isOnBaseline ? 'baseline' : 'flex-start';
    yield [
      cell.element,
      {
        position: 'relative',
        flex: 'none',
        'box-sizing': 'border-box',
        ...UNBOUNDED,
        width,
        height: 'auto',
        'min-height': '0',
        'padding-top': paddingTop(cell, styles, 0),
        'align-self': align,
      },
    ];
  }
}

/** Each part at its place. */
export function* placedParts(
  table: Table,
  styles: TableStyles,
  own: Sizes,
): Iterable<readonly [HtmlElement, Declared]> {
  const { element, grid, borders, spacing, isCaptionBelow } = table;
  const [across, down] = spacing;
  const lefts = starts(own.widths, across);
  const tops = starts(own.heights, down);
  const inner = sum(own.widths) + across * Math.max(0, own.widths.length - 1);
  const captions = sum(own.captions);
  const gridTop = isCaptionBelow ? 0 : captions;
  yield [
    element,
    {
      ...{ ...UNBOUNDED, 'min-height': '0', 'max-height': 'none', 'box-sizing': 'border-box', flex: 'none' },
      ...{ width: px(own.width), height: px(own.height + captions) },
      ...(grid.captions.length > 0 ? gridBox(table, styles, gridTop, own.height) : {}),
    },
  ];
  let captionTop = isCaptionBelow ? own.height : 0;
  for (const [i, caption] of grid.captions.entries()) {
    yield [caption, { left: '0', top: px(captionTop), width: px(own.width), 'box-sizing': 'border-box' }];
    captionTop += own.captions[i] ?? 0;
  }
  // The box of a table with a caption has no borders: those are drawn around its grid.
  const origin =
    grid.captions.length === 0
      ? own.origin
      : { x: own.origin.x + own.border.x, y: own.origin.y + own.border.y + gridTop };
  const left = origin.x + across;
  const rowBox = (first: number, count: number) => {
    const top = tops[first] ?? 0;
    const height = sum(own.heights.slice(first, first + count)) + down * Math.max(0, count - 1);
    return { top, height };
  };
  for (const { element: section, first, count } of grid.sections) {
    const { top, height } = rowBox(first, count);
    yield [
      section,
      { position: 'absolute', left: px(left), top: px(origin.y + top), width: px(inner), height: px(height) },
    ];
  }
  for (const [index, { element: row, section }] of grid.rows.entries()) {
    const { top, height } = rowBox(index, 1);
    const from = rowBox(section.first, 1).top;
    yield [
      row,
      { left: '0', top: px(top - from), width: px(inner), height: px(height), 'min-width': '0', 'max-width': 'none' },
    ];
  }
  const whole = rowBox(0, grid.rows.length);
  for (const [index, { column, group }] of grid.columns.entries()) {
    if (group && group !== grid.columns[index - 1]?.group) {
      const count = grid.columns.filter((each) => each.group === group).length;
      const width = sum(own.widths.slice(index, index + count)) + across * (count - 1);
      yield [
        group,
        {
          left: px(origin.x + (lefts[index] ?? 0)),
          top: px(origin.y + whole.top),
          width: px(width),
          height: px(whole.height),
        },
      ];
    }
    if (column && column !== grid.columns[index - 1]?.column) {
      const from = lefts[grid.columns.findIndex((each) => each.group === group)] ?? 0;
      const count = grid.columns.filter((each) => each.column === column).length;
      const width = sum(own.widths.slice(index, index + count)) + across * (count - 1);
      yield [column, { left: px((lefts[index] ?? 0) - from), top: '0', width: px(width), height: px(whole.height) }];
    }
  }
  for (const cell of grid.cells) {
    const around = borders?.cells.get(cell);
    const { height } = rowBox(cell.row, cell.rowSpan);
    const declared: Record<string, string> = {
      ...{ position: 'absolute', 'box-sizing': 'border-box', ...UNBOUNDED, 'min-height': '0', 'max-height': 'none' },
      left: px((lefts[cell.column] ?? 0) - across - outside(around, 'left')),
      top: px(-outside(around, 'top')),
      width: px(widthOfCell(cell, own, across) + outsideAcross(around)),
      height: px(height + outsideDown(around)),
      'padding-top': paddingTop(cell, styles, own.shifts.get(cell) ?? 0),
    };
    const isEmpty = !cell.element.children.some((child) => isElement(child) || child.trim() !== '');
    if (isEmpty && !borders && /^hide$/i.test(styles.inherited(cell.element, 'empty-cells') ?? '')) {
      Object.assign(declared, { background: 'none', 'border-color': 'transparent', 'box-shadow': NO_SHADOW });
    } else Object.assign(declared, behindCells(grid, cell, styles));
    yield [cell.element, declared];
  }
}

/** A table with a caption has two boxes: its element is the outer one, and `::before` the one that is decorated. */
function gridBox({ element, borders }: Table, styles: TableStyles, top: number, height: number): Declared {
  const { color, image } = styles.background(element);
  const sides = SIDES.map((side) => {
    const border = borders ? null : styles.borderText(element, side);
    return [`--platen-border-${side}`, border ?? '0px none transparent'] as const;
  });
  return {
    ...{ background: 'none', 'border-width': '0', padding: '0', 'box-shadow': NO_SHADOW },
    ...{ '--platen-top': px(top), '--platen-height': px(height), ...Object.fromEntries(sides) },
    '--platen-background':
      image === null ? (color ?? 'none') : color === null ? image : `${image}, linear-gradient(${color},${color})`,
    '--platen-radius': (borders ? null : styles.declared(element, 'border-radius')) ?? '0px',
    '--platen-shadow': shadowOf(element, styles),
  };
}

function shadowOf(element: HtmlElement, styles: TableStyles): string {
  const shadow = styles.declared(element, 'box-shadow');
  return shadow === null || /^none$/i.test(shadow) ? NO_SHADOW : shadow;
}

function paddingTop({ element }: TableCell, styles: TableStyles, shift: number): string {
  const own = styles.declared(element, 'padding-top') ?? '0px';
  return shift === 0 ? own : `calc((${own === '0' ? '0px' : own}) + ${px(shift)})`;
}
