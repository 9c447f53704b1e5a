import { afterAll, beforeAll, expect, test } from 'vitest';
import { MISTAKES } from '../../../scripts/mistakes.ts';
import { type ServerUnderTest, serverUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let template: string;
beforeAll(async () => {
  server = await serverUnderTest();
  const layers = [{ name: 'title', type: 'text', text: 'Hello', fontSize: 10 }];
  template = (await server.services.templates.create(server.account, { name: 'T', width: 90, height: 40, layers })).id;
});
afterAll(() => server[Symbol.asyncDispose]());

test.each(MISTAKES)('$method $path $body', async ({ method, path, body, status, says }) => {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '').replace('$TEMPLATE', template);
  const sent = body === undefined ? {} : { raw: text, headers: { 'content-type': 'application/json' } };
  const answer = await server.ask(path, { method, ...sent });
  const [warning] = JSON.parse(String(answer.headers['platen-warnings'] ?? '[]'));
  expect([answer.status, answer.json.error ?? warning]).toEqual([status, says]);
});
