// Writes the types of templates as interfaces, in place of the types that zod infers, and drops what no entry refers to.
//
// The compiler writes an inferred schema out in full wherever it is used: 3.7 MB, which every program that imports the
// package had to read and check (4 s of TypeScript). Of the schemas' JSON Schema they are 0.1 MB.

import { appendFile, glob, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { RequestedDocument } from '../src/core/template/document-properties.ts';
import { HtmlTemplate } from '../src/core/template/html-template.ts';
import { withDesigns } from '../src/core/template/published-schema.ts';
import { LayersTemplate } from '../src/core/template/template.ts';
import { CHARACTER_PROPERTIES } from '../src/core/template/text-layer.ts';
import { schemaInterfaces } from './contract-types.ts';

type Schemas = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Modules of `core` that entries refer to: what each declares. Generated types are in `written` and `parsed`. */
const MODULES: Readonly<Record<string, string>> = {
  'template/template': `import type { LayersTemplate } from './written.ts';
export type { LayersTemplate as Template } from './parsed.ts';
import type { LayersTemplate as Template } from './parsed.ts';
/** A template of one picture as callers write it: what has a default may be left out. */
export interface PictureDocument extends Omit<LayersTemplate, 'page' | 'width' | 'height'> {
  readonly page?: undefined;
  readonly width: number;
  readonly height: number;
}
/** A template of pages, which have the size that its page says. */
export interface PagedDocument extends Omit<LayersTemplate, 'page'> {
  readonly page: NonNullable<LayersTemplate['page']>;
}
export type TemplateDocument = PictureDocument | PagedDocument;
/**
 * Parses a stored or posted template and fills in every default.
 *
 * @throws ValidationError with the paths of what is wrong.
 */
export declare function parseTemplate(input: unknown): Template;
`,
  'template/any-template': `import type { HtmlTemplate, LayersTemplate } from './parsed.ts';
export type AnyTemplate = LayersTemplate | HtmlTemplate;
/** @throws ValidationError with the paths of what is wrong. */
export declare function parseAnyTemplate(input: unknown): AnyTemplate;
`,
  'template/layer': `export type { Layer as LayerDocument } from './written.ts';
export type { BarcodeLayer, Layer, QrLayer } from './parsed.ts';
`,
  'template/chart-layer': `export type { ChartLayer } from './parsed.ts';
`,
  'template/document-properties': `import type { RequestedPdf, TemplatePdf } from './parsed.ts';
export type { RequestedPdf as RequestedDocument } from './parsed.ts';
export type PageNumbers = NonNullable<RequestedPdf['pageNumbers']>;
/** Those of a template with the values that they name. */
export interface DocumentProperties extends Omit<TemplatePdf, 'title' | 'author' | 'subject'> {
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  readonly subject?: string | undefined;
}
`,
  'template/format': `import type { TextLayer } from './parsed.ts';
export type Format = Exclude<TextLayer['format'], string | null>;
`,
  'template/html-template': `export type { HtmlTemplate } from './parsed.ts';
`,
  'template/page': `import type { Span } from './parsed.ts';
export type { Page } from './parsed.ts';
export type Counter = NonNullable<Span['counter']>;
`,
  'resolve/apply-modifications': `/** Layer name → string, number, boolean, merge patch or list of modifications; as the caller sent it, unchecked. */
export type Modifications = Readonly<Record<string, unknown>>;
`,
  'resolve/resolve-layers': `/** What resolves layers that most templates do without. */
export interface RarerLayers {}
`,
  'template/text-layer': `export type { TextLayer } from './parsed.ts';
export type CharacterProperty = ${CHARACTER_PROPERTIES.map((name) => `'${name}'`).join(' | ')};
`,
};

/** The attribute that @vercel/og adds to React's elements, whose types need not be installed. */
const REACT = `
// @ts-ignore
declare module 'react' {
  interface HTMLAttributes<T> {
    /** Classes of Tailwind CSS, which ImageResponse draws. */
    tw?: string | undefined;
  }
  interface SVGAttributes<T> {
    tw?: string | undefined;
  }
}
`;

/** The entries of the package, without `.d.ts`. */
const ENTRIES = ['index', 'browser', 'edge', 'og', 'editor'];

/** @param folder with the declarations that the compiler has written */
export async function writePackageTypes(folder: string): Promise<void> {
  const written = (name: string) => join(folder, 'core', `${name}.d.ts`);
  await writeFile(written('template/written'), schemaInterfaces(withDesigns(named('input'))));
  await writeFile(written('template/parsed'), schemaInterfaces(named('output')));
  for (const [name, text] of Object.entries(MODULES)) await writeFile(written(name), text);
  await appendFile(join(folder, 'og.d.ts'), REACT);
  const wanted = await referredTo(folder);
  for await (const file of glob('**/*.d.ts', { cwd: folder })) if (!wanted.has(file)) await rm(join(folder, file));
}

/** The named schemas of templates. @param io as callers write them, or with every default filled in */
function named(io: 'input' | 'output'): Schemas {
  const all = z.union([LayersTemplate, HtmlTemplate, RequestedDocument]);
  const { $defs } = z.toJSONSchema(all, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (io !== 'output' || !isMadePixels(zodSchema)) return;
      delete jsonSchema.anyOf;
      jsonSchema.type = 'number';
    },
  });
  const schemas = $defs as Schemas;
  if (io === 'input') return schemas;
  // The schema says what documents must have; with defaults, a template has more.
  const required = Object.entries(LayersTemplate.shape).filter(([, { _zod }]) => _zod.optout !== 'optional');
  return { ...schemas, LayersTemplate: { ...schemas.LayersTemplate, required: required.map(([name]) => name) } };
}

/** Whether a schema takes a number, or a text that it makes one: a length with a unit, which is px from then on. */
function isMadePixels({ _zod: { def } }: z.core.$ZodType): boolean {
  if (def.type !== 'union') return false;
  const { options } = def as z.core.$ZodUnionDef;
  const [first, second] = options.map((option) => option._zod.def);
  const isChanged = second?.checks?.some((check) => check._zod.def.check === 'overwrite') ?? false;
  return options.length === 2 && first?.type === 'number' && second?.type === 'string' && isChanged;
}

/** The declarations that entries refer to, themselves or by others, relative to the folder. */
async function referredTo(folder: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const waiting = ENTRIES.map((name) => `${name}.d.ts`);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const text = await readFile(join(folder, file), 'utf8');
    for (const [, specifier = ''] of text.matchAll(/\b(?:from|import)\s*\(?\s*["']([#.][^"'\n]*?)(?:\.[jt]s)?["']/g)) {
      const path = specifier.startsWith('#') ? specifier.slice(1) : join(dirname(file), specifier);
      waiting.push(`${path}.d.ts`);
    }
  }
  return found;
}
