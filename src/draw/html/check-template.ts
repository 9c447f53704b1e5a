// Checks an html template when it is saved: whatever the renderer without a browser would refuse in every render. And
// what of a page satori does not lay out, so that Platen's own engine draws it.

import { AppError } from '#base/errors.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import type { HtmlPage } from '#core/resolve/resolve-html.ts';
import type { HtmlTemplate } from '#core/template/html-template.ts';
import { beyondSatori } from './beyond-satori.ts';
import { fillLayers } from './fill-layers.ts';
import { parseTemplate } from './parse-html.ts';
import { checkPage, SATORI_LIMITS } from './subset.ts';
import { ownCss, withClasses } from './tailwind/page-classes.ts';

/** @throws AppError `invalid_request` naming the first construct that cannot be drawn, and its line */
export async function checkHtmlTemplate(template: HtmlTemplate): Promise<void> {
  const { renderer, script } = template;
  // Chromium draws whatever it is given.
  if (renderer === 'chromium') return;
  if (script) throw new AppError('invalid_request', 'script: scripts run with renderer "chromium" only; leave it out.');
  // Our own engine skips what it does not know.
  if (renderer === 'platen') return;
  const { html } = parseTemplate(template, SATORI_LIMITS);
  const { theme, css } = ownCss(template);
  checkPage(html, css);
  await withClasses([html], css, theme);
}

/**
 * A warning for a page of satori's that Platen's own engine draws, which says why; null = satori draws it.
 *
 * @throws AppError `invalid_request` as `checkHtmlTemplate`, for such a page
 */
export function drawnByPlaten({ template, values }: HtmlPage): Diagnostic | null {
  const { html } = parseTemplate(template, SATORI_LIMITS);
  fillLayers([html], values);
  const { css } = ownCss(template);
  const reason = beyondSatori(html, css, template);
  if (reason === null) return null;
  checkPage(html, css);
  const message = `${reason} outside of what satori draws, so that Platen's own layout drew the page; set renderer to "platen".`;
  return { code: 'satori-subset', layer: null, message };
}
