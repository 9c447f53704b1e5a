// pdfmake, on pdfkit.

import { CELL_PADDING, FONT_SIZE, HEADER, isRight, MARGIN, WIDTHS } from './report.ts';
import { type OpenWriter, peer } from './writer.ts';

interface PdfMake {
  setFonts(fonts: unknown): void;
  setUrlAccessPolicy(allows: () => boolean): void;
  setLocalAccessPolicy(allows: () => boolean): void;
  createPdf(document: unknown): { write(file: string): Promise<void> };
}

export const open: OpenWriter = async ({ regular, bold }) => {
  const { default: pdfmake } = await peer<{ default: PdfMake }>('pdfmake');
  pdfmake.setFonts({ Inter: { normal: regular, bold, italics: regular, bolditalics: bold } });
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy(() => true);
  const alignment = HEADER.map((_, column) => (isRight(column) ? 'right' : 'left'));
  return async (rows, file) => {
    const body = [
      HEADER.map((text, column) => ({ text, bold: true, alignment: alignment[column] })),
      ...rows.map((row) => row.map((text, column) => ({ text, alignment: alignment[column] }))),
    ];
    const layout = {
      hLineWidth: (index: number) => (index === 0 ? 0 : 0.5),
      vLineWidth: () => 0,
      hLineColor: () => '#cccccc',
      paddingLeft: () => CELL_PADDING.x,
      paddingRight: () => CELL_PADDING.x,
      paddingTop: () => CELL_PADDING.y,
      paddingBottom: () => CELL_PADDING.y,
    };
    // Its widths are those of the contents, without the padding.
    const widths = WIDTHS.map((width) => (width === null ? '*' : width - 2 * CELL_PADDING.x));
    await pdfmake
      .createPdf({
        pageSize: 'A4',
        pageMargins: MARGIN,
        defaultStyle: { font: 'Inter', fontSize: FONT_SIZE },
        footer: (page: number, pages: number) => ({
          text: `Page ${page} of ${pages}`,
          alignment: 'right',
          fontSize: 8,
          margin: [0, 20, MARGIN, 0],
        }),
        content: [{ table: { headerRows: 1, widths, body }, layout }],
      })
      .write(file);
  };
};
