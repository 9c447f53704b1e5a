// Prints a page as PDF: on sheets of a given size, as many as it needs, or on one sheet of the page's own size.
//
// Chromium reads margins and sizes of sheets from the page's `@page` rules too. One sheet of the page's own size has to
// overrule them, and forced page breaks as well: otherwise a part of the page would be on sheets of its own.

import type { CDPSession, Protocol } from 'puppeteer-core';
import { AppError } from '#base/errors.ts';
import { quoted } from '#core/diagnostics.ts';
import type { Size } from '#core/geometry.ts';
import { hasSheets, inches, MAX_SHEET_INCHES, PAPER_FORMATS, type PageSetup } from '#core/template/page-setup.ts';
import type { IsolatedWorld } from './isolated-world.ts';
import { addStyle, cutTexts } from './page-scripts.ts';
import { hasInformation, type PdfInformation, withInformation } from './pdf-update.ts';

export interface Printed {
  readonly bytes: Uint8Array;
  /** Public sentences. */
  readonly warnings: readonly string[];
}

export interface OneSheet {
  /** CSS px. */
  readonly size: Size;
  /** Whether the sheet is to hold the whole page; otherwise it shows what fits. */
  readonly isWhole: boolean;
}

/** How a page is printed, and what the file says of itself; the title is the page's own by default. */
export type PrintSetup = PageSetup & PdfInformation;

type PrintParams = Protocol.Page.PrintToPDFRequest;

const PX_PER_INCH = 96;
/** How much higher the sheet becomes when the page did not fit on it, px: its last line may reach below its box. */
const SPARE = 4;
/** Chromium makes a page that is wider than its sheet smaller, down to this part of its size, and cuts off the rest. */
const SMALLEST = 0.5;
/** Makes the head of a table stand on each of its sheets; Chromium itself has this rule for `@media print` only. */
const REPEATED_HEADS = ':where(thead, tfoot) { break-inside: avoid }';
/** An empty header or footer. Without one, Chromium would write the date and the address. */
const NOTHING = '<span></span>';
/** How each page of a PDF begins, as Skia writes it. */
const PAGE_OBJECT = ' obj\n<</Type /Page\n';

/**
 * Prints on sheets of the setup's size if it has one, else on `sheet`.
 *
 * @param viewport width that the page was laid out for, CSS px
 * @throws AppError `invalid_request` when the sheet is too large for a PDF, the margins leave no space, or there are no
 *   such pages
 */
export async function printPage(
  cdp: CDPSession,
  world: IsolatedWorld,
  viewport: number,
  sheet: OneSheet,
  setup: PrintSetup,
): Promise<Printed> {
  const printed = hasSheets(setup)
    ? await printSheets(cdp, world, viewport, sheet.size, setup)
    : withIgnored(setup, await printSheet(cdp, world, sheet, setup));
  return hasInformation(setup) ? { ...printed, bytes: withInformation(printed.bytes, setup) } : printed;
}

async function printSheets(
  cdp: CDPSession,
  world: IsolatedWorld,
  viewport: number,
  size: Size,
  setup: PageSetup,
): Promise<Printed> {
  await world.call(addStyle, REPEATED_HEADS);
  const paper = paperOf(setup) ?? inInches(size);
  const { landscape = false, preferCSSPageSize = false, scale = 1, pageRanges } = setup;
  const bytes = await print(cdp, {
    ...paramsOf(setup),
    paperWidth: paper.width,
    paperHeight: paper.height,
    landscape,
    preferCSSPageSize,
    scale,
    ...(pageRanges ? { pageRanges } : {}),
  });
  const { cssContentSize } = await cdp.send('Page.getLayoutMetrics');
  const room = roomOf(paper, setup).width;
  // A page that follows the width of its viewport will follow that of the sheet, too.
  const isCut = !preferCSSPageSize && cssContentSize.width > Math.max(viewport, room / SMALLEST);
  const message = `The page is ${Math.ceil(cssContentSize.width)} px wide and the sheet has room for ${Math.floor(room)} px, of a page made half as large for ${Math.floor(room / SMALLEST)} px: what is right of that is not in the PDF.`;
  return { bytes, warnings: isCut ? [message] : [] };
}

