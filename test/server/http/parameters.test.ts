// Tests that every way to render obeys the rules of a template's parameters, and that templates without any stay as they
// were.

import { expect, test } from 'vitest';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { SHAPES, serverUnderTest } from './server-under-test.ts';

const PARAMETERS = [{ layer: 'box', label: 'Colour of the box', required: true, choices: ['red', 'blue'] }];

async function start() {
  const server = await serverUnderTest({}, { exportAs: async () => Buffer.from('a picture') });
  const { json } = await server.post('/v1/templates', { ...SHAPES, parameters: PARAMETERS });
  return { ...server, template: String(json.id), created: json };
}

const MISSING = 'modifications.box: "Colour of the box" is required, and has no value';
const OTHER = 'modifications.box: "Colour of the box" must be one of "red", "blue"';

test('they are answered with the template, and stored in each version', async () => {
  await using server = await start();
  expect(server.created.parameters).toEqual(PARAMETERS);
  const { json } = await server.ask(`/v1/templates/${server.template}`);
  expect(json.parameters).toEqual(PARAMETERS);
  const wrong = { ...SHAPES, parameters: [{ layer: 'boxx' }] };
  const { status, json: refusal } = await server.post('/v1/templates', wrong);
  expect([status, refusal.error]).toEqual([
    400,
    'parameters[0].layer: the template has no layer "boxx"; did you mean "box"?',
  ]);
});

test('a render needs the values that are required, within their limits, and a refused one costs nothing', async () => {
  await using server = await start();
  const { template } = server;
  for (const [modifications, error] of [
    [undefined, MISSING],
    [{ box: 'green' }, OTHER],
  ] as const) {
    for (const more of [{}, { async: true }]) {
      const { status, json } = await server.post('/v1/renders', { template, modifications, ...more });
      expect([status, json.error]).toEqual([400, error]);
    }
  }
  const inline = { ...SHAPES, parameters: PARAMETERS };
  expect((await server.post('/v1/renders', { template: inline })).json.error).toBe(MISSING);
  expect((await server.post('/v1/renders', { template, modifications: { box: 'red' } })).status).toBe(200);
  expect(await server.services.storage.usage.totals(server.account, '2026-11')).toEqual({ used: 1, reserved: 0 });
});

test('a batch names them in place, a signed URL is a 400', async () => {
  await using server = await start();
  const { template, signingSecret } = server;
  const { json } = await server.post('/v1/renders/batch', { template, items: [{ box: 'blue' }, {}] });
  expect(json).toMatchObject({ ok: 1, results: [{ output: 'png' }, { error: MISSING }] });
  const open = (parameters: readonly (readonly [string, string])[]) => {
    const query = signedQuery(signingSecret, { template, extension: 'png', parameters }, null);
    return server.ask(`/v1/templates/${template}/render.png?${query}`, { key: null });
  };
  const outcome = async (box: readonly (readonly [string, string])[]) => {
    const { status, text } = await open(box);
    return `${status} ${text.trim()}`;
  };
  expect(await outcome([])).toBe(`400 ${MISSING}`);
  expect(await outcome([['box', 'green']])).toBe(`400 ${OTHER}`);
  expect(await outcome([['box', 'red']])).toBe('200 a picture');
});

test('a preview may lack values, and refuses wrong ones', async () => {
  await using server = await start();
  const path = `/v1/templates/${server.template}/preview`;
  expect((await server.post(path, {})).status).toBe(200);
  expect((await server.post(path, { modifications: { box: 'green' } })).json.error).toBe(OTHER);
});
