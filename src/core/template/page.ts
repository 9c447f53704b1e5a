// The schema of `page`: the sheets of a document, and which of them a layer is on.
//
// Names and meanings follow CSS Paged Media 3 and CSS Fragmentation 3.

import { z } from 'zod';
import type { Edges, Size } from '../geometry.ts';
import { inches, lengthUpTo } from './page-setup.ts';

/** Width and height of sheets, mm (ISO 216; ANSI/ASME Y14.1, whose inches are exact). */
export const SHEETS = {
  A3: [297, 420],
  A4: [210, 297],
  A5: [148, 210],
  A6: [105, 148],
  A7: [74, 105],
  B4: [250, 353],
  B5: [176, 250],
  DL: [99, 210],
  C5: [162, 229],
  Letter: [215.9, 279.4],
  Legal: [215.9, 355.6],
  Tabloid: [279.4, 431.8],
} as const satisfies Record<string, readonly [number, number]>;

const PX_PER_INCH = 96;
const MM_PER_INCH = 25.4;
/** The longest side of a sheet, px. */
const MAX_SHEET = 10_000;

const Margin = lengthUpTo(2_000);

const Margins = z
  .union([
    Margin,
    z.strictObject({
      top: Margin.default(0),
      right: Margin.default(0),
      bottom: Margin.default(0),
      left: Margin.default(0),
    }),
  ])
  .meta({ description: 'px, or such as "20mm", of all sides or of each.' });

const AboveAndBelow = z.strictObject({ top: Margin.optional(), bottom: Margin.optional() }).optional();

/** Other sheets of a document. */
const MAX_NAMED = 10;

const SheetSize = z
  .union(
    [z.enum(Object.keys(SHEETS) as (keyof typeof SHEETS)[]), z.tuple([lengthUpTo(MAX_SHEET), lengthUpTo(MAX_SHEET)])],
    'must be a sheet such as "A4" or "Letter", or its width and height, such as ["100mm", "62mm"]',
  )
  .refine((size) => typeof size === 'string' || size.every((side) => inches(side) * PX_PER_INCH >= 1), {
    message: 'must be at least 1 px',
  });

export const Page = z
  .strictObject({
    size: SheetSize,
    landscape: z.boolean().default(false).meta({ description: 'Turns the sheet: its longer side is its width.' }),
    margin: Margins.default(0).meta({ description: 'Around what flows; other layers may stand in it.' }),
    first: AboveAndBelow.meta({ description: 'Other margins above and below, of the first page: for a letterhead.' }),
    last: AboveAndBelow.meta({
      description: 'The same of the last page: for a slip at its foot. It wins over `first` where there is one page.',
    }),
    named: z
      .record(
        z.string().min(1).max(100),
        z.strictObject({ size: SheetSize.optional(), landscape: z.boolean().optional(), margin: Margins.optional() }),
      )
      .refine((named) => Object.keys(named).length <= MAX_NAMED, `must have at most ${MAX_NAMED} sheets`)
      .optional()
      .meta({
        maxProperties: MAX_NAMED,
        description:
          'CSS named pages: other sheets for parts of what flows, by the names that `page` of these layers says: {"wide": {"landscape": true}}.',
      }),
    mirrored: z.boolean().default(false).meta({ description: 'Even pages have their left and right margins swapped.' }),
    cover: z
      .boolean()
      .default(false)
      .meta({ description: 'Nothing flows on the first page: it has only the layers that are on it.' }),
  })
  .meta({
    id: 'Page',
    description:
      'Makes the template a document: its frame with `flow` goes on over as many pages as it needs; other layers are on the pages that `pages` says.',
  });
export type Page = z.infer<typeof Page>;

/** The size of a sheet, px; not rounded, so that a PDF has the exact one. */
export function sheetSize({ size, landscape }: Pick<Page, 'size' | 'landscape'>): Size {
  const [a, b] =
    typeof size === 'string'
      ? SHEETS[size].map((mm) => (mm / MM_PER_INCH) * PX_PER_INCH)
      : size.map((side) => inches(side) * PX_PER_INCH);
  const [width = 0, height = 0] = [a, b];
  return landscape && width < height ? { width: height, height: width } : { width, height };
}

/** The sheets of a part of what flows. @param name null = those of the document */
export function namedPage(page: Page, name: string | null): Page {
  const own = name === null ? undefined : page.named?.[name];
  const given = Object.entries(own ?? {}).filter(([, value]) => value !== undefined);
  return own ? { ...page, ...Object.fromEntries(given) } : page;
}

