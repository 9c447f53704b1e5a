// Tables, their rows, cells and captions as nodes (CSS 2, 17).

import type { CssElement } from '../css/selectors.ts';
import { PLAIN_FRAME, PLAIN_NODE, unpackedCells } from '../resolve/plain-node.ts';
import { WHOLE } from '../resolve/resolve-pages.ts';
import type { Border, FrameNode, RowLayout, SceneNode, Sides } from '../resolve/scene.ts';
import type { Counters } from '../text/counters.ts';
import { backgroundOnce, fillOf, inFront, NO_BACKGROUND } from './backgrounds.ts';
import { BlockFlow, type FlowBuilder, LETTERS } from './block-flow.ts';
import type { BoxContext, Framed, PartCascades, Where } from './box-context.ts';
import { inColumns } from './column-frames.ts';
import { type WordsOf, wordsAlone } from './inline-run.ts';
import { asLength, parsePx } from './lengths.ts';
import { asBorders, type Background, isFilled } from './paint-style.ts';
import { breaksOf, columnsOf, NO_EDGES } from './placement.ts';
import { splitValue } from './shorthands.ts';
import type { Style, StyleKind } from './style.ts';
import {
  type CellForm,
  collapsedBorders,
  displayOf,
  NO_WORDS,
  type PackedCell,
  packedCell,
  RowPacker,
  type TableCellModel,
  tableModel,
  withTables,
} from './table-model.ts';
import { cellAlignment } from './text-style.ts';

/** How the words of cells are that are alike, and the form of the latest with words. */
export interface CellWords {
  readonly context: BoxContext;
  readonly words: WordsOf;
  latest?: { readonly around: readonly unknown[]; readonly form: CellForm };
}

/** What a table asks of whoever builds the page. */
interface TableBuilder extends FlowBuilder {
  readonly counters: Counters;
  readonly parts: PartCascades;
  /** From how many rows on a table's are packed. */
  readonly longTable: number;
  /** Of cells, by their kind, as they were last. */
  readonly cellWords: Map<StyleKind, CellWords>;
  readonly isInFirstLine: boolean;
  /** The place of the next box among all of the page. */
  nextOrder(): number;
  styleOf(element: CssElement, parent: Style | null): Style;
  styleIn(element: CssElement, table: Style): Style;
  contextOf(element: CssElement, style: Style, around: BoxContext): BoxContext;
  containing(style: Style, around: BoxContext, within: 'row' | Where['within'], positions: SceneNode[]): BoxContext;
  raised<Node extends SceneNode>(node: Node, style: Style, within: 'row' | Where['within'], order: number): Node;
  told(element: CssElement, node: SceneNode): void;
  inBlock<T>(element: CssElement, style: Style, isApart: boolean, build: () => T): T;
  children(element: CssElement, style: Style, flow: BlockFlow, context: BoxContext): void;
  element(element: CssElement, flow: BlockFlow, around: BoxContext): void;
  anonymousTable(element: CssElement, around: Style, flow: BlockFlow, context: BoxContext): void;
  frame(element: CssElement, style: Style, around: BoxContext, where: Where): FrameNode;
  readonly framed: Framed;
}

