// The schema of the sheets that Chromium prints a page on: the part of `pdf` in a screenshot, an html template and a
// render that concerns paper.
//
// Names and meanings are those of Puppeteer's `page.pdf()`, except that a header or footer shows as soon as it is given.

import { z } from 'zod';

/** Inches. */
export const PAPER_FORMATS = {
  A3: { width: 11.7, height: 16.54 },
  A4: { width: 8.27, height: 11.7 },
  A5: { width: 5.83, height: 8.27 },
  Letter: { width: 8.5, height: 11 },
  Legal: { width: 8.5, height: 14 },
  Tabloid: { width: 11, height: 17 },
  A0: { width: 33.1, height: 46.8 },
  A1: { width: 23.4, height: 33.1 },
  A2: { width: 16.54, height: 23.4 },
  A6: { width: 4.13, height: 5.83 },
  Ledger: { width: 17, height: 11 },
} as const satisfies Record<string, { width: number; height: number }>;
export type PaperFormat = keyof typeof PAPER_FORMATS;

const PX_PER_INCH = 96;
/** ISO 32000-1, annex C: 14,400 units of 1/72 inch a side. */
export const MAX_SHEET_INCHES = 200;
/** The longest text of a header or footer, characters. */
const MAX_BAND = 20_000;

const INCHES_PER_UNIT = { px: 1 / PX_PER_INCH, pt: 1 / 72, pc: 1 / 6, mm: 1 / 25.4, cm: 1 / 2.54, in: 1 } as const;
const LENGTH = /^(-?\d{1,6}(?:\.\d{1,6})?)(px|pt|pc|mm|cm|in)$/;

/** A number of CSS px, or a number with one of CSS's absolute units. */
export type Length = number | string;

/** @param length as the schema has accepted it */
export function inches(length: Length): number {
  if (typeof length === 'number') return length / PX_PER_INCH;
  const [, number = '0', unit = 'px'] = LENGTH.exec(length) ?? [];
  return Number(number) * INCHES_PER_UNIT[unit as keyof typeof INCHES_PER_UNIT];
}

/** @param length as the schema has accepted it @returns px */
export const pixels = (length: Length): number => inches(length) * PX_PER_INCH;

/** A number of px from a length with a unit; all else stays. */
export const inPixels = (value: unknown): unknown =>
  typeof value === 'string' && isLength(value) ? pixels(value) : value;

/** What a length is as it is written: px, or a text with one of CSS's absolute units, such as "20mm". It is px from then on. */
export type LengthSchema = z.ZodType<number, number | string>;

/** A length within these limits, px. */
export function pixelsBetween(min: number, max: number): LengthSchema {
  const text = z.string().regex(LENGTH, { abort: true }) as unknown as z.ZodType<number>;
  // Not `z.gte` and `z.lte`: the published schema would give the text a least and a most number of characters.
  const limits = z.check<number>(({ value, issues }) => {
    const bound = { origin: 'number', inclusive: true, continue: true, input: value } as const;
    if (value < min) issues.push({ ...bound, code: 'too_small', minimum: min });
    if (value > max) issues.push({ ...bound, code: 'too_big', maximum: max });
  });
  const inLimits = text.check(z.overwrite(inPixels as (length: number) => number), limits);
  return z.union([z.number().min(min).max(max), inLimits]) as unknown as LengthSchema;
}

/** Whether a text is a length with a unit. */
export const isLength = (text: string): boolean => LENGTH.test(text);

/** A length of 0 to `most` px, as a number or with a unit. */
export const lengthUpTo = (most: number) =>
  z.union(
    [
      z.number().min(0).max(most),
      z
        .string()
        .regex(LENGTH, 'must be a number of px, or a number with px, pt, pc, mm, cm or in, such as "20mm"')
        .refine((text) => pixels(text) >= 0, 'must be at least 0')
        .refine((text) => pixels(text) <= most, `must be at most ${most} px`),
    ],
    {
      error: ({ input }) =>
        typeof input === 'number' || typeof input === 'string'
          ? undefined
          : 'must be a number of px, or such as "20mm"',
    },
  );

const Margin = lengthUpTo(1_000);
const SheetSide = lengthUpTo(MAX_SHEET_INCHES * PX_PER_INCH);