/**
 * Finds text that a box cuts off on its sheet, as boxes that scroll do. It changes the viewport, so the page must have
 * been printed.
 *
 * @param size of the sheet where the setup has none, CSS px
 * @returns a warning, or nothing
 */
export async function findCutText(
  cdp: CDPSession,
  world: IsolatedWorld,
  size: Size,
  setup: PageSetup,
): Promise<readonly string[]> {
  const room = hasSheets(setup) ? roomOf(paperOf(setup) ?? inInches(size), setup) : size;
  const show = (times: number) => {
    const [width = 1, height = 1] = [room.width, room.height].map((side) => Math.max(1, Math.round(side * times)));
    return cdp.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
  };
  // Boxes as high as the viewport are as high as a sheet on paper, of a page that is made smaller if it is too wide.
  await show(1);
  const { cssContentSize } = await cdp.send('Page.getLayoutMetrics');
  const larger = Math.min(cssContentSize.width / room.width, 1 / SMALLEST);
  if (larger > 1) await show(larger);
  return cutTextWarning(await world.call(cutTexts, null, false), 'PDF');
}

/** The warning of what `cutTexts` found, or none. */
export function cutTextWarning(found: unknown, where: 'PDF' | 'picture'): readonly string[] {
  const { words, count } = (found ?? {}) as Partial<Record<'words' | 'count', unknown>>;
  // The page may have changed what the function relies on.
  if (typeof words !== 'string' || typeof count !== 'number' || !(count > 0)) return [];
  const others = count > 1 ? ` and that of ${count - 1} more elements` : '';
  const [boxes, grow] = where === 'PDF' ? ['scroll or hide it', 'grow on paper'] : ['scroll', 'grow'];
  return [
    `The text ${quoted(words)}${others} is cut off by boxes that ${boxes}, and is not in the ${where}. Let such boxes ${grow}, as by css: "selector { height: auto !important; overflow: visible !important }".`,
  ];
}

async function printSheet(
  cdp: CDPSession,
  world: IsolatedWorld,
  { size, isWhole }: OneSheet,
  setup: PageSetup,
): Promise<Printed> {
  const margin = marginsOf(setup);
  await world.call(addStyle, onOneSheet(margin));
  const printOn = (height: number) => {
    const paperWidth = size.width / PX_PER_INCH + margin.left + margin.right;
    const paperHeight = height / PX_PER_INCH + margin.top + margin.bottom;
    if (Math.max(paperWidth, paperHeight) > MAX_SHEET_INCHES) {
      const message = `The page is ${Math.round(size.height)} px long; a PDF sheet can be ${MAX_SHEET_INCHES * PX_PER_INCH} px. Set pdf.format.`;
      throw new AppError('invalid_request', message);
    }
    const { pageRanges } = setup;
    const part = pageRanges ? { pageRanges } : isWhole ? {} : { pageRanges: '1' };
    return print(cdp, { ...paramsOf(setup), paperWidth, paperHeight, ...part });
  };
  let bytes = await printOn(size.height);
  if (!isWhole || setup.pageRanges || countPages(bytes) === 1) return { bytes, warnings: [] };
  bytes = await printOn(size.height + SPARE);
  const pages = countPages(bytes);
  const message = `The page did not fit on one sheet of ${size.width} × ${size.height} px, and is on ${pages}. Set pdf.format to choose the size of the sheets.`;
  return { bytes, warnings: pages === 1 ? [] : [message] };
}

