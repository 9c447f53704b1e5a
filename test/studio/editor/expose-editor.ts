// Gives a page `platenEditor` (in-page.ts), so that tests and measurements read the editor's state.

import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { build, type Rolldown } from 'vite';

let bundled: Promise<string> | null = null;

/** Has an effect from the page's next address on. */
export async function exposeEditor(page: Page): Promise<void> {
  bundled ??= bundle();
  await page.evaluateOnNewDocument(await bundled);
}

async function bundle(): Promise<string> {
  const entry = join(import.meta.dirname, 'in-page.ts');
  const lib = { entry, formats: ['iife' as const], name: 'inPage' };
  const built = await build({ configFile: false, logLevel: 'error', build: { write: false, lib } });
  const [{ output }] = built as [Rolldown.RolldownOutput];
  return output[0].code;
}
