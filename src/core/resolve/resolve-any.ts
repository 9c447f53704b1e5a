// Resolves a template of either kind with modifications: to a scene, or to an HTML page.

import type { AnyTemplate } from '../template/any-template.ts';
import type { Modifications } from './apply-modifications.ts';
import { type Checked, check } from './check.ts';
import { checkParameters, type Purpose } from './check-parameters.ts';
import { withLists } from './list-text.ts';
import { resolve } from './resolve.ts';
import { type HtmlPage, resolveHtml } from './resolve-html.ts';
import type { Scene } from './scene.ts';

export type Drawable = Scene | HtmlPage;

/** @throws ValidationError naming the path, when a modification does not fit */
export function resolveAny(template: AnyTemplate, modifications: Modifications): Drawable {
  return template.engine === 'html' ? resolveHtml(template, modifications) : resolve(template, modifications);
}

export const isHtmlPage = (drawable: Drawable): drawable is HtmlPage => 'kind' in drawable;

/** A template and modifications that fit it. */
export interface CheckedAny extends Checked {
  /** The page that a browser draws; null if the drawing thread resolves the template itself. */
  readonly page: HtmlPage | null;
  /** Whether `pdf` may say on what sheets it is, beside pages that a browser draws. */
  readonly hasSheets: boolean;
}

/**
 * Checks like `resolveAny` but without resolving: a few milliseconds whatever the template contains.
 *
 * @throws ValidationError naming the path, when a modification does not fit
 */
export function checkAny(template: AnyTemplate, modifications: Modifications, purpose: Purpose): CheckedAny {
  const values = template.engine === 'html' ? modifications : withLists(template, modifications);
  checkParameters(template, values, purpose);
  if (template.engine !== 'html') return { ...check(template, values), page: null, hasSheets: false };
  const page = resolveHtml(template, modifications);
  const { renderer } = template;
  return {
    page: renderer === 'chromium' ? page : null,
    hasSheets: renderer === 'platen',
    sources: [],
    diagnostics: page.diagnostics,
    time: 0,
  };
}
