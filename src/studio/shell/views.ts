// The sizes, languages and pages that a template can be drawn in, and the files of one download.

import { parseLength } from '#core/svg/natural-size.ts';
import type { OWN_SIZE } from '#core/template/size.ts';
import { type Choice, isWholePage, languagesOf, type PageFields } from '#design/choice.ts';
import { texts } from '../texts/shell.ts';

/** The name of the template's own canvas among its sizes. */
const OWN: typeof OWN_SIZE = 'default';

/** What a size is called in the interface. */
export const sizeName = (name: string | null): string =>
  name === null || name === OWN ? texts.value.common.ownSize : name;

/** One size in one language, or a page of it. */
export interface TemplateView {
  /** The first size is the template's own canvas. */
  readonly size: string;
  /** BCP 47; null = as the template is written, which says in no language. */
  readonly lang: string | null;
  /** From 1, of a picture of a document; absent = all pages, as a PDF has, or the only one. */
  readonly page?: number;
}

export interface TemplateViews {
  readonly sizes: readonly { readonly name: string; readonly width: number; readonly height: number }[];
  /** The first is the template's own. */
  readonly languages: readonly (string | null)[];
  /** How many there are, as far as that is known without drawing them; else 1. */
  readonly pages: number;
}

/** The pages of a document that has only such. */
function countPages({ page, layers }: Sized): number {
  const flow = (layers as (PageFields & { flow?: unknown; children?: PageFields[] })[] | undefined)?.find(
    (one) => one.flow === true,
  );
  const shown = flow?.children?.filter(({ visible }) => visible !== false) ?? [];
  return page !== undefined && shown.length > 0 && shown.every(isWholePage) ? shown.length : 1;
}

/** What is read of a document. */
interface Sized {
  readonly width?: unknown;
  readonly height?: unknown;
  readonly sizes?: unknown;
  readonly texts?: unknown;
  readonly lang?: unknown;
  readonly page?: unknown;
  readonly layers?: unknown;
}

/** @param sides the template's sides, px, which a document with `page` does not have */
export function viewsOf(document: Sized, sides: Sized = document): TemplateViews {
  const { sizes = {}, texts = {}, lang } = document;
  const px = (length: unknown) => Math.round(parseLength(String(length)) ?? 0);
  const own = typeof lang === 'string' ? lang : undefined;
  const languages = languagesOf({ lang: own, texts: texts as Parameters<typeof languagesOf>[0]['texts'] });
  const others = Object.entries(sizes as Readonly<Record<string, Sized>>);
  return {
    sizes: [
      { name: OWN, width: px(sides.width), height: px(sides.height) },
      ...others.map(([name, size]) => ({ name, width: px(size.width), height: px(size.height) })),
    ],
    languages: own === undefined ? [null, ...languages] : languages,
    pages: countPages(document),
  };
}

/** As the template itself is. */
export const ownView = ({ languages: [lang = null] }: TemplateViews): TemplateView => ({ size: OWN, lang });

/** px; of a size that is gone, those of the template's own canvas. */
export const sidesOf = ({ sizes }: TemplateViews, size: string) =>
  sizes.find(({ name }) => name === size) ?? (sizes[0] as TemplateViews['sizes'][number]);

/** What a request says of it: nothing where it is the template's own. */
export function choiceOf(
  views: TemplateViews,
  { size, lang, page }: TemplateView,
): Choice & { readonly page?: number } {
  return {
    ...(size !== OWN && { size }),
    ...(lang !== null && lang !== views.languages[0] && { lang }),
    ...(page !== undefined && { page }),
  };
}

/** The views of one download. @param every whether all sizes, languages and pages are wanted instead of those that are shown */
export function wantedViews(
  views: TemplateViews,
  shown: TemplateView,
  every: { readonly sizes: boolean; readonly languages: boolean; readonly pages?: boolean },
): readonly TemplateView[] {
  const sizes = every.sizes ? views.sizes.map(({ name }) => name) : [shown.size];
  const languages = every.languages ? views.languages : [shown.lang];
  const { page } = shown;
  const numbers = every.pages ? Array.from({ length: views.pages }, (_, i) => i + 1) : [page];
  return languages.flatMap((lang) =>
    sizes.flatMap((size) => numbers.map((number) => ({ size, lang, ...(number !== undefined && { page: number }) }))),
  );
}

/** ` - story 1080x1920 - de - 03`: which of several sizes, languages and pages a file is of; empty where there is one. */
export function viewName(views: TemplateViews, { size, lang, page }: TemplateView): string {
  const { width, height } = sidesOf(views, size);
  const sides = `${width}x${height}`;
  const parts = [
    views.sizes.length > 1 && (size === OWN ? sides : `${size} ${sides}`),
    views.languages.length > 1 && lang,
    page !== undefined && views.pages > 1 && String(page).padStart(String(views.pages).length, '0'),
  ];
  return parts.map((part) => (part ? ` - ${part}` : '')).join('');
}
