// Prints a page as PDF, on a paper format or on a sheet of the page's own size.

import type { CDPSession } from 'puppeteer-core';
import type { Size } from '#core/geometry.ts';
import { AppError } from '#errors';

/** Inches. */
export const PAPER_FORMATS = {
  A3: { width: 11.7, height: 16.54 },
  A4: { width: 8.27, height: 11.7 },
  A5: { width: 5.83, height: 8.27 },
  Letter: { width: 8.5, height: 11 },
  Legal: { width: 8.5, height: 14 },
  Tabloid: { width: 11, height: 17 },
} as const satisfies Record<string, Size>;
export type PaperFormat = keyof typeof PAPER_FORMATS;

export interface PaperOptions {
  /** Null = a sheet of the captured size. */
  readonly format: PaperFormat | null;
  readonly landscape: boolean;
  /** CSS px. */
  readonly margin: { readonly top: number; readonly right: number; readonly bottom: number; readonly left: number };
}

const PX_PER_INCH = 96;
/** ISO 32000-1, annex C: 14,400 units of 1/72 inch a side. */
const MAX_INCHES = 200;

/**
 * Prints with backgrounds: on as many sheets of a format as needed, or on one sheet of the given size.
 *
 * @param sheet CSS px; used when there is no format
 * @throws AppError `invalid_request` when the sheet is too large for a PDF, or the margins leave no space
 */
export async function printPage(
  cdp: CDPSession,
  sheet: Size,
  { format, landscape, margin }: PaperOptions,
): Promise<Uint8Array> {
  const paper =
    format === null ? { width: sheet.width / PX_PER_INCH, height: sheet.height / PX_PER_INCH } : PAPER_FORMATS[format];
  if (Math.max(paper.width, paper.height) > MAX_INCHES) {
    const message = `The page is ${Math.round(sheet.height)} px long; a PDF sheet can be ${MAX_INCHES * PX_PER_INCH} px. Set pdf.format.`;
    throw new AppError('invalid_request', message);
  }
  try {
    const { data } = await cdp.send('Page.printToPDF', {
      paperWidth: paper.width,
      paperHeight: paper.height,
      landscape: landscape && format !== null,
      marginTop: margin.top / PX_PER_INCH,
      marginRight: margin.right / PX_PER_INCH,
      marginBottom: margin.bottom / PX_PER_INCH,
      marginLeft: margin.left / PX_PER_INCH,
      printBackground: true,
      preferCSSPageSize: false,
      ...(format === null ? { pageRanges: '1' } : {}),
    });
    return Buffer.from(data, 'base64');
  } catch (cause) {
    if (!/invalid print parameters|margins/i.test((cause as Error).message)) throw cause;
    throw new AppError('invalid_request', 'pdf.margin: the margins leave nothing of the sheet.', { cause });
  }
}
