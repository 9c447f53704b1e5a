// The schema of html templates: a page in HTML and CSS, whose named layers are the elements with `data-layer`.
//
// The author's markup is used as it is. A caller's modifications are never markup: they become text, an attribute or a
// CSS value of an existing element.

import { z } from 'zod';
import { DocumentProperties, type RequestedDocument } from './document-properties.ts';
import { checkPageFields, PAGE_FIELD_NAMES, PAGE_FIELDS, type PageField } from './page-setup.ts';
import { checkTemplateParameters, TemplateParameters } from './parameter.ts';
import { MAX_PIXELS, Side } from './size.ts';
import { ColorString } from './style.ts';
import { parse } from './validation.ts';

/** Characters of markup, with `renderer: "platen"`; and with those that read it several times. */
const MAX_HTML = 2_000_000;
const MAX_OTHER_HTML = 500_000;
const MAX_CSS = 200_000;

const HtmlPdf = DocumentProperties.extend(PAGE_FIELDS).superRefine(checkPageFields).meta({
  id: 'HtmlPdf',
  description:
    'What the file says of itself; with `renderer: "chromium"`: `title`, `author`, `subject`, `keywords`, and the sheets that it is printed on.',
});

const isPageField = (name: string) => PAGE_FIELD_NAMES.includes(name as PageField);
/** The fields of sheets that our own renderer has. */
export const OWN_PAGE_FIELDS: readonly string[] = ['format', 'width', 'height', 'landscape', 'margin', 'media'];

export type PdfProperty = Exclude<keyof RequestedDocument, PageField>;
/** What a PDF that Chromium prints has of each property; our own writer has all. A template has none of the others. */
export const PRINTED = {
  title: 'has it',
  author: 'has it',
  subject: 'has it',
  keywords: 'has it',
  language: 'leaves it out',
  pageLabel: 'leaves it out',
  viewer: 'leaves it out',
  density: 'leaves it out',
  reproducible: 'leaves it out',
  conforms: 'refuses it',
  invoice: 'refuses it',
  attachments: 'refuses it',
  outputIntent: 'refuses it',
  bleed: 'refuses it',
  cropMarks: 'refuses it',
  pageNumbers: 'refuses it',
} as const satisfies Record<PdfProperty, string>;
export const PDF_PROPERTIES = Object.keys(PRINTED) as PdfProperty[];

/** What a PDF says of itself whichever renderer draws it. */
const INFORMATION: readonly string[] = PDF_PROPERTIES.filter((name) => PRINTED[name] === 'has it');

export const HtmlTemplate = z
  .strictObject({
    $schema: z.string().max(2048).optional(),
    name: z.string().trim().min(1).max(200),
    width: Side,
    height: Side,
    engine: z.literal('html'),
    renderer: z.enum(['chromium', 'platen', 'satori']).default('chromium').meta({
      description:
        '`platen` draws without a browser, as pictures and on pages, and warns of CSS that it does not have; `satori` draws a subset of CSS, and refuses by name what is beyond it; tables, masks and classes of Tailwind are drawn as by `platen`, with a warning.',
    }),
    background: ColorString.nullable().default(null).meta({ description: 'null = transparent; white in JPEG.' }),
    pdf: HtmlPdf.optional(),
    parameters: TemplateParameters,
    html: z.string().min(1).max(MAX_HTML).meta({
      description:
        'A document, or what stands in its body. More than 500,000 characters are for `renderer: "platen"` alone.',
    }),
    css: z
      .string()
      .max(MAX_CSS)
      .refine((css) => !/<\/style/i.test(css), 'must not hold "</style"')
      .default(''),
    tailwind: z.boolean().default(false).meta({
      description: 'Whether `class` and `tw` take the utility classes of Tailwind CSS 4, below the rules of `css`.',
    }),
    script: z.boolean().default(false).meta({ description: 'Whether scripts in `html` run.' }),
  })
  .refine(({ width, height }) => width * height <= MAX_PIXELS, {
    path: ['width'],
    message: `width × height must be at most ${MAX_PIXELS / 1e6} million px`,
  })
  .superRefine(({ renderer, html, pdf = {} }, context) => {
    if (renderer !== 'platen' && html.length > MAX_OTHER_HTML) {
      const message = `has ${html.length} characters, of which renderer "${renderer}" takes ${MAX_OTHER_HTML}, and "platen" ${MAX_HTML}`;
      context.addIssue({ code: 'custom', path: ['html'], message });
    }
    const isChromium = renderer === 'chromium';
    if (renderer === 'platen') {
      const strange = Object.keys(pdf).find((name) => isPageField(name) && !OWN_PAGE_FIELDS.includes(name));
      if (strange === undefined) return;
      const message = `${strange} is for renderer "chromium"; "platen" takes ${OWN_PAGE_FIELDS.join(', ')}, and \`@page\` of the page`;
      context.addIssue({ code: 'custom', path: ['pdf', strange], message });
      return;
    }
    const wrong = Object.keys(pdf).find((name) => !INFORMATION.includes(name) && isPageField(name) !== isChromium);
    if (wrong === undefined) return;
    const message = isChromium
      ? `needs renderer "satori" for ${wrong}; Chromium takes ${INFORMATION.join(', ')}, and the language from the page itself`
      : `needs renderer "chromium" for ${wrong}; satori draws one page of the size of the canvas`;
    context.addIssue({ code: 'custom', path: ['pdf'], message });
  })
  .meta({ id: 'HtmlTemplate', title: 'Platen html template' });

/** An html template with every default filled in. */
export type HtmlTemplate = z.infer<typeof HtmlTemplate>;

/**
 * Parses a stored or posted html template and fills in every default.
 *
 * @throws ValidationError with the paths of what is wrong.
 */
export function parseHtmlTemplate(input: unknown): HtmlTemplate {
  const template = parse(HtmlTemplate, input);
  const { parameters, script, html } = template;
  // A script may make layers that the markup does not have.
  const types = script ? null : new Map([...htmlLayerNames(html)].map((name) => [name, 'element']));
  if (parameters) checkTemplateParameters(parameters, types);
  return template;
}

/** The layers' names as written in the markup, to distinguish `layer.property` from a layer with a dot in its name. */
export function htmlLayerNames(html: string): ReadonlySet<string> {
  const attributes = html.matchAll(/\bdata-layer\s*=\s*(?:"([^"]+)"|'([^']+)'|([^\s"'>]+))/g);
  const names = [...attributes].map(([, double, single, bare]) => double ?? single ?? bare ?? '');
  return new Set(names.filter((name) => name.length <= 100));
}