/** Warns of properties that only sheets of a given size have. */
function withIgnored({ landscape = false, scale = 1 }: PageSetup, { bytes, warnings }: Printed): Printed {
  const names = [...(landscape ? ['pdf.landscape'] : []), ...(scale === 1 ? [] : ['pdf.scale'])];
  if (names.length === 0) return { bytes, warnings };
  const message = `${names.join(' and ')} had no effect, as the page is on one sheet of its own size. Set pdf.format, or pdf.width and pdf.height.`;
  return { bytes, warnings: [...warnings, message] };
}

/** Styles that keep the page on one sheet. Margins in inches; those of `@page` would win over those of the request. */
function onOneSheet({ top, right, bottom, left }: Margins): string {
  const page = `{ size: auto !important; margin: ${top}in ${right}in ${bottom}in ${left}in !important }`;
  const pages = ['', ' :first', ' :left', ' :right'].map((kind) => `@page${kind} ${page}`).join(' ');
  return `${pages} *, ::before, ::after { page: auto !important; break-before: auto !important; break-after: auto !important; break-inside: auto !important }`;
}

interface Margins {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** Inches. */
function marginsOf({ margin = 0 }: PageSetup): Margins {
  const {
    top = 0,
    right = 0,
    bottom = 0,
    left = 0,
  } = typeof margin === 'object' ? margin : { top: margin, right: margin, bottom: margin, left: margin };
  return { top: inches(top), right: inches(right), bottom: inches(bottom), left: inches(left) };
}

/** Inches; null without a size. */
function paperOf({ format, width, height }: PageSetup): Size | null {
  if (width !== undefined && height !== undefined) return { width: inches(width), height: inches(height) };
  return format ? PAPER_FORMATS[format] : null;
}

const inInches = ({ width, height }: Size): Size => ({ width: width / PX_PER_INCH, height: height / PX_PER_INCH });

/** What a sheet has within its margins, CSS px of a page that is not made smaller. */
function roomOf(paper: Size, setup: PageSetup): Size {
  const { landscape = false, scale = 1 } = setup;
  const { top, right, bottom, left } = marginsOf(setup);
  const [width, height] = landscape ? [paper.height, paper.width] : [paper.width, paper.height];
  const px = PX_PER_INCH / scale;
  return { width: (width - left - right) * px, height: (height - top - bottom) * px };
}

/** The parameters that do not depend on the sheet. */
function paramsOf(setup: PageSetup): PrintParams {
  const { headerTemplate, footerTemplate, printBackground = true, outline = false } = setup;
  const { top, right, bottom, left } = marginsOf(setup);
  const hasBand = Boolean(headerTemplate) || Boolean(footerTemplate);
  return {
    marginTop: top,
    marginRight: right,
    marginBottom: bottom,
    marginLeft: left,
    printBackground,
    generateTaggedPDF: setup.tagged ?? true,
    generateDocumentOutline: outline,
    displayHeaderFooter: hasBand,
    ...(hasBand ? { headerTemplate: headerTemplate || NOTHING, footerTemplate: footerTemplate || NOTHING } : {}),
  };
}

async function print(cdp: CDPSession, params: PrintParams): Promise<Uint8Array> {
  try {
    const { data } = await cdp.send('Page.printToPDF', params);
    return Buffer.from(data, 'base64');
  } catch (cause) {
    const problem = PROBLEMS.find(([pattern]) => pattern.test((cause as Error).message));
    if (!problem) throw cause;
    throw new AppError('invalid_request', problem[1], { cause });
  }
}

/** Chromium's errors, by pattern, with the message for the caller. */
const PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/page range exceeds/i, 'pdf.pageRanges: begins after the last page.'],
  [/page range/i, 'pdf.pageRanges: must be numbers and ranges of pages in ascending order, such as "1-3, 5" or "2-".'],
  [/invalid print parameters|margins/i, 'pdf.margin: the margins leave nothing of the sheet.'],
];

function countPages(pdf: Uint8Array): number {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length);
  let count = 0;
  for (let at = bytes.indexOf(PAGE_OBJECT); at >= 0; at = bytes.indexOf(PAGE_OBJECT, at + 1)) count += 1;
  return count;
}
