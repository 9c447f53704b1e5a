// A template of either kind and modifications in, what is to be drawn out: a scene, or a page for a browser.

import type { AnyTemplate } from '../template/any-template.ts';
import type { Modifications } from './apply-modifications.ts';
import { type Checked, check } from './check.ts';
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
  /** What a browser is to draw; null of what the drawing thread resolves itself. */
  readonly page: HtmlPage | null;
}

/**
 * As `resolveAny`, in a few milliseconds whatever the template holds.
 *
 * @throws ValidationError naming the path, when a modification does not fit
 */
export function checkAny(template: AnyTemplate, modifications: Modifications): CheckedAny {
  if (template.engine !== 'html') return { ...check(template, modifications), page: null };
  const page = resolveHtml(template, modifications);
  return { page: template.renderer === 'chromium' ? page : null, sources: [], diagnostics: page.diagnostics, time: 0 };
}
