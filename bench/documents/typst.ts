// Typst in this process (@myriaddreamin/typst-ts-node-compiler).

import { readFileSync, writeFileSync } from 'node:fs';
import { CELL_PADDING, FONT_SIZE, HEADER, isRight, MARGIN, WIDTHS } from './report.ts';
import { type OpenWriter, peer } from './writer.ts';

interface Typst {
  readonly NodeCompiler: {
    create(options: { fontArgs: readonly { fontBlobs: readonly Buffer[] }[] }): {
      pdf(document: { mainFileContent: string; inputs: Readonly<Record<string, string>> }): Buffer;
    };
  };
}

const SOURCE = `
#set page(paper: "a4", margin: ${MARGIN}pt, footer: context align(right, text(8pt, counter(page).display("Page 1 of 1", both: true))))
#set text(font: "Inter", size: ${FONT_SIZE}pt)
#let rows = json(bytes(sys.inputs.rows))
#table(
  columns: (${WIDTHS.map((width) => (width === null ? '1fr' : `${width}pt`)).join(', ')}),
  align: (${WIDTHS.map((_, column) => (isRight(column) ? 'right' : 'left')).join(', ')}),
  inset: (x: ${CELL_PADDING.x}pt, y: ${CELL_PADDING.y}pt),
  stroke: (bottom: 0.5pt + rgb("#cccccc")),
  table.header(${HEADER.map((text) => `strong[${text.replace('#', '\\#')}]`).join(', ')}),
  ..rows.flatten(),
)
`;

export const open: OpenWriter = async ({ regular, bold }) => {
  const { NodeCompiler } = await peer<Typst>('@myriaddreamin/typst-ts-node-compiler');
  const fontBlobs = [regular, bold].map((file) => readFileSync(file));
  const compiler = NodeCompiler.create({ fontArgs: [{ fontBlobs }] });
  return async (rows, file) => {
    const inputs = { rows: JSON.stringify(rows) };
    writeFileSync(file, compiler.pdf({ mainFileContent: SOURCE, inputs }));
  };
};
