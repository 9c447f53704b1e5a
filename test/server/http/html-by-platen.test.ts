// Tests an html template with `renderer: "platen"` through the endpoints of a server without Chromium.

import { execFileSync } from 'node:child_process';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { serverUnderTest } from './server-under-test.ts';

const server = await serverUnderTest({ CHROMIUM_PATH: '/nowhere' });
afterAll(() => server[Symbol.asyncDispose]());

const page = { name: 'Page', width: 60, height: 40, engine: 'html', renderer: 'platen' };
const made = await server.post('/v1/templates', {
  ...page,
  html: '<style>@page{size:200px 100px;margin:10px}p{margin:0;font:16px/40px Inter}</style><p data-layer=title>x<p>y<p>z',
});
const template = String(made.json.id);
const file = async (url: unknown) => (await server.ask(String(url).replace(server.url, ''), { key: null })).body;
const sizeOf = async (bytes: Buffer) => {
  const { format, width, height } = await sharp(bytes).metadata();
  return `${format} ${width}×${height}`;
};
/** Pages and points of each. */
const sheetsOf = (pdf: Buffer) => {
  const told = execFileSync('pdfinfo', ['-'], { input: pdf, encoding: 'utf8' });
  const [, pages] = /^Pages:\s+(\d+)$/m.exec(told) ?? [];
  const [, width, height] = /^Page size:\s+([\d.]+) x ([\d.]+)/m.exec(told) ?? [];
  return [pages, width, height].map(Number);
};
const warningsOf = ({ headers }: { headers: Record<string, string> }) => JSON.parse(headers['platen-warnings'] ?? '[]');

test('a picture is the canvas, a page of it one of its sheets, and a PDF all of them', async () => {
  const [canvas, second, pdf] = [
    await server.post('/v1/renders', { template, output: 'png' }),
    await server.post('/v1/renders', { template, output: 'png', page: 2 }),
    await server.post('/v1/renders', { template, output: 'pdf', modifications: { title: 'Words' } }),
  ];
  expect(await sizeOf(await file(canvas.json.url))).toBe('png 60×40');
  expect(await sizeOf(await file(second.json.url))).toBe('png 200×100');
  expect(sheetsOf(await file(pdf.json.url))).toEqual([2, 150, 75]);
});

test('`pdf` of a request says the sheets, and what only Chromium has is refused', async () => {
  const html = { ...page, html: '<p>x' };
  const a5 = await server.post('/v1/renders', { template: html, output: 'pdf', pdf: { format: 'A5' } });
  expect(sheetsOf(await file(a5.json.url))[0]).toBe(1);
  expect(sheetsOf(await file(a5.json.url))[1]).toBeCloseTo(420, 0);
  const { status, json } = await server.post('/v1/renders', { template: html, output: 'pdf', pdf: { scale: 2 } });
  expect([status, json.error]).toEqual([
    400,
    expect.stringContaining('pdf.scale: is for renderer "chromium"; "platen" takes format'),
  ]);
});

test('sheets, fonts and pictures of addresses that may not be reached are left out, each with a warning', async () => {
  const address = 'http://169.254.169.254/latest';
  const html = `<link rel=stylesheet href="${address}"><style>@import "${address}";@font-face{font-family:Own;src:url(${address})}p{font-family:Own;background:url(${address}) no-repeat}</style><p>x<img src="${address}">`;
  const answer = await server.post('/v1/renders', { template: { ...page, html } });
  expect(answer.status).toBe(200);
  const warnings: string[] = warningsOf(answer as never);
  expect(warnings.map((warning) => warning.slice(0, 21)).sort()).toEqual([
    '@font-face "Own": Its',
    'Font family "Own" is ',
    'Image of layer "img 1',
    'css: @import "http://',
    'html, line 1: <link> ',
  ]);
});
