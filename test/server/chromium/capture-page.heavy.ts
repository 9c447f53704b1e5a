import { afterAll, describe, expect, test } from 'vitest';
import { type CaptureOptions, capturePage } from '#server/chromium/capture-page.ts';
import { readScreenshotRequest } from '#server/service/pages/screenshot-options.ts';
import { serve } from '../../listen.ts';
import { canary, fakeResolver, guardFor } from '../net/servers.ts';
import { hasChromium, openBrowsers, pixel, site, sizeOf } from './chromium.ts';

const browsers = openBrowsers();
afterAll(() => browsers[Symbol.asyncDispose]());

const RED = '<body style="margin:0;background:#f00">';
/** Ten screens of 300 px in different colours, and a fixed header. */
const LONG = `<body style="margin:0"><div style="position:fixed;top:0;width:100%;height:10px;background:#000"></div>
  <div style="height:100vh;background:rgb(0 100 0)"></div>
  ${Array.from({ length: 9 }, (_, row) => `<div style="height:300px;background:rgb(${(row + 1) * 20} 100 0)"></div>`).join('')}`;

const names = fakeResolver({ 'inside.example': [['10.1.2.3']], 'site.example': [['127.0.0.1']] });
const guard = guardFor(['127.0.0.1/32'], names);

type Wishes = Partial<Record<keyof CaptureOptions, unknown>>;
/** Captures a page, at 400 × 300 px unless `wishes` says otherwise. */
async function capture(pages: Record<string, string | number>, wishes: Wishes = {}, path = '/'): Promise<Uint8Array> {
  await using served = await site(pages);
  return await captureUrl(served.origin + path, wishes);
}
async function captureUrl(url: string, wishes: Wishes = {}): Promise<Uint8Array> {
  const options = readScreenshotRequest({ url, width: 400, height: 300, ...wishes });
  const { bytes } = await browsers.run(options.timeout + 500, (browser) => capturePage(browser, guard, options));
  return bytes;
}
const refused = (capturing: Promise<unknown>, message: string | RegExp) => expect(capturing).rejects.toThrow(message);

