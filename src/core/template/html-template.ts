// The schema of html templates: a page in HTML and CSS, whose named layers are the elements with `data-layer`.
//
// The author's markup is used as it is. A caller's modifications are never markup: they become text, an attribute or a
// CSS value of an existing element.

import { z } from 'zod';
import { DocumentProperties } from './document-properties.ts';
import { ColorString } from './style.ts';
import { MAX_PIXELS, MAX_SIDE } from './template.ts';

const MAX_HTML = 500_000;
const MAX_CSS = 200_000;
const Side = z.int().min(1).max(MAX_SIDE);

export const HtmlTemplate = z
  .strictObject({
    $schema: z.string().max(2048).optional(),
    name: z.string().trim().min(1).max(200),
    width: Side,
    height: Side,
    engine: z.literal('html'),
    renderer: z.enum(['chromium', 'satori']).default('chromium').meta({
      description: '`satori` draws a subset of CSS without a browser; what is beyond it is refused by name.',
    }),
    background: ColorString.nullable().default(null).meta({ description: 'null = transparent; white in JPEG.' }),
    pdf: DocumentProperties.optional().meta({ description: 'Of `renderer: "satori"` alone.' }),
    html: z.string().min(1).max(MAX_HTML).meta({ description: 'A document, or what stands in its body.' }),
    css: z
      .string()
      .max(MAX_CSS)
      .refine((css) => !/<\/style/i.test(css), 'must not hold "</style"')
      .default(''),
    script: z.boolean().default(false).meta({ description: 'Whether scripts in `html` run.' }),
  })
  .refine(({ width, height }) => width * height <= MAX_PIXELS, {
    path: ['width'],
    message: `width × height must be at most ${MAX_PIXELS / 1e6} million px`,
  })
  .refine(({ renderer, pdf }) => renderer === 'satori' || pdf === undefined, {
    path: ['pdf'],
    message: 'needs renderer "satori"; Chromium takes the title and the language from the page itself',
  })
  .meta({ id: 'HtmlTemplate', title: 'Platen html template' });

/** An html template with every default filled in. */
export type HtmlTemplate = z.infer<typeof HtmlTemplate>;

/** The layers' names as written in the markup, to distinguish `layer.property` from a layer with a dot in its name. */
export function htmlLayerNames(html: string): ReadonlySet<string> {
  const attributes = html.matchAll(/\bdata-layer\s*=\s*(?:"([^"]{1,100})"|'([^']{1,100})'|([^\s"'>]{1,100}))/g);
  return new Set([...attributes].map(([, double, single, bare]) => double ?? single ?? bare ?? ''));
}
