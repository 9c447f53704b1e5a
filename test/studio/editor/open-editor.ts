// Bundles the studio from src and opens one template in a browser, for tests of the editor.

import { join } from 'node:path';
import puppeteer, { type Page } from 'puppeteer-core';
import { build } from 'vite';
import { CHROMIUM } from '../../chromium/chromium.ts';
import { listen } from '../../listen.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { editorServer } from './editor-server.ts';
import { exposeEditor } from './expose-editor.ts';

const ROOT = join(import.meta.dirname, '../../..');

export { CHROMIUM };

export interface OpenEditor extends AsyncDisposable {
  readonly page: Page;
  readonly address: string;
  readonly drafts: ReturnType<typeof editorServer>['drafts'];
  /** Problems of the page: violations of its policy, exceptions, failed requests, requests to other hosts. */
  readonly complaints: string[];
  /** Opens the template in another tab. */
  open(template: string): Promise<Page>;
}

export async function openEditor(
  template = 'sample-social-card',
  view = { width: 1280, height: 800 },
): Promise<OpenEditor> {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const outDir = join(folder.path, 'studio');
  await build({ configFile: join(ROOT, 'vite.studio.config.ts'), logLevel: 'error', build: { outDir } });
  const { server, drafts } = editorServer(outDir);
  const { url: address } = stack.use(await listen(server));
  const browser = await puppeteer.launch({
    executablePath: CHROMIUM?.path ?? '',
    args: ['--no-sandbox', '--font-render-hinting=none'],
  });
  stack.defer(() => browser.close());
  const complaints: string[] = [];
  const open = async (name: string) => {
    const page = await browser.newPage();
    await page.setViewport(view);
    await exposeEditor(page);
    page.on('console', (message) => {
      // Failed requests are recorded below, with their addresses.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load')) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('response', (response) => {
      // The test server fetches no external images: the layout request for them fails, and they are left out.
      if (response.status() >= 400 && !response.url().endsWith('/layout'))
        complaints.push(`${response.status()} ${response.url()}`);
    });
    page.on('request', (request) => {
      if (!/^(data:|blob:)/.test(request.url()) && !request.url().startsWith(address))
        complaints.push(`asked ${request.url()}`);
    });
    await page.goto(`${address}/studio/a/acc_1/templates/${name}/edit`);
    await page.waitForFunction(() => document.querySelector('.artboard g g') !== null);
    return page;
  };
  const page = await open(template);
  return { page, address, drafts, complaints, open, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
