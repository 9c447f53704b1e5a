// The report as a page, for WeasyPrint, Chromium and our own html renderer.

import { readFileSync } from 'node:fs';
import { CELL_PADDING, FONT_SIZE, HEADER, isRight, MARGIN, type Row, WIDTHS } from './report.ts';
import type { Fonts } from './writer.ts';

const escaped = (text: string) => text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`);
const line = (row: Row, tag: string) => `<tr>${row.map((text) => `<${tag}>${escaped(text)}</${tag}>`).join('')}</tr>`;

export function htmlOf(rows: readonly Row[], { regular, bold }: Fonts): string {
  const face = (file: string, weight: number) =>
    `@font-face{font-family:Inter;font-weight:${weight};src:url(data:font/ttf;base64,${readFileSync(file, 'base64')})}`;
  const right = WIDTHS.flatMap((_, column) => (isRight(column) ? [`:nth-child(${column + 1})`] : [])).join(',');
  const widths = WIDTHS.map((width) => `<col${width === null ? '' : ` style="width:${width}pt"`}>`).join('');
  return `<!doctype html><meta charset="utf-8"><style>${face(regular, 400)}${face(bold, 700)}
    @page{size:A4;margin:${MARGIN}pt;@bottom-right{content:"Page " counter(page) " of " counter(pages);font:8pt Inter}}
    body{margin:0;font:${FONT_SIZE}pt Inter}
    table{width:100%;table-layout:fixed;border-collapse:collapse}
    tr{break-inside:avoid}
    th,td{padding:${CELL_PADDING.y}pt ${CELL_PADDING.x}pt;border-bottom:.5pt solid #ccc;text-align:left;vertical-align:top}
    :is(th,td):is(${right}){text-align:right}
    </style><table><colgroup>${widths}</colgroup><thead>${line(HEADER, 'th')}</thead><tbody>${rows.map((row) => line(row, 'td')).join('')}</tbody></table>`;
}