/** The margins of a page, px. @param number from 1 @param isLast of the document @param earlier pages of a longer file */
export function pageMargins(
  { margin, first, last, mirrored }: Page,
  number: number,
  isLast = false,
  earlier = 0,
): Edges {
  const px = (length: number | string) => inches(length) * PX_PER_INCH;
  const all =
    typeof margin === 'object'
      ? { top: px(margin.top), right: px(margin.right), bottom: px(margin.bottom), left: px(margin.left) }
      : { top: px(margin), right: px(margin), bottom: px(margin), left: px(margin) };
  const swapped = mirrored && (number + earlier) % 2 === 0 ? { ...all, left: all.right, right: all.left } : all;
  const top = (isLast ? last?.top : undefined) ?? (number === 1 ? first?.top : undefined) ?? swapped.top;
  const bottom = (isLast ? last?.bottom : undefined) ?? (number === 1 ? first?.bottom : undefined) ?? swapped.bottom;
  return { ...swapped, top: px(top), bottom: px(bottom) };
}

const WHICH = ['all', 'first', 'not-first', 'last', 'not-last', 'odd', 'even'] as const;
const Which = z.enum(WHICH);

/** The properties of every layer that concern pages. */
export const paged = {
  pages: z
    .union(
      [Which, z.array(Which).min(1).max(4)],
      `must be ${WHICH.map((word) => JSON.stringify(word)).join(', ')}, or a list of those that all hold`,
    )
    .default('all')
    .meta({
      description:
        'Which pages of a document the layer is on, if it is not in a frame; of a list, those for which all of it holds: ["odd", "not-last"].',
    }),
  page: z.string().min(1).max(100).nullable().default(null).meta({
    description:
      'CSS page: the name of the sheet, of `page.named` of the template, on which a child of the frame that flows stands. Another than before begins a page.',
  }),
  breakBefore: z
    .enum(['auto', 'page', 'avoid'])
    .default('auto')
    .meta({ description: 'CSS. page: begins a page of a document. avoid: stays with the layer before it.' }),
  breakAfter: z
    .enum(['auto', 'page', 'avoid'])
    .default('auto')
    .meta({ description: 'CSS. page: ends a page of a document. avoid: stays with the next layer, as headings do.' }),
  breakInside: z
    .enum(['auto', 'avoid'])
    .default('auto')
    .meta({ description: 'CSS. avoid: goes to the next page of a document as a whole.' }),
  repeatOnPages: z.enum(['top', 'bottom']).nullable().default(null).meta({
    description:
      'In a frame that goes on over pages of a document: is shown again at the top, or the bottom, of each part of it, as the head of a table is.',
  }),
};

/** The properties of texts that concern pages. */
export const pagedText = {
  orphans: z.int().min(1).max(100).default(2).meta({
    description: 'CSS: the fewest lines before a page of a document ends.',
  }),
  widows: z.int().min(1).max(100).default(2).meta({ description: 'CSS: the fewest lines after it.' }),
  heading: z.int().min(1).max(6).nullable().default(null).meta({
    description: 'The level of a heading, which the outline of a PDF lists; `counter` can repeat it on each page.',
  }),
};

/** The properties of frames and tables that concern pages. */
export const pagedBox = {
  boxDecorationBreak: z.enum(['slice', 'clone']).default('slice').meta({
    description: 'CSS: whether a frame that a page cuts has its border, padding and corners at the cut, too.',
  }),
};

/** The properties of frames that concern pages. */
export const pagedFrame = {
  flow: z.boolean().default(false).meta({
    description:
      'Goes on over the pages of a document, within their margins. For one frame with a column layout, not in another; without `page`, it is a frame as any other.',
  }),
  ...pagedBox,
};

/** What a span can count. */
const COUNTERS = ['page', 'pages', 'section-page', 'section-pages', 'section', 'heading', 'row'] as const;
export const Counter = z.enum(COUNTERS).meta({
  description:
    'Instead of `text`, in a document: the number of the `page`; how many `pages` there are; the same within a section, which begins on the page of a heading of level 1; the text of the last such heading (`section`) or of any level (`heading`) up to the end of the page. `row`: the number of the entry of a list.',
});
export type Counter = z.infer<typeof Counter>;
