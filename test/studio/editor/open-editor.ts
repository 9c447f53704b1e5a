// Opens one template in the built studio, in a browser, for tests of the editor.

import puppeteer, { type Page } from 'puppeteer-core';
import { listen } from '../../listen.ts';
import { CHROMIUM } from '../../server/chromium/chromium.ts';
import { buildStudio } from '../studio-lab.ts';
import { editorServer } from './editor-server.ts';
import { exposeEditor } from './expose-editor.ts';

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
  buildStudio();
  const stack = new AsyncDisposableStack();
  const { server, drafts } = editorServer();
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
