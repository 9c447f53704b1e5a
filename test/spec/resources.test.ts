// Specification, "Resources and their fields".

import { afterAll, expect } from 'vitest';
import { hasChromium, site } from '../server/chromium/chromium.ts';
import { CARD, hold, kindOf, PICTURE, pathOf, specServer, table } from './spec-server.ts';

const server = await specServer({ PLATEN_JOB_CONCURRENCY: '1' });
const page = await site({ '/': '<p>Hello' });
afterAll(() => page[Symbol.asyncDispose]());

const RESULT = (id: unknown, output = 'png') => ({ id, url: `${server.url}/assets/${id}.${output}`, output });

table('Render result (asset)', {
  "id | string | yes | Render id; also the stored asset's name": async () => {
    const { json } = await server.render();
    expect(json.id).toMatch(/^rnd_[0-9A-Za-z]{22}$/);
    expect((await server.open(`/assets/${json.id}.png`)).status).toBe(200);
  },
  'url | string (URI) | yes | Public URL of the generated asset': async () => {
    const answer = await server.render();
    expect(URL.canParse(String(answer.json.url))).toBe(true);
    const asset = await server.open(pathOf(answer));
    expect([asset.status, kindOf(asset.body)]).toEqual([200, 'png']);
  },
  'output | string | yes | One of `png`, `jpeg`, `webp`, `pdf`; default `png`': async () => {
    for (const output of ['png', 'jpeg', 'webp', 'pdf']) {
      const answer = await server.render({ output });
      expect(answer.json).toEqual(RESULT(answer.json.id, output));
      expect(kindOf((await server.open(pathOf(answer))).body)).toBe(output);
    }
    expect((await server.render()).json.output).toBe('png');
    for (const output of ['gif', 'jpg', 'PNG', '', 1]) expect((await server.render({ output })).status).toBe(400);
  },
});

table(
  'Render result of a screenshot',
  {
    'Screenshots return the same shape.': async () => {
      const { status, json } = await server.post('/v1/screenshots', { url: `${page.origin}/` });
      expect([status, json]).toEqual([200, RESULT(json.id)]);
    },
  },
  hasChromium,
);

const ACCEPTING = [{ async: true }, { webhookUrl: server.hooks.url }, { async: false, webhookUrl: server.hooks.url }];

table('Async acceptance', {
  'id | string | yes | Job id, used for polling': async () => {
    for (const more of ACCEPTING) {
      const { json } = await server.render(more);
      expect((await server.ask(`/v1/renders/${json.id}`)).json.id).toBe(json.id);
    }
  },
  'status | string | yes | Always `queued`': async () => {
    for (const more of ACCEPTING) {
      const { json } = await server.render(more);
      expect(json).toEqual({ id: expect.any(String), status: 'queued' });
    }
  },
});

const job = async (id: unknown) => (await server.ask(`/v1/renders/${id}`)).json;
const done = async () => server.ended((await server.render({ async: true })).json.id);
/** A job whose picture cannot be loaded. */
const failed = async () =>
  server.ended((await server.render({ async: true, modifications: { photo: 'http://127.0.0.1:9/x.png' } })).json.id);

table('Job', {
  'id | string | yes | Job id': async () => {
    const { id } = (await server.render({ async: true })).json;
    expect((await job(id)).id).toBe(id);
    expect((await server.ended(id)).id).toBe(id);
  },
  'status | string | yes | `queued`, `processing`, `done` or `error`': async () => {
    const { begun, letGo } = hold(server);
    const { id } = (await server.render({ async: true })).json;
    const second = (await server.render({ async: true })).json.id;
    await begun;
    expect([(await job(id)).status, (await job(second)).status]).toEqual(['processing', 'queued']);
    letGo();
    expect([(await server.ended(id)).status, (await failed()).status]).toEqual(['done', 'error']);
  },
  'kind | string | no | `render` or `screenshot`': async () => {
    const captured = await server.post('/v1/screenshots', { url: 'http://127.0.0.1:9/', async: true });
    expect([(await done()).kind, (await job(captured.json.id)).kind]).toEqual(['render', 'screenshot']);
  },
  'result | render result object or null | no | Present once status is `done`': async () => {
    const { begun, letGo } = hold(server);
    const { id } = (await server.render({ async: true, output: 'webp' })).json;
    await begun;
    expect((await job(id)).result).toBeNull();
    letGo();
    expect((await server.ended(id)).result).toEqual(RESULT(id, 'webp'));
    expect((await failed()).result).toBeNull();
  },
  'error | string or null | no | Present once status is `error`': async () => {
    expect([(await failed()).error, (await done()).error]).toEqual([expect.stringContaining('photo'), null]);
  },
  'created_at | string (date-time) or null | no | Creation timestamp': async () => {
    expect((await done()).created_at).toBe(server.clock.now.toISOString());
  },
});

