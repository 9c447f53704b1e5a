// PDF metadata: the `pdf` object of a template and of a request; the request's values win.

import { z } from 'zod';
import { ValueSpan } from './format.ts';
import { checkPageFields, PAGE_FIELDS } from './page-setup.ts';

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

export const DocumentProperties = z
  .strictObject({
    title: Words.optional(),
    author: Words.optional(),
    subject: Words.optional(),
    keywords: z.array(Words).max(100).optional(),
    language: Language.optional(),
    pageLabel: PageLabel.optional(),
    viewer: Viewer.optional(),
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

/** The PDF properties of a request, for a template of either kind: what the file says of itself, and its sheets. */
export const RequestedDocument = DocumentProperties.extend({
  ...PAGE_FIELDS,
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
