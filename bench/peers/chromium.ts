// Chromium with puppeteer, at its best: one warm headless shell, one reused page, PNG encoded for speed.

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import puppeteer from 'puppeteer-core';
import type { Assets } from '../assets.ts';
import { type Css, type CssNode, cssTree, UNITLESS } from '../css-tree.ts';
import { type OpenPeer, QUALITY } from './peer.ts';

export const open: OpenPeer = async (assets) => {
  const executablePath = await findChromium();
  const { server, base } = await serve(assets);
  const browser = await puppeteer.launch({
    executablePath,
    headless: executablePath.includes('headless-shell') ? 'shell' : true,
    args: [
      '--disable-dev-shm-usage',
      '--hide-scrollbars',
      '--force-color-profile=srgb',
      '--font-render-hinting=none',
    ].concat(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  });
  const page = await browser.newPage();
  let size = '';

  return {
    outputs: ['png', 'jpeg', 'webp', 'pdf'],
    async render({ template }, strings, output) {
      const { width, height } = template;
      if (size !== `${width}×${height}`) {
        await page.setViewport({ width, height });
        size = `${width}×${height}`;
      }
      await page.setContent(htmlOf(cssTree(template, strings), base, assets), { waitUntil: 'load' });
      if (output === 'pdf') return page.pdf({ width, height, printBackground: true, pageRanges: '1' });
      const quality = output === 'png' ? {} : { quality: QUALITY };
      return page.screenshot({ type: output, optimizeForSpeed: true, ...quality });
    },
    async close() {
      await browser.close();
      server.close();
      server.closeAllConnections();
    },
  };
};

export async function findChromium(): Promise<string> {
  const places = [process.env.CHROMIUM_PATH, '/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'];
  const found = places.find((path) => path !== undefined && existsSync(path)) ?? (await puppeteer.executablePath());
  if (!existsSync(found)) throw new Error('no Chromium: install chromium-headless-shell or set CHROMIUM_PATH');
  return found;
}

/** Serves images and fonts from a loopback server with caching, so that pages after the first have them in memory. */
async function serve({ images, fonts, scripts }: Assets): Promise<{ server: Server; base: string }> {
  const files = new Map(fonts.map(({ weight, bytes }) => [`/${weight}.ttf`, bytes]));
  for (const { name, bytes } of scripts) files.set(`/${encodeURIComponent(name)}.ttf`, bytes);
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const file = files.get(path) ?? images.get(path.slice(1))?.bytes;
    response.statusCode = file ? 200 : 404;
    response.setHeader('cache-control', 'public, max-age=31536000, immutable');
    // Fonts are fetched across origins only with permission.
    response.setHeader('access-control-allow-origin', '*');
    response.end(file);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function htmlOf(root: CssNode, base: string, { fonts, scripts }: Assets): string {
  const faces = fonts.map(
    ({ weight }) => `@font-face{font-family:Inter;font-weight:${weight};src:url(${base}/${weight}.ttf)}`,
  );
  for (const { name, range } of scripts) {
    faces.push(`@font-face{font-family:Inter;src:url(${base}/${encodeURIComponent(name)}.ttf);unicode-range:${range}}`);
  }
  const element = (node: CssNode): string => {
    const style = inline(node.css);
    if (node.kind === 'text') return `<div style="${style}">${escapeHtml(node.text)}</div>`;
    if (node.kind === 'box') return `<div style="${style}">${node.children.map(element).join('')}</div>`;
    return `<img style="${style}" src="${base}/${node.source}">`;
  };
  return `<!doctype html><meta charset="utf-8"><style>${faces.join('')}*{margin:0}</style>${element(root)}`;
}

const inline = (css: Css) =>
  Object.entries(css)
    .map(([name, value]) => {
      const property = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      return `${property}:${typeof value === 'number' && !UNITLESS.has(name) ? `${value}px` : value}`;
    })
    .join(';');

const escapeHtml = (text: string) => text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`);