/** A table, with its captions around it. */
export function tableNode(
  builder: TableBuilder,
  element: CssElement,
  style: Style,
  around: BoxContext,
  where: Where,
): FrameNode {
  const positions: SceneNode[] = [];
  const context = builder.containing(style, around, where.within, positions);
  const model = tableModel(element.children, (child) => builder.styleIn(child, style));
  const isCollapsed = style.word('border-collapse') === 'collapse';
  const collapsed = isCollapsed ? collapsedBorders(style, model) : null;
  const [across = 0, down = across] = splitValue(style.get('border-spacing') || '0').map((each) =>
    Math.max(0, parsePx(each, style.units) ?? 0),
  );
  const name = builder.nameOf(element, around);
  // What is behind a row shows in its cells alone: where something is between them, or they reach beyond the row, they have it.
  const isBroken =
    (!isCollapsed && across > 0) || model.rows.some(({ cells }) => cells.some(({ rowSpan }) => rowSpan > 1));
  const packer = model.rows.length < builder.longTable ? null : new RowPacker();
  /** A row as the one before it, without its name and cells, and by what it is that. */
  let latest: { readonly alike: readonly unknown[]; readonly row: FrameNode } | null = null;
  const rows = model.rows.map((row, index): FrameNode => {
    const isNewGroup = row.group !== model.rows[index - 1]?.group;
    if (isNewGroup && row.group) builder.counters.enter(row.group);
    if (row.style) builder.counters.enter(row.style);
    const own = row.style;
    const fill = [own, row.group].map((each) => each && backgroundOnce(each)).find((each) => each && isFilled(each));
    const isInCells = isBroken && fill?.layers.length === 0;
    if (isBroken && fill && fill.layers.length > 0)
      (own ?? style).lost('background-image', 'of a row whose cells are apart or over several rows');
    const order = builder.nextOrder();
    const placed: SceneNode[] = [];
    const inRow = own ? builder.containing(own, context, 'row', placed) : context;
    const look = own && builder.lookOf(own).effects;
    const { translate: _, ...effects } = look ?? { translate: null };
    if (isCollapsed && look && look.opacity < 1) own?.lost('opacity', 'of a row with borders that collapse');
    const around = own ?? row.group ?? style;
    const packing = row.kind === 'body' && row.cells.every(({ rowSpan }) => rowSpan === 1) ? packer : null;
    const cells = row.cells.map((cell) => {
      const behind = fill ? (isInCells ? fill : undefined) : model.behind[cell.column];
      const borders = collapsed?.of(cell) ?? null;
      const quick = packing && quickCell(builder, packing, cell, inRow, [borders, behind]);
      if (quick) return quick;
      const node = cellNode(builder, cell, around, inRow, borders, behind);
      const isTarget = cell.style?.element.attributes.has('id');
      return (!isTarget && packing?.packed(node, cell.style, [borders, behind])) || node;
    });
    const packed = packing ? cells.filter((cell) => 'form' in cell) : [];
    if (own) builder.counters.leave();
    if (row.group && row.group !== model.rows[index + 1]?.group) builder.counters.leave();
    const rowLike = (): FrameNode => {
      const height = own?.mixed('height');
      const layout: RowLayout = {
        type: 'row',
        cells: row.cells.map(({ style: of, column, span, rowSpan }) => ({
          ...{ column, span, rowSpan, align: cellAlignment(of) },
        })),
      };
      return {
        ...PLAIN_FRAME,
        ...effects,
        name: '',
        layout,
        background: !fill || isInCells || own?.word('visibility') === 'hidden' ? null : fillOf(fill, style),
        placement: {
          ...PLAIN_NODE.placement,
          absolute: false,
          ...(height && { height: asLength(height) }),
        },
        fragmentation: {
          ...(own ? breaksOf(own) : WHOLE),
          avoidsInside: true,
          repeatAt: row.kind === 'head' ? 'top' : row.kind === 'foot' ? 'bottom' : null,
        },
      };
    };
    const places = row.cells.flatMap((cell) => [cell.column, cell.span, cell.rowSpan, cellAlignment(cell.style)]);
    const alike = [own?.kind, row.group, fill, row.kind, ...places];
    if (!latest || latest.alike.length !== alike.length || alike.some((each, i) => each !== latest?.alike[i]))
      latest = { alike, row: rowLike() };
    const rowName = own ? builder.nameOf(own.element, context) : `${name} row ${index + 1}`;
    const children = () => cells.flatMap((cell) => ('form' in cell ? unpackedCells(cell) : [cell]));
    const made =
      packing && packed.length === cells.length && placed.length === 0
        ? packing.row(latest.row, rowName, packed)
        : { ...latest.row, name: rowName, children: [...children(), ...placed] };
    const shown = own ? builder.raised(made, own, 'row', order) : made;
    if (own) builder.told(own.element, shown);
    return shown;
  });
  const width = style.mixed('width');
  const hasCaptions = model.captions.length > 0;
  const layout = {
    type: 'cells',
    columns: model.columns,
    isFixed: style.word('table-layout') === 'fixed' && width !== null,
    spacing: isCollapsed ? { width: 0, height: 0 } : { width: across, height: down },
  } as const;
  const borders = collapsed ? asBorders(collapsed.table) : builder.lookOf(style).borders;
  const frame = builder.framed(
    style,
    name,
    layout,
    [...rows, ...positions],
    context,
    { ...where, fills: false },
    borders,
    isCollapsed ? NO_EDGES : undefined,
  );
  if (!hasCaptions) return frame;
  const captions = model.captions.map((caption) => {
    const own = builder.contextOf(caption.element, caption, context);
    const node = builder.frame(caption.element, caption, own, { within: 'block', fills: true });
    builder.told(caption.element, node);
    return { node, isBelow: caption.word('caption-side') === 'bottom' };
  });
  const { placement } = frame;
  const inner: FrameNode = {
    ...frame,
    placement: {
      ...PLAIN_NODE.placement,
      absolute: false,
      width: { kind: 'fill' },
      height: placement.height,
    },
  };
  const of = (isBelow: boolean) => captions.filter((each) => each.isBelow === isBelow).map(({ node }) => node);
  return {
    ...PLAIN_FRAME,
    name: `${name} with its caption`,
    layout: { type: 'block', isRoot: true, isCaptioned: true },
    placement: { ...placement, height: { kind: 'hug' } },
    children: [...of(false), inner, ...of(true)],
  };
}

