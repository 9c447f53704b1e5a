// Makes plain templates of designs, with documents and materials as JSON: the work of a check's thread.

import { type Diagnostic, ValidationError } from '#core/diagnostics.ts';
import { checkAny } from '#core/resolve/resolve-any.ts';
import { type AnyTemplate, parseAnyTemplate } from '#core/template/any-template.ts';
import { OWN_SIZE } from '#core/template/size.ts';
import { walkLayers } from '#core/template/template.ts';
import { formatPath } from '#core/template/validation.ts';
import { type Choice, choosingParameters, languagesOf } from '#design/choice.ts';
import { design, isMissing } from '#design/design.ts';
import type { Missing } from '#design/materials.ts';

/** Materials by reference, as JSON. */
export interface MaterialTexts {
  readonly templates: ReadonlyMap<string, string>;
  readonly brands: ReadonlyMap<string, string>;
}

export const NO_TEXTS: MaterialTexts = { templates: new Map(), brands: new Map() };

/** A plain template made of a design. */
export interface DesignedText {
  /** JSON. */
  readonly document: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** What can be chosen of a template. */
export interface Choices {
  /** `default` first. */
  readonly sizes: readonly string[];
  /** The template's own first, if it names one. */
  readonly languages: readonly string[];
  /** The template's own, if it names one. */
  readonly lang: string | null;
  /** As `choosingParameters`. */
  readonly parameters: readonly (keyof Choice)[];
  /** Whether the parameter `page` of signed URLs is that of a document: it has pages, and no layer of that name. */
  readonly hasPages: boolean;
}

const parsed = (texts: ReadonlyMap<string, string>) =>
  new Map([...texts].map(([reference, text]) => [reference, JSON.parse(text) as unknown]));

const materialsIn = ({ templates, brands }: MaterialTexts) => ({
  templates: parsed(templates),
  brands: parsed(brands),
});

/** @throws ValidationError as `design` */
export function designText(text: string, choice: Choice, texts: MaterialTexts, id: string): DesignedText | Missing {
  const made = design(JSON.parse(text), choice, materialsIn(texts), id);
  if (isMissing(made)) return made;
  return { document: JSON.stringify(made.template), diagnostics: made.diagnostics };
}

/**
 * Reads a document that is to be stored, and tries every size and every language that it has.
 *
 * @returns the template by itself
 * @throws ValidationError naming the size or the language that cannot be drawn
 */
export function readDesign(document: unknown, texts: MaterialTexts, id: string | null) {
  const materials = materialsIn(texts);
  const made = (choice: Choice) => {
    const result = design(document, choice, materials, id);
    if (isMissing(result)) return result;
    // Parsed once more: scaling and changes may have exceeded a limit.
    const template = parseAnyTemplate(JSON.parse(JSON.stringify(result.template)));
    const { diagnostics } = checkAny(template, {}, 'design');
    return { template, diagnostics: [...result.diagnostics, ...diagnostics] };
  };
  const own = made({});
  if (isMissing(own)) return own;
  const { sizes, languages } = choicesOf(own.template);
  for (const size of sizes.slice(1)) tried(() => made({ size }), formatPath('sizes', [size]));
  for (const lang of languages) tried(() => made({ lang }), 'texts');
  return own;
}

function tried(make: () => unknown, path: string): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof ValidationError) || error.path.startsWith(path)) throw error;
    throw new ValidationError(path, `gives what is no template: ${error.message}`);
  }
}

/** How many templates a document is, which may be none: at its own size and each other, in each language. */
export function looksOf(document: unknown): number {
  const { sizes, texts } = Object(document) as { readonly sizes?: unknown; readonly texts?: unknown };
  const languages = new Set(Object.values(Object(texts)).flatMap((byLanguage) => Object.keys(Object(byLanguage))));
  return 1 + Object.keys(Object(sizes)).length + languages.size;
}

export function choicesOf(template: AnyTemplate): Choices {
  if (template.engine === 'html')
    return { sizes: [OWN_SIZE], languages: [], lang: null, parameters: [], hasPages: false };
  const names = new Set([...walkLayers(template.layers)].map(({ layer }) => layer.name));
  const { sizes, page } = template;
  return {
    sizes: [OWN_SIZE, ...Object.keys(sizes ?? {})],
    languages: languagesOf(template),
    lang: template.lang ?? null,
    parameters: choosingParameters(template, names),
    hasPages: page !== undefined && !names.has('page'),
  };
}
