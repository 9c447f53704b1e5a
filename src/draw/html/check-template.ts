// Checks an html template when it is saved: whatever the renderer without a browser would refuse in every render.

import { AppError } from '#base/errors.ts';
import type { HtmlTemplate } from '#core/template/html-template.ts';
import { applyOwnProperties } from './own-properties.ts';
import { completePage, parseHtml } from './parse-html.ts';
import { writeOutGradients } from './radial-gradients.ts';
import { checkPage } from './subset.ts';
import { prepareTables, readTables } from './tables/read-tables.ts';
import { ownCss, withClasses } from './tailwind/page-classes.ts';

/** @throws AppError `invalid_request` naming the first construct that cannot be drawn, and its line */
export async function checkHtmlTemplate(template: HtmlTemplate): Promise<void> {
  const { renderer, script, html } = template;
  // Chromium draws whatever it is given.
  if (renderer === 'chromium') return;
  if (script) throw new AppError('invalid_request', 'script: scripts run with renderer "chromium" only; leave it out.');
  // Our own engine skips what it does not know.
  if (renderer === 'platen') return;
  const page = completePage(parseHtml(html)).slice(0, 1);
  const { theme, css } = ownCss(template);
  const { css: sheet } = writeOutGradients(page, css);
  checkPage(page, sheet);
  const styled = await withClasses(page, sheet, theme, template);
  const tables = prepareTables(page, styled);
  if (tables !== null) readTables(page, tables, template);
  applyOwnProperties(page, tables ?? styled, template);
}