describe.skipIf(!hasChromium)('a capture in Chromium', () => {
  test('is the first screen', async () => {
    const picture = await capture({ '/': LONG });
    expect([await sizeOf(picture), await pixel(picture, 5, 150)]).toEqual(['png 400×300', '#006400ff']);
  });
  test('is as many times as large as the scale says', async () =>
    expect(await sizeOf(await capture({ '/': RED }, { scale: 2.5 }))).toBe('png 1000×750'));
  const named = ['getBoundingClientRect', 'scrollIntoView', 'style', 'parentElement', 'getAttribute', 'closest'];
  const form = `<form data-layer=a>x${named.map((name) => `<input name=${name}>`).join('')}</form>`;
  for (const [name, page] of [
    ['without a root', '<script>document.documentElement.remove()</script>'],
    ['without a body', '<script>onload=()=>document.body.remove()</script>x'],
    ['whose elements are named like what a document has', `<img name=querySelectorAll><form name=body></form>`],
    ['whose form has controls named like its own methods', form],
  ] as const) {
    test(`is of a page ${name}`, async () => {
      const wishes = { fullPage: true, hideSelectors: ['form'], waitUntil: 'load' };
      expect(await sizeOf(await capture({ '/': page }, wishes))).toMatch(/^png 400×/);
    });
  }
  test('is of the box of a form with such controls', async () =>
    expect(await sizeOf(await capture({ '/': form }, { selector: 'form', waitForSelector: 'form' }))).toMatch(/^png /));
  test.each(['attachment', 'empty', 'other scheme'])('an answer that is no page is told apart: %s', async (kind) => {
    await using server = await serve((_, answer) => {
      if (kind === 'attachment') answer.setHeader('content-disposition', 'attachment').end('a file');
      else if (kind === 'empty') answer.writeHead(204).end();
      else answer.writeHead(302, { location: 'gopher://192.0.2.1/' }).end();
    });
    const message = kind === 'other scheme' ? 'URL not allowed.' : 'The page is a download, or empty.';
    for (let round = 0; round < 3; round += 1) await refused(captureUrl(`http://127.0.0.1:${server.port}/`), message);
  });
  test('is of a document of XML', async () => {
    await using served = await serve((_, answer) =>
      answer.setHeader('content-type', 'application/xml').end('<a><b>x</b></a>'),
    );
    const wishes = { fullPage: true, hideSelectors: ['b'] };
    expect(await sizeOf(await captureUrl(`http://127.0.0.1:${served.port}/`, wishes))).toMatch(/^png 400×/);
  });
  test('is a JPEG or a WebP', async () =>
    expect([
      await sizeOf(await capture({ '/': RED }, { output: 'jpeg' })),
      await sizeOf(await capture({ '/': RED }, { output: 'webp', quality: 10 })),
    ]).toEqual(['jpeg 400×300', 'webp 400×300']));
  test('is a PDF of one sheet', async () => {
    const pdf = Buffer.from(await capture({ '/': LONG }, { output: 'pdf' })).toString('latin1');
    expect([pdf.slice(0, 5), /\/MediaBox \[0 0 300 22[45]/.test(pdf), pdf.match(/\/Type \/Page\b/g)?.length]).toEqual([
      '%PDF-',
      true,
      1,
    ]);
  });
  test('is a PDF on paper', async () => {
    const pdf = Buffer.from(
      await capture({ '/': LONG }, { output: 'pdf', pdf: { format: 'A5', margin: 20 } }),
    ).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(3);
  });
  test('is a PDF on the paper and within the margins that were asked for', async () => {
    const pdfOf = async (pdf: unknown) =>
      Buffer.from(await capture({ '/': LONG }, { output: 'pdf', pdf })).toString('latin1');
    const sheets = (pdf: string) => pdf.match(/\/Type \/Page\b/g)?.length ?? 0;
    const [a5, a4, narrow] = [
      await pdfOf({ format: 'A5', margin: 0 }),
      await pdfOf({ format: 'A4', margin: 0 }),
      await pdfOf({ format: 'A5', margin: 120 }),
    ];
    expect([/\/MediaBox \[0 0 (419|420)/.test(a5), /\/MediaBox \[0 0 59[45]/.test(a4)]).toEqual([true, true]);
    expect([sheets(a4) < sheets(a5), sheets(a5) < sheets(narrow)]).toEqual([true, true]);
  });
  test('takes fewer bytes in less quality', async () => {
    const page = '<body style="background:repeating-conic-gradient(red,blue 9deg,lime 20deg)">';
    for (const output of ['jpeg', 'webp'] as const) {
      const [poor, good] = [
        await capture({ '/': page }, { output, quality: 10 }),
        await capture({ '/': page }, { output, quality: 95 }),
      ];
      expect(poor.length * 2, output).toBeLessThan(good.length);
    }
  });
  test('waits for what the caller wants to wait for, and no longer than the caller does', async () => {
    await using server = await serve(({ url }, answer) => {
      // The image is never answered.
      if (url === '/') answer.setHeader('content-type', 'text/html').end(`${RED}<img src=/never>`);
      const waits = '<script>addEventListener("DOMContentLoaded", () => { fetch("/a"); fetch("/b") })</script>';
      // Full Chromium requests an icon too.
      if (url === '/favicon.ico') answer.writeHead(404).end();
      if (url === '/two') answer.setHeader('content-type', 'text/html').end(`${RED}${waits}`);
    });
    const url = `http://127.0.0.1:${server.port}/`;
    expect(await pixel(await captureUrl(url, { waitUntil: 'domcontentloaded', timeout: 8_000 }), 399, 299)).toBe(
      '#ff0000ff',
    );
    // `networkidle2` allows two open connections.
    const idle = captureUrl(`${url}two`, { waitUntil: 'networkidle2', timeout: 8_000 });
    expect(await pixel(await idle, 399, 299)).toBe('#ff0000ff');
    await refused(
      captureUrl(`${url}two`, { waitUntil: 'networkidle0', timeout: 2_000 }),
      /"networkidle0" in time|server is busy|No browser was ready/,
    );
    for (const waitUntil of ['load', 'networkidle0']) {
      const started = performance.now();
      await refused(
        captureUrl(url, { waitUntil, timeout: 1_000 }),
        new RegExp(`The page did not reach "${waitUntil}" in time|server is busy|No browser was ready`),
      );
      // Well below the default timeout of 30 s, even on a busy machine.
      expect(performance.now() - started).toBeLessThan(10_000);
    }
  });
  test('of the full page', async () => {
    const picture = await capture({ '/': LONG }, { fullPage: true });
    const rows = [150, 450, 2_850].map((y) => pixel(picture, 5, y));
    expect([await sizeOf(picture), ...(await Promise.all(rows))]).toEqual([
      'png 400×3000',
      '#006400ff',
      '#146400ff',
      '#b46400ff',
    ]);
  });
  test('of a page beyond what can be drawn at once has no seams, and its header once', async () => {
    const rows = Array.from(
      { length: 50 },
      (_, row) => `<div style="height:400px;background:rgb(${row * 5} 100 0)"></div>`,
    );
    const page = `<body style="margin:0"><div style="position:fixed;top:0;width:100%;height:10px;background:#000"></div>${rows.join('')}`;
    for (const [scale, output] of [
      [1, 'png'],
      [1.37, 'jpeg'],
    ] as const) {
      const picture = await capture({ '/': page }, { fullPage: true, scale, output });
      expect(await sizeOf(picture)).toBe(`${output} ${Math.round(400 * scale)}×${Math.round(20_000 * scale)}`);
      for (const y of [7_999, 8_000, 8_001, 12_000, 16_384, 19_999]) {
        const expected = Math.floor(y / 400) * 5;
        const shown = Number.parseInt((await pixel(picture, 50, Math.floor((y + 0.5) * scale))).slice(1, 3), 16);
        expect(Math.abs(shown - expected), `${y}`).toBeLessThan(8);
      }
    }
  });
  test('over 120 million px is refused, before it is drawn', () =>
    refused(
      capture({ '/': '<div style="height:99000px">' }, { fullPage: true, scale: 3 }),
      /1200 × 297\d{3} px; a capture may have at most 120 million px/,
    ));
  test('of an element', async () => {
    const page =
      '<body style="margin:0"><div style="height:900px"></div><p id=x style="width:70px;height:50px;margin:0;background:#00f">';
    const picture = await capture({ '/': page }, { selector: '#x' });
    expect([await sizeOf(picture), await pixel(picture, 35, 25)]).toEqual(['png 70×50', '#0000ffff']);
  });
  test('of an element that is not there', () =>
    refused(capture({ '/': RED }, { selector: '#x' }), /no element that matches "#x"/));
  test('of what is no selector', () =>
    refused(capture({ '/': RED }, { hideSelectors: ['p', 'p{'] }), /hideSelectors\[1\].*no CSS selector/));
  test('without what is hidden, and with a style of the caller’s, whatever the page’s policy', async () => {
    const page = `<meta http-equiv=content-security-policy content="default-src 'none'; style-src 'unsafe-inline'"><style>body{margin:0}</style><div class=banner style="height:300px;background:#f00">`;
    const picture = await capture({ '/': page }, { hideSelectors: ['.banner'], css: 'body { background: #0f0 }' });
    expect(await pixel(picture, 9, 9)).toBe('#00ff00ff');
  });
  test('after an element is seen', async () => {
    const page = `${RED}<script>setTimeout(()=>{document.body.style.background='#00f';document.body.append(Object.assign(document.createElement('b'),{id:'done',textContent:'x'}))},300)</script>`;
    expect(await pixel(await capture({ '/': page }, { waitForSelector: '#done' }), 399, 299)).toBe('#0000ffff');
  });
  test.each(['false', '"true"', 'while (true) {}'])(
    'waits for an expression in vain: %s',
    async (waitForExpression) => {
      // A loop that does not end is ended by the browser's deadline, or by that of the expression.
      const message =
        /^(waitForExpression: ".*" did not become true|The page .*) in time|server is busy|No browser was ready/;
      await refused(capture({ '/': RED }, { waitForExpression, timeout: 1_000 }), message);
    },
  );
  test('that waits in vain', () =>
    refused(
      capture({ '/': RED }, { waitForSelector: '#done', timeout: 1_000 }),
      // On a busy machine, the browser's own deadline may be over first.
      /("#done" \(waitForSelector\) could be seen|The page .*) in time|server is busy|No browser was ready/,
    ));
  test('does not say that it is headless', async () => {
    await using served = await site({ '/': RED });
    await captureUrl(`${served.origin}/`);
    expect(served.seen.get('/')?.['user-agent']).not.toMatch(/headless/i);
  });
  test('sends headers and cookies to its own origin, and to no other', async () => {
    await using other = await site({ '/frame': 'x', '/redirected': 'x' });
    await using served = await site({
      '/': `<img src=/own><iframe src="${other.origin}/frame"></iframe><img src=/away><script>fetch('${other.origin}/fetched',{mode:'no-cors',credentials:'include'})</script>`,
      '/away': `->${other.origin}/redirected`,
    });
    await captureUrl(`${served.origin}/`, {
      headers: { 'X-Secret': 's', authorization: 'Bearer t' },
      cookies: [{ name: 'session', value: 'c' }],
      waitUntil: 'networkidle0',
    });
    const sent = (from: typeof served, path: string) => {
      const { 'x-secret': secret, authorization, cookie } = from.seen.get(path) ?? { cookie: 'not asked' };
      return [secret, authorization, cookie];
    };
    expect([sent(served, '/'), sent(served, '/own')]).toEqual([
      ['s', 'Bearer t', 'session=c'],
      ['s', 'Bearer t', 'session=c'],
    ]);
    for (const path of ['/frame', '/fetched', '/redirected']) {
      expect(sent(other, path), path).toEqual([undefined, undefined, undefined]);
    }
  });
  test('fails on a status only when told to', async () => {
    expect(await sizeOf(await capture({ '/': 503 }))).toBe('png 400×300');
    await refused(capture({ '/': 503 }, { failOnStatus: true }), 'The page answered 503.');
  });

  test('follows a page that goes on by its script', async () => {
    const page = `<script>setTimeout(()=>{location='/end'},100)</script>`;
    const picture = await capture({ '/': page, '/end': RED }, { delay: 400, css: 'html { opacity: 1 }' });
    expect(await pixel(picture, 9, 9)).toBe('#ff0000ff');
  });
  test('follows a redirect', async () =>
    expect(await pixel(await capture({ '/': '->/end', '/end': RED }), 9, 9)).toBe('#ff0000ff'));
  const DENIED = {
    'a redirect to a denied address': '->http://10.1.2.3/',
    'a redirect over TLS to a denied address': '->https://10.1.2.3/',
    'a redirect to a name of a denied address': '->http://inside.example/',
    'a redirect to a name that does not resolve': '->http://nowhere.example/',
    'a redirect to a file': '->file:///etc/passwd',
    'a redirect with a password': '->http://me:secret@site.example/',
    'a page that goes to a denied address': `<meta http-equiv=refresh content="0;url=http://10.1.2.3/">`,
    'a page whose script goes to a denied address': `<script>location='https://169.254.169.254/latest'</script>`,
  };
  for (const [name, page] of Object.entries(DENIED)) {
    test(name, () => refused(capture({ '/': page }, { delay: 300 }), /^URL not allowed\.$/));
  }
  for (const url of [
    'http://10.1.2.3/',
    'https://inside.example/',
    'http://nowhere.example/',
    'https://nowhere.example/',
    'file:///etc/passwd',
    'chrome://version',
    'javascript:1',
    'http://[::1]/',
  ]) {
    test(url, () => refused(captureUrl(url), /^URL not allowed\.$/));
  }
  test('what a page embeds from a denied address is left out', async () => {
    await using trap = await canary('127.0.0.2').catch(() => canary());
    const page = `${RED}<img src="http://127.0.0.2:${trap.port}/"><iframe src="http://10.1.2.3/"></iframe>`;
    expect([await pixel(await capture({ '/': page }), 399, 299), trap.hits()]).toEqual(['#ff0000ff', 0]);
  });
  test('that asks for a password is shown as it is without one, and nobody waits', async () => {
    await using server = await serve(({ url }, answer) => {
      const html = answer.setHeader('content-type', 'text/html');
      if (url === '/basic') html.writeHead(401, { 'www-authenticate': 'Basic realm="x"' });
      if (url === '/proxy') html.writeHead(407, { 'proxy-authenticate': 'Basic realm="x"' });
      html.end(url === '/' ? `${RED}<iframe src=/basic></iframe><img src=/basic><img src=/proxy>` : RED);
    });
    for (const path of ['', 'basic']) {
      const picture = await captureUrl(`http://127.0.0.1:${server.port}/${path}`, { timeout: 8_000 });
      expect(await pixel(picture, 399, 299), path).toBe('#ff0000ff');
    }
  });
  test('nobody answers', async () => {
    const closed = await site({});
    await closed[Symbol.asyncDispose]();
    await refused(captureUrl(`${closed.origin}/`), 'The server of the page did not answer.');
  });
  test('a port that browsers do not go to', () => refused(captureUrl('http://127.0.0.1:19/'), /^URL not allowed\.$/));
  test('a redirect to data', () => refused(capture({ '/': '->data:text/html,x' }), /^URL not allowed\.$/));
  test('a page that never loads', () =>
    refused(
      capture(
        {
          '/': `<script>document.write('<img src="http://127.0.0.1:'+location.port+'/hang">')</script><script src=/loop.js></script>`,
          '/loop.js': 'while(1);',
        },
        { timeout: 1_000 },
      ),
      /did not reach "load" in|not done in|server is busy|No browser was ready/,
    ));
  test('dialogs, popups and prompts hold nothing up', async () => {
    const page = `${RED}<script>alert(1);confirm(2);prompt(3);window.open('/popup');Notification.requestPermission();onbeforeunload=()=>'stay'</script>`;
    expect(await pixel(await capture({ '/': page, '/popup': '<script>alert(4)</script>' }), 9, 9)).toBe('#ff0000ff');
  });
});