async function listed(): Promise<Record<string, unknown>> {
  const { templates } = (await server.ask('/v1/templates')).json as { templates: Record<string, unknown>[] };
  const found = templates.find(({ id }) => id === server.template);
  if (!found) throw new Error('the card is not listed');
  return found;
}

table('Template summary (as listed)', {
  'id | string | Template id': async () => {
    const { id } = await listed();
    expect((await server.post('/v1/renders', { template: id })).status).toBe(200);
  },
  'name | string | Display name': async () => expect((await listed()).name).toBe(CARD.name),
  'width | integer | Canvas width': async () => expect((await listed()).width).toBe(CARD.width),
  'height | integer | Canvas height': async () => expect((await listed()).height).toBe(CARD.height),
  'engine | string | `layers` or `html`': async () => {
    expect((await listed()).engine).toBe('layers');
    const html = { name: 'Page', width: 20, height: 20, engine: 'html', html: '<p data-layer="title">x</p>' };
    const { id } = await server.services.templates.create(server.other, html);
    const { templates } = (await server.ask('/v1/templates', { key: server.otherKey })).json;
    expect(templates).toEqual([{ id, name: 'Page', width: 20, height: 20, engine: 'html' }]);
  },
});

/** Renders with these modifications and returns the drawing as text. */
async function drawnWith(modifications: object): Promise<{ text: string; headers: Record<string, unknown> }> {
  const { status, headers } = await server.render({ modifications });
  expect(status).toBe(200);
  return { text: JSON.stringify(server.drawn.at(-1)), headers };
}

table('Modifications', {
  'A `modifications` object is keyed by layer name. The layer name is the API parameter.': async () => {
    const { text, headers } = await drawnWith({ title: 'By name', nobody: 'x' });
    expect(text).toContain('"text":"By name"');
    expect(headers['platen-warnings']).toContain('nobody');
  },
  "A string value sets a text layer's text, or an image layer's `src`.": async () => {
    expect((await drawnWith({})).text).toContain('"text":"Hello"');
    const { text } = await drawnWith({ title: 'Set' });
    expect([text.includes('"text":"Set"'), text.includes('"text":"Hello"')]).toEqual([true, false]);
    const upload = { method: 'POST', raw: PICTURE, headers: { 'content-type': 'image/png' } };
    const { id } = (await server.ask('/v1/images', upload)).json;
    expect((await server.render({ modifications: { photo: id } })).status).toBe(200);
    expect((await server.render({ modifications: { photo: 'img_unknown' } })).status).toBe(400);
  },
  'An object value is merged into that layer.': async () => {
    const { text } = await drawnWith({ title: { fontSize: 9 } });
    expect([text.includes('"text":"Hello"'), text.includes('"fontSize":9')]).toEqual([true, true]);
  },
});

table('Account', {
  'plan | string | Plan name': async () => expect((await server.ask('/v1/account')).json.plan).toBe('free'),
  'email | string (email) or null | Account e-mail': async () => {
    expect((await server.ask('/v1/account')).json.email).toBe('me@example.com');
    expect((await server.ask('/v1/account', { key: server.otherKey })).json.email).toBeNull();
  },
  'display_name | string or null | Display name': async () => {
    expect((await server.ask('/v1/account')).json.display_name).toBe('Me');
    expect((await server.ask('/v1/account', { key: server.otherKey })).json.display_name).toBeNull();
  },
});

table('Error body', {
  '`{ error: string }`: a human-readable message.': async () => {
    for (const answer of [
      await server.post('/v1/renders', {}),
      await server.post('/v1/renders', {}, { key: null }),
      await server.ask('/v1/renders/rnd_unknown'),
      await server.ask('/v1/renders', { method: 'PUT' }),
    ]) {
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.json).toEqual({ error: expect.stringMatching(/\w+ \w+/) });
    }
  },
});

const batch = (items: readonly unknown[]) =>
  server.post('/v1/renders/batch', { template: server.template, items }).then(({ json }) => json);

table('Batch result', {
  'results | array | One entry per item: a render result object, or `{ error: string }` for a failed item':
    async () => {
      const { results } = await batch([{ title: 'a' }, { title: { fontSize: 0 } }, { output: 'webp' }]);
      expect(results).toEqual([
        expect.objectContaining({ output: 'png' }),
        { error: expect.stringContaining('fontSize') },
        expect.objectContaining({ output: 'webp' }),
      ]);
      const [first] = results as [{ id: unknown }];
      expect(first).toEqual(RESULT(first.id));
    },
  'count | integer | Total items processed': async () => expect((await batch([{}, { title: 1 }, {}])).count).toBe(3),
  'ok | integer | Items that succeeded': async () => expect((await batch([{}, { title: [] }])).ok).toBe(1),
});
