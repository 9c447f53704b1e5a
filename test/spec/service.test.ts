// Specification, "What the service does".

import { expect } from 'vitest';
import { firstPageOf } from '../golden/first-page.ts';
import { hasChromium, site } from '../server/chromium/chromium.ts';
import { fresh, kindOf, pathOf, plans, specServer, table } from './spec-server.ts';

const server = await specServer();
const free = await specServer(plans(1, true));
const paid = await specServer(plans(0, false));

table('Inputs', {
  "1. Template render. A stored template, edited by the caller through the template's named layers, is rendered to `png`, `jpeg`, `webp` or `pdf`. PDF output is vector; the other formats are raster.":
    async () => {
      const modifications = { title: 'Vector' };
      for (const output of ['png', 'jpeg', 'webp', 'pdf']) {
        const answer = await server.render({ output, modifications });
        const { body } = await server.open(pathOf(answer));
        expect(kindOf(body)).toBe(output);
        expect(JSON.stringify(server.drawn.at(-1))).toContain('"text":"Vector"');
        // The PDF contains text as text, so it has a font.
        if (output === 'pdf') expect(firstPageOf(body).fonts).toHaveLength(1);
      }
    },
});

table(
  'Inputs: pages',
  {
    '2. Page screenshot. A public web page is captured as an image or PDF. Private and internal hosts are rejected (SSRF guard), including when a redirect leads to one.':
      async () => {
        await using page = await site({ '/': '<p>Hello', '/away': '->http://10.1.2.3/' });
        for (const output of ['png', 'pdf']) {
          const answer = await server.post('/v1/screenshots', {
            url: `${page.origin}/`,
            output,
            width: 16,
            height: 16,
          });
          expect(kindOf((await server.open(pathOf(answer))).body)).toBe(output);
        }
        for (const url of ['http://10.1.2.3/', `${page.origin}/away`]) {
          const { status, json } = await server.post('/v1/screenshots', { url });
          expect([status, json.error]).toEqual([400, expect.stringMatching(/^URL not allowed\./)]);
        }
      },
  },
  hasChromium,
);

table('Modes of operation', {
  'Synchronous. The response carries the stored asset `{id, url, output}`.': async () => {
    const answer = await server.render();
    expect([answer.status, Object.keys(answer.json)]).toEqual([200, ['id', 'url', 'output']]);
    expect((await server.open(pathOf(answer))).status).toBe(200);
  },
  'Asynchronous. The request is queued and answered with `202 {id, status}`. The caller polls `GET /v1/renders/{id}` or receives a signed POST (webhook) on completion.':
    async () => {
      const { status, json } = await server.render({ webhookUrl: server.hooks.url });
      expect([status, json.status]).toEqual([202, 'queued']);
      expect((await server.ended(json.id)).status).toBe('done');
      const [hook] = await server.hooks.received(1);
      expect([JSON.parse(hook?.body ?? '').id, hook?.headers['x-platen-signature']]).toEqual([
        json.id,
        expect.stringMatching(/^sha256=/),
      ]);
    },
  'Batch. Up to 50 renders in one call. Failures are reported per item, not as a request failure.': async () => {
    const renders = [...Array(49).fill({ template: server.template }), { template: 'tpl_unknown' }];
    const { status, json } = await server.post('/v1/renders/batch', { renders });
    expect([status, json.count, json.ok]).toEqual([200, 50, 49]);
  },
  'Signed render URL. A template is rendered straight from a pre-signed URL, with no API key. It suits `<img>` and social-preview tags.':
    async () => {
      const { status, headers, body } = await server.open(server.signed());
      expect([status, headers['content-type'], kindOf(body)]).toEqual([200, 'image/png', 'png']);
      expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    },
});

table('Plan and metering rules', {
  "Calls made with an API key are metered against the account's plan.": async () => {
    const before = Number(await server.used());
    await server.render();
    await server.ended((await server.render({ async: true })).json.id);
    await server.render({ modifications: { photo: 'http://127.0.0.1:9/' } });
    expect(await server.used()).toBe(before + 2);
    expect((await server.ask('/v1/usage', { key: server.otherKey })).json.used).toBe(0);
  },
  'A free plan has a monthly render quota. When it is exhausted, rendering calls answer `402`.': async () => {
    expect([(await free.render()).status, (await free.render()).status]).toEqual([200, 402]);
  },
  'Paid plans never block rendering when usage passes the quota. Overage is measured and billed.': async () => {
    expect((await paid.render()).status).toBe(200);
    expect((await paid.ask('/v1/usage')).json).toMatchObject({ quota: 0, used: 1, overage: 1 });
  },
  'Batch rendering is metered per item.': async () => {
    const before = Number(await server.used());
    await server.post('/v1/renders/batch', { template: server.template, items: [{}, {}, {}] });
    expect(await server.used()).toBe(before + 3);
  },
  'Repeat hits on a signed render URL are CDN-cached and deduplicated from metering.': async () => {
    const before = Number(await server.used());
    const path = server.signed('png', [fresh()]);
    const { headers } = await server.open(path);
    expect(headers['cache-control']).toMatch(/^public/);
    for (let hits = 0; hits < 3; hits += 1) await server.open(path);
    const again = { key: null, headers: { 'if-none-match': headers.etag } };
    expect((await server.ask(path, again)).status).toBe(304);
    expect(await server.used()).toBe(before + 1);
  },
});
