// Writes a document's texts and tables as HTML that Chromium lays out and divides, into columns that stand for pages.
//
// Where a table of ours is not one of CSS, the difference is written out in CSS's terms, with its reason.

import type { Edges } from '#core/geometry.ts';
import type {
  Border,
  CharacterStyle,
  FrameNode,
  TableCell,
  TableNode,
  TableRow,
  TextNode,
} from '#core/resolve/scene.ts';
import { isNumber } from '#core/text/lay-out-text.ts';
import { wholeText } from '#core/text/line-text.ts';

/** Each element that is compared has a `data-name`: a text its layer's, a cell `table/row/its place in the row`. */
let room = 0;
let linesOf: (cell: string) => number = () => 0;

export function documentHtml(
  flow: FrameNode,
  page: { readonly width: number; readonly height: number },
  widths: readonly (readonly number[])[],
  lines: (cell: string) => number,
): string {
  linesOf = lines;
  const { width, height } = page;
  room = width;
  const inside = flow.children.map((node, i) => {
    if (node.type === 'table') return tableHtml(node, widths[i] ?? []);
    if (node.type === 'text') return textHtml(node);
    throw new Error('The documents have texts and tables only.');
  });
  return `<div style="width:${width}px;height:${height}px;columns:${width}px;column-gap:10000px;column-fill:auto">${inside.join('')}</div>`;
}

const marginOf = ({ placement: { margin } }: TextNode | TableNode) => `margin:${edges(margin)}`;
const edges = ({ top, right, bottom, left }: Edges) => `${top}px ${right}px ${bottom}px ${left}px`;
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const break_ = (value: string) => (value === 'page' ? 'column' : value);

function textHtml(node: TextNode): string {
  const { before, after, orphans, widows } = node.fragmentation ?? {
    before: 'auto',
    after: 'auto',
    orphans: 2,
    widows: 2,
  };
  const style = `${marginOf(node)};${letters(node.strut)};break-before:${break_(before)};break-after:${break_(after)};break-inside:${linesOf(node.name) === 3 ? 'avoid' : 'auto'};orphans:${orphans};widows:${widows}`;
  return `<p data-name="${node.name}" style="${style}">${words(wholeText(node))}</p>`;
}

const letters = ({ font, fontSize, lineHeight }: CharacterStyle) =>
  `font:${fontSize}px/${lineHeight} ${font.families.map((family) => `'platen ${family}'`).join(',')}`;

/** An empty text has a line. Numbers are not broken. */
function words(text: string, keepsNumbers = false): string {
  if (text === '') return '&#8203;';
  if (!keepsNumbers) return escaped(text);
  const word = (each: string) =>
    isNumber(each) ? `<span style="overflow-wrap:normal">${escaped(each)}</span>` : escaped(each);
  return text.split(' ').map(word).join(' ');
}

/** The lines below and above a row that does not collapse, and after a cell. */
function rulesOf(node: TableNode, { kind, index }: TableRow) {
  const [above, below] = [node.rows.at(index - 1)?.kind, node.rows.at(index + 1)?.kind];
  const isLastHead = kind === 'head' && below !== 'head';
  const isBody = kind !== 'head' && kind !== 'foot';
  return {
    bottom: isLastHead && below !== 'foot' ? node.headRule : isBody && below !== 'foot' ? node.rule : null,
    top: kind === 'foot' && above !== 'foot' ? node.footRule : null,
  };
}

const line = (side: string, border: Border | null | undefined) =>
  border ? `;border-${side}:${border.width}px solid #000` : '';

