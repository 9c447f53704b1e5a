// Draws PDFs with pdf.js, which Firefox uses, in a headless Chromium: under Node it has no canvas of its own.
//
// The browser reaches only a loopback server that serves pdf.js itself.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import puppeteer, { type Page } from 'puppeteer-core';
import { decodePicture } from '../../golden/picture.ts';
import { serve } from '../../listen.ts';
import type { Extractor, Viewer } from './viewer.ts';

const BUILD = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/build/pdf.min.mjs'));
const FILES = ['pdf.min.mjs', 'pdf.worker.min.mjs'];

/** The page's script; `pdf` is base64. */
const SCRIPT = `
import * as pdfjs from '/pdf.min.mjs';
pdfjs.GlobalWorkerOptions.workerSrc = '/pdf.worker.min.mjs';
async function withPage(pdf, use) {
  const task = pdfjs.getDocument({ data: Uint8Array.from(atob(pdf), (char) => char.charCodeAt(0)), verbosity: 0 });
  try {
    return await use(await (await task.promise).getPage(1));
  } finally {
    await task.destroy();
  }
}
globalThis.drawPage = (pdf, fineness) => withPage(pdf, async (page) => {
  const viewport = page.getViewport({ scale: fineness * 96 / 72 });
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(viewport.width);
  canvas.height = Math.round(viewport.height);
  await page.render({ canvas, viewport }).promise;
  return canvas.toDataURL('image/png').split(',')[1];
});
globalThis.textOfPage = (pdf) => withPage(pdf, async (page) => {
  const { items } = await page.getTextContent();
  return items.map(({ str, hasEOL }) => str + (hasEOL ? '\\n' : '')).join('');
});
globalThis.ready = true;
`;

/** @param executable the path of a Chromium */
export async function openPdfjs(executable: string): Promise<Viewer & Extractor> {
  const server = await serve((request, response) => {
    const file = FILES.find((name) => request.url === `/${name}`);
    const script = file === undefined ? Promise.resolve(SCRIPT) : readFile(join(BUILD, file), 'utf8');
    if (request.url === '/') {
      response.setHeader('content-type', 'text/html');
      response.end('<script type="module" src="/page.mjs"></script>');
      return;
    }
    response.setHeader('content-type', 'text/javascript');
    void script.then((text) => response.end(text));
  });
  const browser = await puppeteer.launch({
    executablePath: executable,
    pipe: true,
    headless: true,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb', '--disable-gpu'],
  });
  const page = await browser.newPage();
  await page.goto(`${server.url}/`);
  await page.waitForFunction('globalThis.ready === true');
  const ask = (name: string, pdf: Uint8Array, ...more: readonly number[]) =>
    call(page, name, Buffer.from(pdf).toString('base64'), ...more);
  return {
    name: 'pdf.js',
    draw: async (pdf, _canvas, fineness = 1) =>
      decodePicture(Buffer.from(await ask('drawPage', pdf, fineness), 'base64')),
    text: (pdf) => ask('textOfPage', pdf),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function call(page: Page, name: string, ...args: readonly (string | number)[]): Promise<string> {
  return String(await page.evaluate(`${name}(${args.map((argument) => JSON.stringify(argument))})`));
}
