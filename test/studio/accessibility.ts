// Judges a page of the studio by axe.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'puppeteer-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run(within: Document | string): Promise<{
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
 * @param options `theme` is set first; `within` is the selector of a part of the page
 */
export async function findings(
  page: Page | Frame,
  { theme, within, all = false }: { readonly theme?: string; readonly within?: string; readonly all?: boolean } = {},
): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate(
    async (chosen, part, isAll) => {
      // Without transitions, axe measures no colours half way between the themes.
      const still = new CSSStyleSheet();
      still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important }');
      document.adoptedStyleSheets.push(still);
      if (chosen !== null) document.documentElement.dataset.theme = chosen;
      const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(part ?? document);
      return violations
        .filter(({ impact }) => isAll || impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
    },
    theme ?? null,
    within ?? null,
    all,
  );
}
