// Specification, "Endpoints": POST /v1/screenshots.

import sharp from 'sharp';
import { afterAll, expect } from 'vitest';
import { hasChromium, site, sizeOf } from '../server/chromium/chromium.ts';
import type { Ask } from '../server/http/server-under-test.ts';
import { kindOf, pathOf, plans, specServer, table } from './spec-server.ts';

const server = await specServer();
const poor = await specServer(plans(0, true));
const page = await site({ '/': '<body style="margin:0;height:1000px">', '/away': '->http://10.1.2.3/' });
afterAll(() => page[Symbol.asyncDispose]());
const url = `${page.origin}/`;
const ask = (body: object = {}, more: Ask = {}) => server.post('/v1/screenshots', { url, ...body }, more);

/** The format and size of a screenshot with these options: `png 1200×630`. */
async function shot(more: object): Promise<string> {
  const answer = await ask(more);
  expect(answer.status, answer.text).toBe(200);
  return sizeOf((await server.open(pathOf(answer))).body);
}
const refused = async (name: string, ...values: readonly unknown[]) => {
  for (const value of values) {
    const { status, json } = await ask({ [name]: value });
    expect([status, json.error], String(value)).toEqual([400, expect.stringContaining(name)]);
  }
};

table(
  'POST /v1/screenshots: request body',
  {
    'url | string (URI) | yes | | Public http(s) URL': async () => {
      expect(await shot({ width: 20, height: 20 })).toBe('png 20×20');
      expect((await server.post('/v1/screenshots', {})).json.error).toBe('url is required.');
      for (const wrong of ['file:///etc/passwd', 'javascript:1', 'http://localhost/', 'https://10.0.0.1/']) {
        expect((await ask({ url: wrong })).status, wrong).toBe(400);
      }
    },
    'width | integer | no | 1200 | 16 to 2400': async () => {
      expect(await shot({ height: 16 })).toBe('png 1200×16');
      for (const width of [16, 2400]) expect(await shot({ width, height: 16 })).toBe(`png ${width}×16`);
      await refused('width', 15, 2401, 99.5, '100');
    },
    'height | integer | no | 630 | 16 to 2400': async () => {
      expect(await shot({ width: 16 })).toBe('png 16×630');
      for (const height of [16, 2400]) expect(await shot({ width: 16, height })).toBe(`png 16×${height}`);
      await refused('height', 15, 2401, 99.5, '100');
    },
    'fullPage | boolean | no | false | Capture the full scroll height': async () => {
      expect(await shot({ width: 20, fullPage: true })).toBe('png 20×1000');
      expect(await shot({ width: 20, fullPage: false })).toBe('png 20×630');
      await refused('fullPage', 'yes', 1);
    },
    'scale | number | no | 1 | Device scale factor; maximum 3': async () => {
      for (const [scale, size] of [
        [1, '20×16'],
        [1.5, '30×24'],
        [3, '60×48'],
      ] as const) {
        expect(await shot({ width: 20, height: 16, scale })).toBe(`png ${size}`);
      }
      await refused('scale', 3.01, 0, -1, '2');
    },
    'output | string | no | `png` | `png`, `jpeg`, `webp`, `pdf`': async () => {
      for (const output of ['png', 'jpeg', 'webp', 'pdf']) {
        const answer = await ask({ width: 16, height: 16, output });
        expect([answer.json.output, kindOf((await server.open(pathOf(answer))).body)]).toEqual([output, output]);
      }
      await refused('output', 'gif', 'jpg', '');
    },
    'async | boolean | no | false | Same flow as renders': async () => {
      const { status, json } = await ask({ width: 16, height: 16, async: true });
      expect([status, json.status]).toEqual([202, 'queued']);
      expect(await server.ended(json.id)).toMatchObject({
        kind: 'screenshot',
        status: 'done',
        result: { id: json.id },
      });
      await refused('async', 'yes');
    },
    'webhookUrl | string (URI) | no | | Same flow as renders': async () => {
      const { status, json } = await ask({ width: 16, height: 16, webhookUrl: server.hooks.url });
      expect(status).toBe(202);
      const find = () => server.hooks.requests.find(({ body }) => body.includes(String(json.id)));
      await expect.poll(find, { timeout: 30_000, interval: 20 }).toBeTruthy();
      const { id } = json;
      const result = { id, url: `${server.url}/assets/${id}.png`, output: 'png' };
      expect(JSON.parse(find()?.body ?? '')).toEqual({ id, status: 'done', result, error: null });
      expect((await ask({ webhookUrl: 'http://10.0.0.1/' })).status).toBe(400);
    },
  },
  hasChromium,
);

table('POST /v1/screenshots: responses', {
  '`400` invalid request or disallowed URL (SSRF guard).': async () => {
    expect((await ask({ width: 1 })).status).toBe(400);
    for (const denied of ['http://10.0.0.1/', 'http://169.254.169.254/latest', 'http://[::1]/', 'file:///etc/passwd']) {
      const { status, json } = await ask({ url: denied });
      expect([status, json], denied).toEqual([400, { error: expect.stringMatching(/^URL not allowed\. Its /) }]);
    }
  },
  '`401` missing or invalid API key.': async () => {
    for (const key of [null, 'plt_live_no']) expect((await ask({}, { key })).status).toBe(401);
  },
  '`402` free-plan quota exceeded.': async () => {
    for (const more of [{}, { async: true }]) {
      expect((await poor.post('/v1/screenshots', { url, ...more })).status).toBe(402);
    }
  },
});

table(
  'POST /v1/screenshots: responses of a page that is drawn',
  {
    '`200` render result `{id, url, output}`.': async () => {
      const { status, json } = await ask({ width: 16, height: 16 });
      expect([status, json]).toEqual([200, { id: json.id, url: `${server.url}/assets/${json.id}.png`, output: 'png' }]);
      const asset = await server.open(new URL(String(json.url)).pathname);
      expect((await sharp(asset.body).metadata()).width).toBe(16);
    },
    '`202` `{id, status: "queued"}`.': async () => {
      const { status, json } = await ask({ width: 16, height: 16, async: true });
      expect([status, json]).toEqual([202, { id: json.id, status: 'queued' }]);
      await server.ended(json.id);
    },
    'Private and internal hosts are rejected (SSRF guard), including when a redirect leads to one.': async () => {
      const { status, json } = await ask({ url: `${page.origin}/away` });
      expect([status, json]).toEqual([400, { error: 'URL not allowed.' }]);
    },
  },
  hasChromium,
);
