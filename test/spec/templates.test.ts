// Specification, "Endpoints": GET /v1/templates, GET /v1/account and GET /v1/templates/{id}/render.{ext}.

import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { newApiKey } from '../../src/base/ids.ts';
import { sizeOf } from '../server/chromium/chromium.ts';
import { CARD, fresh, kindOf, plans, specServer, table } from './spec-server.ts';

const server = await specServer();
const poor = await specServer(plans(1, true));
const { template } = server;

table('GET /v1/templates', {
  'Returns `200 { templates: [template summary] }` for the authenticated account, ordered most recently updated first, up to 200 entries.':
    async () => {
      const { templates } = server.services;
      const made = await templates.create(server.account, { ...CARD, name: 'Newer' });
      const listed = async () => {
        const { status, json } = await server.ask('/v1/templates');
        expect(status).toBe(200);
        return json.templates as { id: string; name: string }[];
      };
      expect((await listed()).map(({ name }) => name)).toEqual(['Newer', 'Card']);
      await templates.replace(server.account, template, { ...CARD, name: 'Card' });
      expect((await listed()).map(({ id }) => id)).toEqual([template, made.id]);
      expect((await server.ask('/v1/templates', { key: server.otherKey })).json).toEqual({ templates: [] });
      for (let count = 0; count < 200; count += 1)
        await templates.create(server.account, { ...CARD, name: `${count}` });
      const full = await listed();
      expect([full.length, full[0]?.name, full.at(-1)?.name]).toEqual([200, '199', '0']);
    },
  'It also serves as an API-key check. Errors: `401`.': async () => {
    for (const key of [null, 'plt_live_no', newApiKey('live')]) {
      expect((await server.ask('/v1/templates', { key })).status).toBe(401);
    }
    expect((await server.ask('/v1/templates')).status).toBe(200);
  },
});

table('GET /v1/account', {
  'Returns `200` account object `{plan, email, display_name}`.': async () => {
    const { status, json } = await server.ask('/v1/account');
    expect([status, json]).toEqual([200, { plan: 'free', email: 'me@example.com', display_name: 'Me' }]);
  },
  'Errors: `401` when the key is missing, invalid or revoked. This is the simplest way to verify a key.': async () => {
    const revoked = await server.services.keys.create(server.account, 'live');
    expect((await server.ask('/v1/account', { key: revoked.key })).status).toBe(200);
    await server.services.keys.revoke(revoked.id);
    for (const key of [null, 'plt_live_no', newApiKey('test'), revoked.key]) {
      const { status, json } = await server.ask('/v1/account', { key });
      expect([status, json]).toEqual([401, { error: expect.stringMatching(/^invalid or revoked API key/) }]);
    }
  },
});

/** The HMAC of the message that the product defines, computed here independently. */
const hmac = (extension: string, canon: string) =>
  createHmac('sha256', server.signingSecret).update(`v1\n${template}\n${extension}\n${canon}`).digest('hex');
const at = (extension: string, query: string) => `/v1/templates/${template}/render.${extension}?${query}`;
/** The status of a URL that is signed with these parameters. */
const statusOf = async (...parameters: (readonly [string, string])[]) =>
  (await server.open(server.signed('jpg', parameters))).status;

