// @react-pdf/renderer: rows are views, the header is a fixed view, as its documentation recommends.

import { writeFileSync } from 'node:fs';
import { CELL_PADDING, FONT_SIZE, HEADER, isRight, MARGIN, type Row, WIDTHS } from './report.ts';
import { type CreateElement, type OpenWriter, peer } from './writer.ts';

type Elements = Record<'Document' | 'Page' | 'Text' | 'View', unknown> & {
  readonly Font: {
    register(family: { family: string; fonts: readonly { src: string; fontWeight: number }[] }): void;
    registerHyphenationCallback(split: (word: string) => string[]): void;
  };
  renderToBuffer(document: unknown): Promise<Buffer>;
};

export const open: OpenWriter = async ({ regular, bold }) => {
  const { Document, Font, Page, renderToBuffer, Text, View } = await peer<Elements>('@react-pdf/renderer');
  const { createElement } = await peer<{ createElement: CreateElement }>('react');
  Font.register({
    family: 'Inter',
    fonts: [
      { src: regular, fontWeight: 400 },
      { src: bold, fontWeight: 700 },
    ],
  });
  // By default it breaks words between letters.
  Font.registerHyphenationCallback((word) => [word]);
  const cells = WIDTHS.map((width, column) => ({
    ...(width === null ? { flex: 1 } : { width }),
    paddingHorizontal: CELL_PADDING.x,
    paddingVertical: CELL_PADDING.y,
    textAlign: isRight(column) ? ('right' as const) : ('left' as const),
  }));
  const style = { flexDirection: 'row', borderBottomWidth: 0.5, borderBottomColor: '#cccccc' } as const;
  const texts = (row: Row) =>
    row.map((text, column) => createElement(Text, { key: column, style: cells[column] ?? {} }, text));
  return async (rows, file) => {
    const page = createElement(
      Page,
      { size: 'A4', style: { padding: MARGIN, fontFamily: 'Inter', fontSize: FONT_SIZE } },
      createElement(View, { style: { ...style, fontWeight: 700 }, fixed: true }, texts(HEADER)),
      ...rows.map((row, key) => createElement(View, { key, style, wrap: false }, texts(row))),
      createElement(Text, {
        fixed: true,
        style: { position: 'absolute', right: MARGIN, bottom: 28, fontSize: 8 },
        render: ({ pageNumber, totalPages }: Record<string, number>) => `Page ${pageNumber} of ${totalPages}`,
      }),
    );
    writeFileSync(file, await renderToBuffer(createElement(Document, {}, page)));
  };
};
