// Chromium for tests, if one is installed, and a small web site to capture.

import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import sharp from 'sharp';
import type { FontFolders } from '#draw/images/fontconfig.ts';
import { type BrowserLimits, Browsers } from '#server/chromium/browsers.ts';
import { findChromium } from '#server/chromium/find-chromium.ts';
import { type Listening, serve } from '../../listen.ts';

const CHOICE = { chromiumPath: process.env.CHROMIUM_PATH ?? null, programFolders: [] };
export const CHROMIUM = findChromium(CHOICE);
export const hasChromium = CHROMIUM !== null;
export const openBrowsers = (limits: Partial<BrowserLimits> = {}, fonts?: FontFolders): Browsers =>
  new Browsers({ ...CHOICE, limits, ...(fonts ? { fonts } : {}) });

export interface Site extends Listening {
  readonly origin: string;
  /** The headers of every request, by path. */
  readonly seen: Map<string, IncomingHttpHeaders>;
}

/** Serves HTML by path. A value that begins with `->` is a redirect; a number is a status. */
export async function site(pages: Readonly<Record<string, string | number>>): Promise<Site> {
  const seen = new Map<string, IncomingHttpHeaders>();
  const server = await serve((request, answer) => {
    const path = request.url ?? '';
    seen.set(path, request.headers);
    const page = pages[path.split('?')[0] ?? ''] ?? 404;
    if (typeof page === 'number')
      return void answer.writeHead(page, { 'content-type': 'text/html' }).end('<h1>no</h1>');
    if (page.startsWith('->')) return void answer.writeHead(302, { location: page.slice(2) }).end();
    answer.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8').end(page);
  });
  return { ...server, origin: `http://127.0.0.1:${server.port}`, seen };
}

/** The colour of one device px as `#rrggbbaa`. */
export async function pixel(picture: Uint8Array, x: number, y: number): Promise<string> {
  const region = { left: x, top: y, width: 1, height: 1 };
  const data = await sharp(picture, { limitInputPixels: false }).extract(region).ensureAlpha().raw().toBuffer();
  return `#${data.toString('hex')}`;
}

export async function sizeOf(picture: Uint8Array): Promise<string> {
  const { width, height, format } = await sharp(picture, { limitInputPixels: false }).metadata();
  return `${format} ${width}×${height}`;
}

export const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
