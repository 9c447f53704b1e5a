// The sizes and languages that a template can be drawn in, and the files of one download.

import { parseLength } from '#core/svg/natural-size.ts';
import type { OWN_SIZE } from '#core/template/size.ts';
import { type Choice, languagesOf } from '#design/choice.ts';

/** The name of the template's own canvas among its sizes. */
const OWN: typeof OWN_SIZE = 'default';

/** One size in one language. */
export interface TemplateView {
  /** The first size is the template's own canvas. */
  readonly size: string;
  /** BCP 47; null = as the template is written, which says in no language. */
  readonly lang: string | null;
}

export interface TemplateViews {
  readonly sizes: readonly { readonly name: string; readonly width: number; readonly height: number }[];
  /** The first is the template's own. */
  readonly languages: readonly (string | null)[];
}

/** What is read of a document. */
interface Sized {
  readonly width?: unknown;
  readonly height?: unknown;
  readonly sizes?: unknown;
  readonly texts?: unknown;
  readonly lang?: unknown;
}

export function viewsOf({ width, height, sizes = {}, texts = {}, lang }: Sized): TemplateViews {
  const px = (length: unknown) => Math.round(parseLength(String(length)) ?? 0);
  const own = typeof lang === 'string' ? lang : undefined;
  const languages = languagesOf({ lang: own, texts: texts as Parameters<typeof languagesOf>[0]['texts'] });
  const others = Object.entries(sizes as Readonly<Record<string, Sized>>);
  return {
    sizes: [
      { name: OWN, width: px(width), height: px(height) },
      ...others.map(([name, size]) => ({ name, width: px(size.width), height: px(size.height) })),
    ],
    languages: own === undefined ? [null, ...languages] : languages,
  };
}

/** As the template itself is. */
export const ownView = ({ languages: [lang = null] }: TemplateViews): TemplateView => ({ size: OWN, lang });

/** px; of a size that is gone, those of the template's own canvas. */
export const sidesOf = ({ sizes }: TemplateViews, size: string) =>
  sizes.find(({ name }) => name === size) ?? (sizes[0] as TemplateViews['sizes'][number]);

/** What a request says of it: nothing where it is the template's own. */
export function choiceOf(views: TemplateViews, { size, lang }: TemplateView): Choice {
  return {
    ...(size !== OWN && { size }),
    ...(lang !== null && lang !== views.languages[0] && { lang }),
  };
}

/** The views of one download. @param every whether all sizes and all languages are wanted instead of the one that is shown */
export function wantedViews(
  views: TemplateViews,
  shown: TemplateView,
  every: { readonly sizes: boolean; readonly languages: boolean },
): readonly TemplateView[] {
  const sizes = every.sizes ? views.sizes.map(({ name }) => name) : [shown.size];
  const languages = every.languages ? views.languages : [shown.lang];
  return languages.flatMap((lang) => sizes.map((size) => ({ size, lang })));
}

/** ` - story 1080x1920 - de`: which of several sizes and languages a file is of; empty where there is one. */
export function viewName(views: TemplateViews, { size, lang }: TemplateView): string {
  const { width, height } = sidesOf(views, size);
  const sides = `${width}x${height}`;
  const parts = [
    views.sizes.length > 1 && (size === OWN ? sides : `${size} ${sides}`),
    views.languages.length > 1 && lang,
  ];
  return parts.map((part) => (part ? ` - ${part}` : '')).join('');
}
