// Takes the rules that only Tailwind understands (`@theme`, `@utility`) out of a page's style sheet.

import { AppError } from '#base/errors.ts';
import { readStyleSheet, takeAtRules } from '#core/css/css-text.ts';

/**
 * @returns `theme` has the `@theme` and `@utility` blocks; `css` all else, on the same lines
 * @throws AppError `invalid_request` for `@apply` outside `@utility`
 */
export function takeTailwindRules(sheet: string): { readonly theme: string; readonly css: string } {
  const themes = takeAtRules(sheet, '@theme');
  const { taken: utilities, rest: css } = takeAtRules(themes.rest, '@utility');
  const applied = css.includes('@apply') && readStyleSheet(css).preludes.find(({ text }) => /^@apply\b/.test(text));
  if (applied) {
    throw new AppError(
      'invalid_request',
      `css, line ${applied.line}: @apply is read in @utility blocks only; write "@utility name { @apply … }" and use the class.`,
    );
  }
  return { theme: `${themes.taken}${utilities}`, css };
}
