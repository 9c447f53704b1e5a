// Which brand, size and language of a template a request chooses, and the plain template that is made of it.

import type { Diagnostic } from '#core/diagnostics.ts';
import type { AnyTemplate } from '#core/template/any-template.ts';
import type { Translations } from '#core/template/translations.ts';
import type { Supply } from './materials.ts';

/** What a request chooses of a design. Each is absent where the template decides. */
export interface Choice {
  /** The name of a size; `default` is the template's own canvas. */
  readonly size?: string;
  /** BCP 47. */
  readonly lang?: string;
  /** `acme`, or `acme@2` for a version. */
  readonly brand?: string;
}

/**
 * The parameters of signed URLs, and the columns of tables, that choose: of `size`, `lang` and `brand` those of which the
 * template has any, unless a layer has that name.
 *
 * @param names of its layers
 */
export function choosingParameters(
  { sizes, texts, brand }: { readonly sizes?: unknown; readonly texts?: unknown; readonly brand?: unknown },
  names: ReadonlySet<string>,
): readonly (keyof Choice)[] {
  const has = { size: sizes, lang: texts, brand };
  return (['size', 'lang', 'brand'] as const).filter((name) => has[name] !== undefined && !names.has(name));
}

/** The languages that a template has texts in, its own first. */
export function languagesOf({ lang, texts = {} }: { lang?: string | undefined; texts?: Translations | undefined }) {
  const tags = Object.values(texts).flatMap((byLanguage) => Object.keys(byLanguage));
  return [...new Set([...(lang === undefined ? [] : [lang]), ...tags])];
}

export interface Designed {
  readonly template: AnyTemplate;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a design is made in: what supplies its parts, and the templates around it. */
export interface DesignContext {
  readonly supply: Supply;
  /** The brand of the templates around a component; null = it has its own. */
  readonly brand: string | null;
  readonly lang: string | undefined;
  /** The ids of the templates around it and its own. */
  readonly around: readonly string[];
  /** Components by their reference and size. */
  readonly known: Map<string, Designed>;
}

/** What is read of a layer to know a page made by hand. */
export interface PageFields {
  readonly type?: unknown;
  readonly height?: unknown;
  readonly breakBefore?: unknown;
  readonly visible?: unknown;
}

/** Whether a child of the frame that flows is a page made by hand: as high as one, and on one of its own. */
export const isWholePage = ({ type, height, breakBefore }: PageFields): boolean =>
  type === 'frame' && height === '100%' && breakBefore === 'page';
