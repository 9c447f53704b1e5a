// Builds the page of a caller's markup: its content security policy, base address and styles, then the markup.

import type { CDPSession } from 'puppeteer-core';
import type { LocalFiles } from '#server/net/proxy.ts';

/** Files that a page may use besides the web. */
export interface PageFiles {
  /** Base URL of relative addresses. */
  readonly base: string;
  /** Families by CSS generic name. */
  readonly generic: ReadonlyMap<string, string>;
  /** `@font-face` rules. */
  readonly css: string;
  readonly read: LocalFiles;
}

const POLICY = [
  "default-src 'none'",
  'img-src http: https: data:',
  'media-src http: https: data:',
  'font-src http: https: data:',
  "style-src 'unsafe-inline' http: https: data:",
];
const WITH_SCRIPTS = "script-src 'unsafe-inline'";

/** A content security policy: pictures, media, styles and fonts are loaded; scripts run only if they are inline. */
export const policyFor = (script: boolean): string => [...POLICY, ...(script ? [WITH_SCRIPTS] : [])].join('; ');

/** A page in two parts, so that markup of megabytes is not copied to be joined. */
export type HtmlDocument = readonly [head: string, markup: string];

/**
 * The policy and the styles come before the markup's own head, but after a doctype, which must be first.
 *
 * @param policy null = none, as of a page that is fetched by its address
 */
export function documentOf(
  html: string,
  policy: string | null,
  files: PageFiles | null,
  styles: readonly string[] = [],
): HtmlDocument {
  const [doctype = ''] = /^\s*<!doctype[^>]*>/i.exec(html) ?? [];
  // The first base element counts, and a page may have its own.
  const base = files && !/<base\s/i.test(html) ? `<base href="${files.base}">` : '';
  const sheets = [files ? `${PLAIN}${files.css}` : '', ...styles].map((text) => `<style>${text}</style>`).join('');
  const rules = policy === null ? '' : `<meta http-equiv="content-security-policy" content="${policy}">`;
  const head = `<meta charset="utf-8">${rules}${base}${sheets}`;
  return [`${doctype || '<!doctype html>'}${head}`, html.slice(doctype.length)];
}

/**
 * Text without a family, as in every browser; Chromium draws families that it does not find in its standard one. In a
 * cascade layer, so that layers of the page are above it.
 */
const PLAIN = '@layer platen{:where(html){font-family:serif}}';

/** Sets the generic families, by the names of Chromium's settings; `standard` is for families that are not there. */
export async function setFontFamilies(cdp: CDPSession, { generic }: PageFiles): Promise<void> {
  const [serif, sansSerif, fixed] = ['serif', 'sans-serif', 'monospace'].map((name) => generic.get(name));
  const fontFamilies = {
    ...(serif === undefined ? {} : { serif }),
    ...(sansSerif === undefined ? {} : { standard: sansSerif, sansSerif }),
    ...(fixed === undefined ? {} : { fixed }),
  };
  await cdp.send('Page.setFontFamilies', { fontFamilies });
}
