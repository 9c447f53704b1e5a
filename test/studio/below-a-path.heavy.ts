// Tests the studio below the path of PLATEN_PUBLIC_URL in Chromium, behind a proxy that removes the path, behind one
// that keeps it, and at the server itself.

import { request } from 'node:http';
import { expect, test } from 'vitest';
import { freePort, serve } from '../listen.ts';
import { accountOf, claim, openStudioLab } from './studio-lab.ts';

/** With the studio's own name in it, which no page may mistake for its own path. */
const BASE = '/intern/studio/bilder';

/** A reverse proxy. @param keeps whether the path stays in what it passes on */
const proxyTo = (port: number, keeps: boolean) =>
  serve((incoming, answer) => {
    const { url = '/', method = 'GET', headers } = incoming;
    if (!url.startsWith(`${BASE}/`)) return void answer.writeHead(404).end('elsewhere');
    const path = keeps ? url : url.slice(BASE.length);
    const outgoing = request({ port, host: '127.0.0.1', method, path, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    incoming.pipe(outgoing);
  });

for (const keeps of process.env.WHOLE ? [false, true] : [true]) {
  test(`set up, edited, reloaded, previewed and embedded behind a proxy that ${keeps ? 'keeps' : 'removes'} the path`, async () => {
    const port = await freePort();
    await using proxy = await proxyTo(port, keeps);
    const publicUrl = `${proxy.url}${BASE}`;
    await using lab = await openStudioLab({ PLATEN_PUBLIC_URL: publicUrl, PORT: String(port) });
    expect(lab.setUpLink.startsWith(`${publicUrl}/studio/setup#`)).toBe(true);
    const { page, watched } = await lab.open();
    page.setDefaultTimeout(60_000);
    const missing: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 404) missing.push(response.url());
    });
    await claim(page, lab.setUpLink);
    const account = accountOf(page);
    expect(page.url()).toBe(`${publicUrl}/studio/a/${account}/templates`);
    // A link of the page, the editor with its WebAssembly, workers and fonts, and the page again after a reload.
    await page.click('a.card-name, .card-name a, .card a');
    await page.waitForFunction(
      (start) => location.href.startsWith(start),
      {},
      `${publicUrl}/studio/a/${account}/templates/`,
    );
    await page.reload({ waitUntil: 'load' });
    await page.waitForSelector('.top-bar');
    expect(page.url()).toMatch(new RegExp(`^${publicUrl}/studio/a/${account}/templates/tpl_\\w+/`));
    // Thumbnails have come, and the old address without the path leads to the new one.
    await page.goto(`${publicUrl}/studio`, { waitUntil: 'networkidle0' });
    expect(page.url()).toBe(`${publicUrl}/studio/a/${account}/templates`);
    const drawn = () =>
      [...document.querySelectorAll('img')].filter((image) => image.complete && image.naturalWidth > 0).length;
    await page.waitForFunction(() => document.querySelectorAll('img').length > 2);
    expect(await page.evaluate(drawn)).toBeGreaterThan(2);
    await page.goto(`${publicUrl}/docs/quickstart`, { waitUntil: 'networkidle0' });
    expect(await page.title()).toMatch(/quickstart|platen/i);
    const embed = await (await fetch(`${publicUrl}/studio/embed/${account}`)).text();
    const references = [...embed.matchAll(/ (?:src|href)="([^"]+)"/g)].map(([, path]) => path);
    for (const path of references) expect((await fetch(new URL(path ?? '', publicUrl))).status, path).toBe(200);
    expect(references.length).toBeGreaterThan(2);
    // A busy machine may put off a thumbnail.
    const problems = watched.problems.filter((problem) => !/503/.test(problem));
    expect([missing, problems, watched.asked.filter((url) => !url.startsWith(publicUrl))]).toEqual([[], [], []]);
    // At the server itself, the page goes to the address with the path, which it knows too.
    await page.goto(`http://127.0.0.1:${port}/studio/sign-in`, { waitUntil: 'networkidle0' });
    expect(new URL(page.url()).pathname).toBe(`${BASE}/studio/sign-in`);
    await page.waitForSelector('input[type="password"]');
  });
}