/** Markup of a header or footer. Chromium runs no scripts there and loads nothing, but some of it would make it crash. */
const Band = z
  .string()
  .max(MAX_BAND)
  .refine(
    (html) => !/<link\b|@import|@font-face/i.test(html),
    'cannot load style sheets and fonts by address: leave out <link>, @import and @font-face, and write its styles into it',
  );

const PageRanges = z
  .string()
  .max(500)
  .regex(
    // White space belongs to what is before it alone, so that no text is read in two ways.
    /^\s*(?:\d{1,5}\s*(?:-\s*(?:\d{1,5}\s*)?)?|-\s*\d{1,5}\s*)(?:,\s*(?:\d{1,5}\s*(?:-\s*(?:\d{1,5}\s*)?)?|-\s*\d{1,5}\s*))*$/,
    'must be numbers and ranges of pages, such as "1-3, 5" or "2-"',
  );

/** The fields of a page setup. All are optional, as those of a request win over those of a template. */
export const PAGE_FIELDS = {
  format: z
    .enum(Object.keys(PAPER_FORMATS) as PaperFormat[])
    .nullable()
    .optional()
    .meta({ description: 'The paper, on as many sheets as the page needs. Without any size: one sheet.' }),
  width: SheetSide.optional().meta({ description: 'Width of a sheet instead of `format`, with `height`.' }),
  height: SheetSide.optional(),
  landscape: z.boolean().optional(),
  margin: z
    .union([
      Margin,
      z.object({
        top: Margin.optional(),
        right: Margin.optional(),
        bottom: Margin.optional(),
        left: Margin.optional(),
      }),
    ])
    .optional()
    .meta({ description: 'Margins of each sheet. `@page { margin }` of the page wins over them.' }),
  preferCSSPageSize: z
    .boolean()
    .optional()
    .meta({ description: 'Whether `@page { size }` of the page wins over `format`, `width` and `height`.' }),
  headerTemplate: Band.nullable().optional().meta({
    description:
      'Markup within the top margin of each sheet. Elements of the classes pageNumber, totalPages, title, date and url are filled in.',
  }),
  footerTemplate: Band.nullable().optional().meta({ description: 'The same within the bottom margin.' }),
  pageRanges: PageRanges.nullable().optional().meta({ description: 'The pages to print, such as "1-3, 5" or "2-".' }),
  printBackground: z.boolean().optional().meta({ description: 'true by default.' }),
  scale: z.number().min(0.1).max(2).optional().meta({ description: 'Of the page on its sheets; 1 by default.' }),
  media: z.enum(['screen', 'print']).optional().meta({
    description: 'Which `@media` rules of the page hold; `screen` by default, so that it looks like its picture.',
  }),
  tagged: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the file holds its structure, for screen readers; true by default.' }),
  outline: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the headings of the page become bookmarks, which takes a tagged file.' }),
} as const;

export type PageSetup = z.infer<z.ZodObject<typeof PAGE_FIELDS>>;
export type PageField = keyof PageSetup;
export const PAGE_FIELD_NAMES = Object.keys(PAGE_FIELDS) as PageField[];

/** Checks fields that go together; a refinement of schemas that hold `PAGE_FIELDS`. */
export function checkPageFields(setup: PageSetup, context: z.RefinementCtx): void {
  const issue = (path: PageField, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  const { format, width, height, tagged, outline } = setup;
  if ((width === undefined) !== (height === undefined)) {
    const [missing, given] = width === undefined ? (['width', 'height'] as const) : (['height', 'width'] as const);
    issue(missing, `is needed beside ${given}`);
    return;
  }
  if (width !== undefined && format) issue('width', 'cannot stand beside format; leave one of them out');
  for (const side of ['width', 'height'] as const) {
    const length = setup[side];
    if (length !== undefined && inches(length) < 0.1) issue(side, 'must be at least 0.1in');
  }
  if (outline && tagged === false) issue('tagged', 'must be true, or left out, beside outline');
}

/** The setup of a template under that of a request: the request's values win, its size as a whole. */
export function mergePageSetups(own: PageSetup, wanted: PageSetup): PageSetup {
  const isSized = wanted.format !== undefined || wanted.width !== undefined;
  const { format: _, width: __, height: ___, ...rest } = own;
  return { ...(isSized ? rest : own), ...wanted };
}

/** Whether the page is printed on sheets of a given size, as many as it needs, rather than on one sheet of its own. */
export const hasSheets = ({ format, width, preferCSSPageSize }: PageSetup): boolean =>
  Boolean(format) || width !== undefined || preferCSSPageSize === true;
