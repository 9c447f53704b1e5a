// Judges a page of the studio by axe.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'puppeteer-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules that judge colours: of all rules, only their findings differ between the themes. */
const OF_COLORS = ['color-contrast', 'link-in-text-block'];

interface Axe {
  run(
    within: Document | string,
    options: { readonly resultTypes: readonly string[]; readonly runOnly?: readonly string[] },
  ): Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly impact: string;
      readonly nodes: readonly { readonly html: string }[];
    }[];
  }>;
}

/**
 * axe's findings, each with the HTML of its element: those that are serious or critical, or all of them.
 *
 * `evaluate` is not subject to the page's policy, which would block a script tag for axe.
 *
 * @param options `bothThemes`: first in the light theme, then in the dark one, which stays; `within` is the selector of a
 *   part of the page
 */
export async function findings(
  page: Page | Frame,
  {
    bothThemes = false,
    within,
    all = false,
  }: { readonly bothThemes?: boolean; readonly within?: string; readonly all?: boolean } = {},
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const judge = (theme: string | null, rules: readonly string[] | null) =>
    page.evaluate(
      async (chosen, part, isAll, only) => {
        // Without transitions, axe measures no colours half way between the themes.
        const still = new CSSStyleSheet();
        still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important }');
        document.adoptedStyleSheets.push(still);
        if (chosen !== null) document.documentElement.dataset.theme = chosen;
        const { axe } = globalThis as unknown as { axe: Axe };
        // What passes is not described.
        const options = { resultTypes: ['violations'], ...(only ? { runOnly: only } : {}) };
        const { violations } = await axe.run(part ?? document, options);
        return violations
          .filter(({ impact }) => isAll || impact === 'serious' || impact === 'critical')
          .flatMap(({ id, nodes }) =>
            nodes.map(({ html }) => `${chosen === null ? '' : `${chosen}, `}${id}: ${html.slice(0, 160)}`),
          );
      },
      theme,
      within ?? null,
      all,
      rules,
    );
  if (!bothThemes) return judge(null, null);
  return [...(await judge('light', null)), ...(await judge('dark', OF_COLORS))];
}
