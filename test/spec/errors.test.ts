// Specification, "Errors": statuses, rules and example messages.

import { expect } from 'vitest';
import { newApiKey } from '../../src/base/ids.ts';
import { fresh, plans, specServer, table } from './spec-server.ts';

const server = await specServer();
const poor = await specServer(plans(1, true));
const { template } = server;

/** Errors that only the endpoints of renders and screenshots can answer with. */
const RENDERING = [
  ['/v1/renders', { template }],
  ['/v1/screenshots', { url: 'http://127.0.0.1:9/' }],
] as const;

table('Statuses', {
  '200 | OK | Render or screenshot completed': async () => {
    const { status, json } = await server.render();
    expect([status, json]).toEqual([
      200,
      { id: expect.stringMatching(/^rnd_/), url: `${server.url}/assets/${json.id}.png`, output: 'png' },
    ]);
  },
  '202 | Accepted | Async job queued; poll `GET /v1/renders/{id}`': async () => {
    for (const [path, body] of RENDERING) {
      const { status, json } = await server.post(path, { ...body, async: true });
      expect([status, json]).toEqual([202, { id: expect.stringMatching(/^rnd_/), status: 'queued' }]);
      expect((await server.ask(`/v1/renders/${json.id}`)).status).toBe(200);
    }
  },
  '400 | Bad request | Missing template, batch with no items or more than 50, or disallowed screenshot URL':
    async () => {
      const wrong = [
        ['/v1/renders', {}],
        ['/v1/renders', { templateId: 7 }],
        ['/v1/renders/batch', {}],
        ['/v1/renders/batch', { renders: [] }],
        ['/v1/renders/batch', { template, items: Array(51).fill({}) }],
        ['/v1/screenshots', { url: 'http://10.0.0.1/' }],
        ['/v1/screenshots', { url: 'file:///etc/passwd' }],
      ] as const;
      for (const [path, body] of wrong) {
        const { status, json } = await server.post(path, body);
        expect([status, json]).toEqual([400, { error: expect.stringMatching(/\w/) }]);
      }
    },
  '401 | Unauthorized | API key missing, invalid or revoked': async () => {
    const revoked = await server.services.keys.create(server.account, 'live');
    await server.services.keys.revoke(revoked.id);
    for (const key of [null, 'plt_live_x', newApiKey('live'), revoked.key]) {
      const { status, json } = await server.ask('/v1/account', { key });
      expect([status, json]).toEqual([401, { error: expect.stringMatching(/^invalid or revoked API key/) }]);
    }
  },
  '402 | Payment required | Free-plan quota exhausted; upgrade to continue': async () => {
    expect((await poor.render()).status).toBe(200);
    for (const more of [{}, { async: true }, { webhookUrl: poor.hooks.url }]) {
      const { status, json } = await poor.render(more);
      expect([status, json]).toEqual([402, { error: expect.stringContaining('upgrade to continue') }]);
    }
  },
  '403 | Forbidden | Missing or invalid signature on a signed render URL': async () => {
    const path = `/v1/templates/${template}/render.png`;
    for (const query of ['', '?sig=', `?sig=${'0'.repeat(64)}`]) {
      const { status, headers } = await server.open(path + query);
      expect([status, headers['content-type']]).toEqual([403, 'text/plain; charset=utf-8']);
    }
  },
  '404 | Not found | Unknown template, job or path (also a job owned by another account)': async () => {
    const { id } = (await server.render()).json;
    for (const answer of [
      await server.post('/v1/renders', { template: 'tpl_unknown' }),
      await server.ask('/v1/renders/rnd_unknown'),
      await server.ask(`/v1/renders/${id}`, { key: server.otherKey }),
      await server.ask('/v1/unknown'),
    ]) {
      expect([answer.status, answer.json]).toEqual([404, { error: expect.stringContaining('not found') }]);
    }
  },
  '405 | Method not allowed | Wrong HTTP method for the endpoint': async () => {
    const wrong = [
      ['GET', '/v1/renders', 'POST'],
      ['DELETE', '/v1/renders', 'POST'],
      // `batch` also matches the path of a job's id, which allows GET.
      ['PUT', '/v1/renders/batch', 'POST, HEAD, GET'],
      ['POST', '/v1/renders/rnd_x', 'HEAD, GET'],
      ['GET', '/v1/screenshots', 'POST'],
      ['DELETE', '/v1/templates', 'HEAD, GET, POST'],
      ['POST', '/v1/account', 'HEAD, GET'],
      ['POST', `/v1/templates/${template}/render.png`, 'HEAD, GET'],
    ] as const;
    for (const [method, path, allow] of wrong) {
      const { status, headers } = await server.ask(path, { method });
      expect([status, headers.allow], `${method} ${path}`).toEqual([405, allow]);
    }
  },
  '500 | Server error | Unexpected failure; retry': async () => {
    server.before.draw = () => Promise.reject(new Error('a bug'));
    const { status, json, text } = await server.render();
    server.before.draw = async () => {};
    expect([status, json]).toEqual([500, { error: expect.stringContaining('try again') }]);
    expect(text).not.toContain('a bug');
    expect((await server.render()).status).toBe(200);
  },
});

