// Forme: its layout and writer in WebAssembly, given React elements.

import { readFileSync, writeFileSync } from 'node:fs';
import { CELL_PADDING, FONT_SIZE, HEADER, isRight, MARGIN, type Row, WIDTHS } from './report.ts';
import { type CreateElement, type OpenWriter, peer } from './writer.ts';

type Elements = Record<'Cell' | 'Document' | 'Fixed' | 'Page' | 'Row' | 'Table' | 'Text', unknown> & {
  readonly Font: { register(font: { family: string; src: Uint8Array; fontWeight: number }): void };
};

export const open: OpenWriter = async ({ regular, bold }) => {
  const { renderDocument } = await peer<{ renderDocument(document: unknown): Promise<Uint8Array> }>('@formepdf/core');
  const { Cell, Document, Fixed, Font, Page, Row: TableRow, Table, Text } = await peer<Elements>('@formepdf/react');
  const { createElement } = await peer<{ createElement: CreateElement }>('react');
  Font.register({ family: 'Inter', src: new Uint8Array(readFileSync(regular)), fontWeight: 400 });
  Font.register({ family: 'Inter', src: new Uint8Array(readFileSync(bold)), fontWeight: 700 });
  const given = 595.28 - 2 * MARGIN - WIDTHS.reduce<number>((sum, width) => sum + (width ?? 0), 0);
  const columns = WIDTHS.map((width) => ({ width: { fixed: width ?? given } }));
  const line = (row: Row, key: number, header = false) =>
    createElement(
      TableRow,
      { key, header, style: { borderBottomWidth: 0.5, borderColor: '#cccccc' } },
      row.map((text, column) =>
        createElement(
          Cell,
          { key: column, style: { paddingHorizontal: CELL_PADDING.x, paddingVertical: CELL_PADDING.y } },
          createElement(
            Text,
            { style: { textAlign: isRight(column) ? 'right' : 'left', fontWeight: header ? 700 : 400 } },
            text,
          ),
        ),
      ),
    );
  return async (rows, file) => {
    const table = createElement(Table, { columns }, line(HEADER, 0, true), ...rows.map((row, i) => line(row, i + 1)));
    const foot = createElement(
      Text,
      { style: { textAlign: 'right', fontSize: 8 } },
      'Page {{pageNumber}} of {{totalPages}}',
    );
    const page = createElement(
      Page,
      { size: 'A4', margin: MARGIN, style: { fontFamily: 'Inter', fontSize: FONT_SIZE } },
      table,
      createElement(Fixed, { position: 'footer' }, foot),
    );
    writeFileSync(file, await renderDocument(createElement(Document, {}, page)));
  };
};
