// Makes plain templates of a template file, which may be a design: with its components and brands in the same file.

import { AppError } from '#base/errors.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import type { AnyTemplate } from '#core/template/any-template.ts';
import type { Choice } from '#design/choice.ts';
import { design, isMissing } from '#design/design.ts';
import { everyChoice } from '#server/service/rendering/choices.ts';
import { choicesOf } from '#server/service/templates/design-texts.ts';
import { parseJson, readInput, type TemplateFile } from './template-file.ts';

/** Names as they stand after `--size`, `--lang` and `--brand`. */
export interface DesignOptions {
  /** A name, several between commas, or `all`. */
  readonly size?: string | undefined;
  readonly lang?: string | undefined;
  /** A file with a brand, in place of the template's own. */
  readonly brand?: string | undefined;
}

export interface DesignedFile {
  readonly template: AnyTemplate;
  readonly diagnostics: readonly Diagnostic[];
}

/** @throws AppError naming what the file lacks; ValidationError for a size that there is not */
export function designFile(
  { template, templates, brands }: Pick<TemplateFile, 'template' | 'templates' | 'brands'>,
  choice: Choice = {},
): DesignedFile {
  const materials = { templates: new Map(Object.entries(templates)), brands: new Map(Object.entries(brands)) };
  const made = design(template, choice, materials);
  if (!isMissing(made)) return made;
  const [kind, names] = made.brands.length > 0 ? ['brands', made.brands] : ['templates', made.templates];
  const example = `{"template": …, "${kind}": {${names.map((name) => `${JSON.stringify(name)}: …`).join(', ')}}}`;
  const orFile = kind === 'brands' ? ', or name the file of a brand with --brand' : '';
  throw new AppError('invalid_request', `The file lacks ${names.join(', ')}: write ${example}${orFile}.`);
}

/** A design with a brand in place of its own. @throws as `designFile` */
export function designWith(
  template: unknown,
  { size, lang }: { readonly size: string | undefined; readonly lang: string | undefined },
  brand: unknown,
): DesignedFile {
  const brands = brand === undefined ? {} : { [OWN_BRAND]: brand };
  const choice = {
    ...(size !== undefined && { size }),
    ...(lang !== undefined && { lang }),
    ...(brand !== undefined && { brand: OWN_BRAND }),
  };
  return designFile({ template, templates: {}, brands }, choice);
}

/** The file with the brand of `--brand` in it, and every combination that the options ask for. */
export async function readDesignOptions(
  file: TemplateFile,
  { size, lang, brand }: DesignOptions,
): Promise<{ readonly file: TemplateFile; readonly choices: readonly Choice[] }> {
  const own = brand === undefined ? null : parseJson(brand, (await readInput(brand)).toString('utf8'));
  const whole = own === null ? file : { ...file, brands: { ...file.brands, [OWN_BRAND]: own } };
  const chosen = own === null ? {} : { brand: OWN_BRAND };
  const wanted = { size: listed(size), lang: listed(lang), ...chosen };
  const choices = await everyChoice(wanted, () => choicesOf(designFile(whole, chosen).template));
  return { file: whole, choices };
}

/** A name, or several between commas. */
export const listed = (text: string | undefined): string | readonly string[] | undefined =>
  text?.includes(',') ? text.split(',').map((name) => name.trim()) : text;

/** The reference of the brand that `--brand` names. */
const OWN_BRAND = 'file@1';

/** `card-story.png` for `card.png` where several files are made. */
export function nameOf(out: string, { size, lang }: Choice, areSeveral: boolean): string {
  if (!areSeveral) return out;
  const dot = out.lastIndexOf('.');
  return [out.slice(0, dot), lang, size].filter((word) => word !== undefined).join('-') + out.slice(dot);
}