table('Form of an error', {
  'JSON endpoints return `{ "error": <message string> }`.': async () => {
    const { headers, json } = await server.post('/v1/renders', {});
    expect([headers['content-type'], Object.keys(json)]).toEqual(['application/json; charset=utf-8', ['error']]);
  },
  'The signed render URL path returns a short `text/plain` body instead.': async () => {
    await poor.open(poor.signed());
    for (const answer of [
      await server.open(`/v1/templates/${template}/render.png`),
      await server.open(server.signed().replace(template, 'tpl_unknown')),
      await server.open(server.signed('png', [['scale', '9']])),
      await poor.open(poor.signed('png', [fresh()])),
    ]) {
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(answer.text.length).toBeLessThan(200);
    }
  },
});

table('Rules', {
  '1. In a batch, a per-item failure does not fail the request. The response is `200` and the item is an `{error}` entry in `results`. `count` is the number of items and `ok` the number that succeeded.':
    async () => {
      const renders = [{ template }, { template: 'tpl_unknown' }, {}];
      const { status, json } = await server.post('/v1/renders/batch', { renders });
      const results = [
        expect.objectContaining({ output: 'png' }),
        { error: 'Template "tpl_unknown" not found.' },
        { error: expect.stringMatching(/^templateId is required\./) },
      ];
      expect([status, json]).toEqual([200, { results, count: 3, ok: 1 }]);
    },
  '2. A job that fails reports status `error` with an `error` message.': async () => {
    const { id } = (await server.render({ async: true, modifications: { photo: 'http://127.0.0.1:9/' } })).json;
    expect(await server.ended(id)).toMatchObject({ status: 'error', error: expect.stringContaining('photo') });
  },
});

/** Status and message of an answer. */
const said = async (answer: ReturnType<typeof server.ask>) => {
  const { status, json } = await answer;
  return `${status} ${json.error}`;
};

table('Example messages', {
  '"templateId is required." (400 on a missing template)': async () =>
    expect(await said(server.post('/v1/renders', {}))).toMatch(
      /^400 templateId is required\. Send the id of a template/,
    ),
  '"Batch too large (51); max 50." (400, batch over the limit)': async () => {
    for (const body of [{ renders: Array(51).fill({ template }) }, { template, items: Array(51).fill({}) }]) {
      expect(await said(server.post('/v1/renders/batch', body))).toBe('400 Batch too large (51); max 50.');
    }
  },
  '"URL not allowed." (400, screenshot guard)': async () => {
    const refused = (url: string) => said(server.post('/v1/screenshots', { url }));
    for (const url of ['http://10.0.0.1/', 'ftp://example.com/']) {
      expect(await refused(url)).toMatch(/^400 URL not allowed\. Its (host|scheme) is /);
    }
    // What a name resolves to is not told.
    expect(await refused('http://intranet/')).toBe('400 URL not allowed.');
  },
  '"invalid or revoked API key" (401)': async () => {
    expect(await said(server.ask('/v1/account', { key: newApiKey('live') }))).toBe('401 invalid or revoked API key');
    // Without any key, the message goes on to say so.
    expect(await said(server.ask('/v1/account', { key: null }))).toMatch(/^401 invalid or revoked API key: /);
  },
  '"job not found" (404)': async () =>
    expect(await said(server.ask('/v1/renders/rnd_unknown'))).toBe('404 job not found'),
});
