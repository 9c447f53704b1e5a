// Adds the style sheet of Tailwind's utility classes to pages that ask for it (`tailwind: true`).
//
// The sheet has the rules of the classes that the page uses, in cascade layers below the page's own rules.

import { AppError } from '#base/errors.ts';
import { elementsOf } from '#core/css/selectors.ts';
import { LruCache } from '#core/lru-cache.ts';
import type { HtmlPage } from '#core/resolve/resolve-html.ts';
import type { HtmlTemplate } from '#core/template/html-template.ts';
import { decodedAttribute, type HtmlNode } from '../parse-html.ts';
import { compileOnThread } from '../satori.ts';
import { takeTailwindRules } from './take-tailwind-rules.ts';

/** Most different classes of a page, and characters of one. */
const MAX_CLASSES = 2_000;
const MAX_CLASS = 200;
/** Most characters of a page's sheet, as of `css`. */
const MAX_SHEET = 200_000;
/** Characters of sheets that are kept, by their classes: a template is often drawn many times. */
const KEPT = 4_000_000;

const sheets = new LruCache<string, string>(KEPT);

/**
 * Divides the style sheet of a template into the blocks that Tailwind reads, and all else, on the same lines.
 *
 * @returns the theme is null where classes are not Tailwind's
 * @throws AppError as `takeTailwindRules`
 */
export function ownCss({ css, tailwind }: Pick<HtmlTemplate, 'css' | 'tailwind'>): {
  readonly theme: string | null;
  readonly css: string;
} {
  if (!tailwind) return { theme: null, css };
  return takeTailwindRules(css);
}

/**
 * The style sheet of the page, with Tailwind's before it on the same line. Gives the elements the classes of their
 * attribute `tw`.
 *
 * @param css the page's own, without `theme`, its `@theme` blocks
 * @throws AppError `invalid_request` for too many classes, or a theme that Tailwind does not read
 */
export async function withClasses(nodes: readonly HtmlNode[], css: string, theme: string | null): Promise<string> {
  if (theme === null) return css;
  for (const { attributes } of elementsOf(nodes)) {
    const own = attributes.get('tw');
    if (own === undefined) continue;
    attributes.set('class', `${attributes.get('class') ?? ''} ${own}`.trim());
    attributes.delete('tw');
  }
  const classes = [...elementsOf(nodes)].map(({ attributes }) => attributes.get('class') ?? '');
  return `${await sheetOf(classes, theme)}${css}`;
}

const ATTRIBUTES = /\b(?:class|tw)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

/**
 * The same for a browser, which parses the markup itself. Of a page whose scripts run, every word of the markup may be a
 * class.
 *
 * @throws AppError
 */
export async function withClassesForBrowser(page: HtmlPage): Promise<HtmlPage> {
  const { html, script } = page.template;
  const { theme, css } = ownCss(page.template);
  if (theme === null) return page;
  const texts = [...html.matchAll(ATTRIBUTES)].map(([, double, single, bare]) => double ?? single ?? bare ?? '');
  const words = script ? (html.match(/[^\s"'`<>=;]+/g) ?? []) : [];
  const sheet = await sheetOf([decodedAttribute(texts.join(' ')), ...words], theme);
  return { ...page, template: { ...page.template, css: `${sheet}${css}` } };
}

/** @param texts values of `class` */
async function sheetOf(texts: readonly string[], theme: string): Promise<string> {
  const classes = new Set(texts.flatMap((text) => text.split(/\s+/)).filter((each) => each.length <= MAX_CLASS));
  classes.delete('');
  if (classes.size > MAX_CLASSES) {
    throw refused(`The page has ${classes.size} different classes; at most ${MAX_CLASSES} are allowed.`);
  }
  const key = `${[...classes].join(' ')} ${theme}`;
  const known = sheets.get(key);
  if (known !== undefined) return known;
  const result = await compileOnThread({ classes: [...classes], theme });
  if ('problem' in result) throw refused(`tailwind: ${result.problem.slice(0, 300)}`);
  if (result.css.length > MAX_SHEET) {
    throw refused(
      `The classes of the page make ${result.css.length} characters of CSS; at most ${MAX_SHEET} are allowed.`,
    );
  }
  sheets.set(key, result.css, result.css.length);
  return result.css;
}

const refused = (message: string) => new AppError('invalid_request', message);