/** Attributes by which a cell may be otherwise than others of its style. */
const OF_ONE_CELL = ['data-layer', 'id', 'lang'];

/** A cell of words alone that looks like one before; null = none did, or it has more in it. */
function quickCell(
  builder: TableBuilder,
  packer: RowPacker,
  { style, content }: TableCellModel,
  context: BoxContext,
  around: readonly unknown[],
): PackedCell | null {
  const { before, after, firstLetter, firstLine } = builder.parts;
  const [text = ''] = content;
  if (!style || content.length > 1 || typeof text !== 'string' || context.heading || builder.isInFirstLine) return null;
  const { attributes } = style.element;
  if (attributes.size > 0 && OF_ONE_CELL.some((name) => attributes.has(name))) return null;
  if (!firstLetter.isEmpty || !firstLine.isEmpty) return null;
  if ((!before.isEmpty && style.part(before)) || (!after.isEmpty && style.part(after))) return null;
  let known = builder.cellWords.get(style.kind);
  if (!known || known.context !== context) {
    const strut = builder.textOf(builder.contextOf(style.element, style, context));
    const { whiteSpace } = builder.lookOf(style);
    known = { context, words: { style: strut, whiteSpace, link: null, raise: 0 } };
    builder.cellWords.set(style.kind, known);
  }
  const { style: strut, whiteSpace } = known.words;
  const words = wordsAlone(text, whiteSpace);
  const isAsLatest = words !== '' && known.latest?.around.every((each, i) => each === around[i]);
  const wordsLook = words === '' ? NO_WORDS : [strut, strut, context.link, undefined, undefined];
  const form = isAsLatest ? known.latest?.form : packer.formOf(style, [...around, ...wordsLook]);
  if (!form) return null;
  if (words !== '') known.latest = { around, form };
  builder.counters.enter(style);
  builder.counters.leave();
  const name = builder.nameOf(style.element, context);
  const [span] = form.text?.spans ?? [];
  const textName = span ? builder.nameOf(LETTERS, context) : '';
  if (span) builder.needs.addText(textName, { style: span.style, text: words });
  return packedCell(form, [name, textName, words]);
}

function cellNode(
  builder: TableBuilder,
  { style, content }: TableCellModel,
  around: Style,
  context: BoxContext,
  collapsed: { readonly room: Sides<Border | null>; readonly lines: FrameNode['lines'] } | null,
  behind: Background = NO_BACKGROUND,
): FrameNode {
  const own = style
    ? builder.contextOf(style.element, style, { ...context, style: around })
    : { ...context, style: around };
  const positions: SceneNode[] = [];
  const inside = style ? builder.containing(style, own, 'row', positions) : own;
  const order = builder.nextOrder();
  const flow = new BlockFlow(builder, inside, 'block');
  const name = style ? builder.nameOf(style.element, context) : `${context.prefix}cell`;
  if (style) builder.counters.enter(style);
  const found = style
    ? builder.inBlock(style.element, style, true, () => {
        builder.children(style.element, style, flow, inside);
        return flow.ended();
      })
    : null;
  if (!found)
    for (const child of withTables(content, (one) => displayOf(builder.styleOf(one, around)))) {
      if (typeof child === 'string') flow.words(child, builder.wordsOf(inside, inside));
      else if (child.name === '::table') builder.anonymousTable(child, around, flow, inside);
      else builder.element(child, flow, inside);
    }
  if (style) builder.counters.leave();
  const columns = style?.once('columns', columnsOf);
  const nodes = found ?? flow.ended();
  const children = [...(style && columns ? inColumns(nodes, columns, name, style) : nodes), ...positions];
  if (!style)
    return {
      ...PLAIN_FRAME,
      name,
      layout: { type: 'block', isRoot: true },
      children,
      placement: { ...PLAIN_NODE.placement, absolute: false },
    };
  const frame = builder.framed(
    style,
    name,
    { type: 'block', isRoot: true },
    children,
    own,
    { within: 'cells', fills: false },
    collapsed ? asBorders(collapsed.room) : undefined,
  );
  const isEmpty = children.length === 0 && style.word('empty-cells') === 'hide' && !collapsed;
  const cell: FrameNode = {
    ...frame,
    ...(collapsed && style.word('visibility') !== 'hidden' && { lines: collapsed.lines }),
    background: inFront(frame.background, fillOf(behind, style)),
    ...(isEmpty && { background: null, border: null, sideBorders: null }),
    placement: { ...frame.placement, margin: NO_EDGES, autoMargins: null },
  };
  const node = builder.raised(cell, style, 'row', order);
  builder.told(style.element, node);
  return node;
}
