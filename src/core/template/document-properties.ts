// PDF metadata: the `pdf` object of a template and of a request; the request's values win.

import { z } from 'zod';
import { ValueSpan } from './format.ts';
import { checkPageFields, lengthUpTo, PAGE_FIELDS } from './page-setup.ts';

/** Characters of a property. */
export const MAX_WORDS = 1_000;
const Words = z.string().trim().min(1).max(MAX_WORDS);

/** BCP 47, checked for its form only: a tag of no known language is left for PDF readers to ignore. */
const Language = z
  .string()
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,8}$/, 'must be a BCP 47 tag such as "en" or "pt-BR"');

const PageLabel = z
  .strictObject({
    style: z.enum(['decimal', 'roman', 'letters']).nullable().default('decimal'),
    prefix: z.string().max(100).default(''),
    start: z.int().min(1).max(1_000_000).default(1),
  })
  .meta({
    description: 'How readers number the pages: `prefix`, then the number in `style` (null = none) from `start`.',
  });

const Viewer = z
  .strictObject({
    displayTitle: z.boolean().optional(),
    fitWindow: z.boolean().optional(),
    centerWindow: z.boolean().optional(),
    hideToolbar: z.boolean().optional(),
    hideMenubar: z.boolean().optional(),
    printScaling: z.enum(['none', 'default']).optional(),
  })
  .meta({ description: 'How a reader should open the file; readers may ignore it.' });

const CONFORMANCE_LEVELS = ['A-2b', 'A-2u', 'A-3b', 'A-4', 'A-4f', 'UA-1', 'UA-2'] as const;
const ConformanceLevel = z.enum(CONFORMANCE_LEVELS);
export type ConformanceLevel = z.infer<typeof ConformanceLevel>;

const INVOICE_PROFILES = ['MINIMUM', 'BASIC WL', 'BASIC', 'EN 16931', 'EXTENDED', 'XRECHNUNG'] as const;

/** Characters of an e-invoice. */
const MAX_INVOICE = 1_000_000;
/** Characters of an attached file in base64: 3 MB. */
const MAX_ATTACHED = 4_000_000;
const MOST_ATTACHMENTS = 20;

const Attachment = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(200)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
      .regex(/^[^\u0000-\u001f\u007f/\\:*?"<>|]*$/, 'must be the name of a file, without a folder'),
    mime: z
      .string()
      .max(100)
      .regex(/^[\w.+-]+\/[\w.+-]+$/, 'must be a type such as "application/pdf"')
      .default('application/octet-stream'),
    data: z
      .string()
      .max(MAX_ATTACHED)
      .regex(/^[A-Za-z0-9+/]*={0,2}$/, 'must be base64')
      .refine((data) => data.length % 4 === 0, 'must be base64'),
    description: Words.optional(),
    relationship: z
      .enum(['Source', 'Data', 'Alternative', 'Supplement', 'Unspecified'])
      .default('Unspecified')
      .meta({ description: 'What it is to the document (ISO 32000-2, 7.11.3).' }),
  })
  .meta({ id: 'PdfAttachment', description: 'A file within the PDF: `data` is its bytes in base64.' });
export type Attachment = z.infer<typeof Attachment>;

const Invoice = z
  .strictObject({
    xml: z.string().min(1).max(MAX_INVOICE),
    profile: z.enum(INVOICE_PROFILES),
  })
  .meta({
    id: 'PdfInvoice',
    description:
      'An e-invoice of Factur-X, ZUGFeRD or XRechnung (CII): its XML is attached as it is, and the file conforms to A-3b. Cells with `total` must show the same totals.',
  });
export type Invoice = z.infer<typeof Invoice>;

const OutputIntent = z
  .strictObject({
    profile: z
      .string()
      .max(MAX_ATTACHED)
      .regex(/^[A-Za-z0-9+/]*={0,2}$/, 'must be base64'),
    condition: Words,
  })
  .meta({
    id: 'PdfOutputIntent',
    description: 'How the file is printed: an ICC profile of CMYK in base64, and the name of the condition.',
  });
export type OutputIntent = z.infer<typeof OutputIntent>;

export const DocumentProperties = z
  .strictObject({
    title: Words.optional(),
    author: Words.optional(),
    subject: Words.optional(),
    keywords: z.array(Words).max(100).optional(),
    language: Language.optional(),
    pageLabel: PageLabel.optional(),
    viewer: Viewer.optional(),
    conforms: z
      .union(
        [ConformanceLevel, z.array(ConformanceLevel).min(1).max(2)],
        `must be ${CONFORMANCE_LEVELS.slice(0, -1).join(', ')} or ${CONFORMANCE_LEVELS.at(-1)}, or a list of two`,
      )
      .optional()
      .meta({
        description:
          'The level of PDF/A (archives) and PDF/UA (accessibility) that the file conforms to, or is refused: "A-3b", ["A-3b", "UA-1"].',
      }),
    invoice: Invoice.optional(),
    attachments: z.array(Attachment).max(MOST_ATTACHMENTS).optional(),
    bleed: lengthUpTo(400).optional().meta({
      description:
        'How far what lies beyond the canvas is printed, px or such as "3mm", to be cut off: the canvas is the trim box of the page.',
    }),
    cropMarks: z.boolean().optional().meta({ description: 'Lines beyond the bleed that show where to cut.' }),
    outputIntent: OutputIntent.optional(),
    density: z.number().min(72).max(1_200).optional().meta({
      description: 'The most pixels to the inch that pictures keep, of what their box shows; 300 by default.',
    }),
  })
  .meta({ id: 'Pdf', description: 'What a PDF says of itself; other outputs ignore it.' });
export type DocumentProperties = z.infer<typeof DocumentProperties>;

const Shown = z
  .union([Words, z.array(ValueSpan).min(1).max(20)], 'must be a text, or a list of texts and values')
  .optional();

/** Those of a template of layers, which may show the values of a request. */
export const TemplateProperties = DocumentProperties.extend({ title: Shown, author: Shown, subject: Shown }).meta({
  id: 'TemplatePdf',
  description: 'As `Pdf`; title, author and subject may be a list of texts and values: [{"name": "number"}].',
});

/** Page numbers are at most what a joined file can have: 10,000 documents of 5,000 pages. */
const PageNumber = z.int().min(1).max(50_000_000);
const PageNumbers = z
  .strictObject({ first: PageNumber, last: PageNumber.optional(), total: PageNumber })
  .refine(({ first, last = first, total }) => first <= last && last <= total, 'must be first ≤ last ≤ total')
  .meta({
    description:
      'Numbers the pages as a part of a longer file, of `total` pages; `last` refuses a document of another length.',
  });
export type PageNumbers = z.infer<typeof PageNumbers>;

/** The PDF properties of a request, for a template of either kind: what the file says of itself, and its sheets. */
export const RequestedDocument = DocumentProperties.extend({
  ...PAGE_FIELDS,
  pageNumbers: PageNumbers.optional(),
  reproducible: z
    .boolean()
    .optional()
    .meta({ description: 'Whether equal requests give equal bytes: the creation date is then a fixed one.' }),
})
  .superRefine(checkPageFields)
  .meta({
    id: 'RequestedPdf',
    description:
      "Wins over the template's `pdf`, property by property. Sheets are for html templates that Chromium draws.",
  });
export type RequestedDocument = z.infer<typeof RequestedDocument>;