table('GET /v1/templates/{id}/render.{ext}: parameters', {
  'id | path | string | yes | Template id': async () => {
    expect((await server.open(server.signed())).status).toBe(200);
    expect((await server.open(server.signed().replace(template, 'tpl_unknown'))).status).toBe(404);
  },
  'ext | path | string | yes | One of `png`, `jpg`, `jpeg`, `webp`, `pdf`': async () => {
    for (const [extension, kind] of Object.entries({
      png: 'png',
      jpg: 'jpeg',
      jpeg: 'jpeg',
      webp: 'webp',
      pdf: 'pdf',
    })) {
      const { status, body } = await server.open(server.signed(extension));
      expect([status, kindOf(body)], extension).toEqual([200, kind]);
    }
    for (const extension of ['gif', 'PNG', 'svg', '']) {
      expect((await server.open(server.signed(extension))).status, extension).toBe(404);
    }
  },
  'sig | query | string | yes | HMAC-SHA256 signature over the template, the extension and the canonicalised parameters':
    async () => {
      expect((await server.open(at('png', `sig=${hmac('png', '')}`))).status).toBe(200);
      const sig = hmac('png', 'scale=2&title=A%20b');
      expect((await server.open(at('png', `title=A+b&sig=${sig}&scale=2`))).status).toBe(200);
      for (const wrong of [at('png', `title=A+c&scale=2&sig=${sig}`), at('webp', `title=A+b&scale=2&sig=${sig}`)]) {
        expect((await server.open(wrong)).status).toBe(403);
      }
    },
  'scale | query | number | no | Device scale factor; maximum 3': async () => {
    const { body } = await server.open(server.signed('png', [['scale', '3']]));
    expect(await sizeOf(body)).toBe('png 360×180');
    expect(await sizeOf((await server.open(server.signed())).body)).toBe('png 120×60');
    for (const scale of ['3.01', '0', '-1', 'x', '']) expect(await statusOf(['scale', scale]), scale).toBe(400);
  },
  'q | query | integer | no | JPEG/WebP quality, 0 to 100': async () => {
    for (const extension of ['jpg', 'webp']) {
      const [low, high] = await Promise.all(
        ['0', '100'].map(async (q) => (await server.open(server.signed(extension, [['q', q]]))).body.length),
      );
      expect(low).toBeLessThan(high ?? 0);
    }
    for (const q of ['101', '-1', '1.5', 'x', '']) expect(await statusOf(['q', q]), q).toBe(400);
  },
  '(any other name) | query | string | no | Treated as a layer modification': async () => {
    await server.open(server.signed('png', [['title', 'From a query']]));
    expect(JSON.stringify(server.drawn.at(-1))).toContain('"text":"From a query"');
    const { headers } = await server.open(server.signed('png', [['nobody', 'x']]));
    expect(headers['platen-warnings']).toContain('nobody');
  },
});

table('GET /v1/templates/{id}/render.{ext}: rules', {
  '`sig`, `scale` and `q` are reserved and are not modifications.': async () => {
    const { headers } = await server.open(
      server.signed('png', [
        ['scale', '1'],
        ['q', '5'],
      ]),
    );
    expect(headers['platen-warnings']).toBeUndefined();
    for (const name of ['sig', 'scale', 'q']) {
      const json = { ...CARD, layers: [{ name, type: 'text', text: 'x' }] };
      expect((await server.post('/v1/templates', json)).status, name).toBe(400);
    }
  },
});

const TEXT = 'text/plain; charset=utf-8';

table('GET /v1/templates/{id}/render.{ext}: responses', {
  '`200` binary asset body (the listed content type is `image/png`).': async () => {
    const { status, headers, body } = await server.open(server.signed());
    expect([status, headers['content-type'], kindOf(body)]).toEqual([200, 'image/png', 'png']);
  },
  "`402` the template owner's quota is exceeded (`text/plain`).": async () => {
    expect((await poor.open(poor.signed())).status).toBe(200);
    const { status, headers, text } = await poor.open(poor.signed('png', [fresh()]));
    expect([status, headers['content-type']]).toEqual([402, TEXT]);
    expect(text).toContain('upgrade to continue');
  },
  '`403` missing or invalid signature (`text/plain`).': async () => {
    for (const query of ['', 'title=x', 'sig=', `sig=${'0'.repeat(64)}`, `sig=${hmac('png', '').toUpperCase()}`]) {
      const { status, headers } = await server.open(at('png', query));
      expect([status, headers['content-type']], query).toEqual([403, TEXT]);
    }
  },
  '`404` template not found (`text/plain`).': async () => {
    const { status, headers, text } = await server.open(server.signed().replace(template, `${template.slice(0, -1)}_`));
    expect([status, headers['content-type'], text]).toEqual([404, TEXT, expect.stringContaining('not found')]);
  },
});