function tableHtml(node: TableNode, narrow: readonly number[]): string {
  const { columns, isRtl, collapses, placement, rows } = node;
  const hasShares = columns.some(({ kind }) => kind === 'fr');
  // Columns in px and % are exact here: CSS would have them fill the table.
  const isExact = columns.every(({ kind }) => kind === 'px' || kind === 'percent');
  const cols = columns.map((column) => {
    if (column.kind === 'px') return `<col style="width:${column.value}px">`;
    if (column.kind !== 'percent') return '<col style="width:auto">';
    return `<col style="width:${isExact ? `${percentOf(node, column.value)}px` : `${column.value}%`}">`;
  });
  const width = isExact ? 'auto' : '100%';
  // A table from right to left that is too wide goes on at the left of its place, as its first column is at the right.
  const place = placement.width.kind === 'px' ? `width:${placement.width.value}px` : '';
  // Only the first of several heads is repeated, so their rows are one.
  const body = Array.from(rows, (row) => rowHtml(node, row))
    .join('')
    .replaceAll(/<\/(thead|tfoot)><\1[^>]*>/g, '');
  // CSS has no shares: the page lays the cells out as a grid, and gives the table the widths of its tracks. Where words
  // have to be broken, or columns that hug squeezed beside shares, nothing of CSS says how: it gets ours.
  const tracks = columns.map((column) =>
    column.kind === 'px'
      ? `${column.value}px`
      : column.kind === 'percent'
        ? `${column.value}%`
        : column.kind === 'fr'
          ? `${column.value}fr`
          : 'max-content',
  );
  const style = [
    `border-collapse:${collapses ? 'collapse' : 'separate'};border-spacing:0;width:${width}`,
    line('top', node.border) + line('right', node.border) + line('bottom', node.border) + line('left', node.border),
  ];
  const shares = hasShares ? ` data-tracks="${tracks.join(' ')}"  data-narrow="${narrow.join(' ')}"` : '';
  return `<div dir="${isRtl ? 'rtl' : 'ltr'}" style="${place};${marginOf(node)}"><table${shares} style="${style.join('')}">${cols.join('')}${body}</table></div>`;
}

/** Each row is a group of its own, as breaks before and after it are properties of groups that hold its lines. */
function rowHtml(node: TableNode, row: TableRow): string {
  const { kind, lines, cells, texts, index } = row;
  const rules = rulesOf(node, row);
  const trs = Array.from({ length: lines }, (_, at) => {
    const tds = cells.flatMap((cell, i) =>
      cell.line === at ? [cellHtml(node, row, cell, texts[i] ?? '', i, rules)] : [],
    );
    return `<tr>${tds.join('')}</tr>`;
  });
  const isWhole = !node.splitsRows || kind !== 'body';
  const tag = kind === 'head' && node.repeatsHead ? 'thead' : kind === 'foot' && node.repeatsFoot ? 'tfoot' : 'tbody';
  const style = `break-inside:${isWhole ? 'avoid' : 'auto'};break-before:${break_(row.before)};break-after:${row.after}`;
  return `<${tag} data-row="${node.name}/${index}" style="${style}">${trs.join('')}</${tag}>`;
}

function cellHtml(
  node: TableNode,
  { index, kind, lines }: TableRow,
  cell: TableCell,
  text: string,
  at: number,
  rules: ReturnType<typeof rulesOf>,
): string {
  const { padding, span, lineSpan, text: style, column } = cell;
  const isSplit = node.splitsRows && kind === 'body';
  // Three lines cannot be divided into two and two: Chromium divides them nevertheless.
  const isWhole = isSplit && linesOf(`${node.name}/${index}/${at}`) === 3;
  const isLast = cell.line + lineSpan === lines;
  const side = node.isRtl ? { ...padding, left: padding.right, right: padding.left } : padding;
  const borders = node.collapses
    ? (['top', 'right', 'bottom', 'left'] as const).map((name) => line(name, cell.borders?.[name])).join('')
    : line('bottom', isLast ? rules.bottom : null) +
      line('top', cell.line === 0 ? rules.top : null) +
      line(node.isRtl ? 'left' : 'right', column + span < node.columns.length ? node.columnRule : null);
  // A column in px or % is exact here, and a cell over several columns widens none.
  const width = node.columns[column];
  const isContained = span > 1 || !['hug', 'fr'].includes(width?.kind ?? '');
  const given = width?.kind === 'px' ? width.value : width?.kind === 'percent' ? percentOf(node, width.value) : null;
  const least = span === 1 && given !== null ? `;min-width:${given}px` : '';
  const css = [
    `padding:${isWhole ? 0 : edges(side)}${borders}`,
    `vertical-align:${style.verticalAlign};text-align:${style.align};${letters(style.strut)}`,
    `overflow-wrap:${style.overflowWrap};break-inside:${isSplit ? 'auto' : 'avoid'}${least}`,
  ].join(';');
  const inside = `<div dir="auto" style="${isContained ? 'contain:inline-size' : ''}${isWhole ? `;break-inside:avoid;padding:${edges(side)}` : ''}">${words(text, true)}</div>`;
  return `<td colspan="${span}" rowspan="${lineSpan}" data-column="${column}" data-name="${node.name}/${index}/${at}" style="${css}">${inside}</td>`;
}

/** Of the place of the table, which fills its frame unless it has a width, px. */
function percentOf({ placement, border, collapses }: TableNode, percent: number): number {
  const { width, margin } = placement;
  const whole = width.kind === 'px' ? width.value : room - margin.left - margin.right;
  return ((whole - (collapses ? 0 : 2 * (border?.width ?? 0))) * percent) / 100;
}
