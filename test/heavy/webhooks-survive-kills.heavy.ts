// Kills the real server (SIGKILL) while a webhook is being sent, and while one waits for its next attempt: each is
// delivered after the restart, as the same message.

import { once } from 'node:events';
import { expect, test } from 'vitest';
import { openServices } from '#server/services.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { serve } from '../listen.ts';
import { postJson } from '../post-json.ts';
import { startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const SHAPE = { name: 'Shape', width: 40, height: 20, layers: [{ name: 'box', type: 'shape', fill: '#369' }] };

interface Attempt {
  readonly id: unknown;
  readonly signature: unknown;
  readonly body: string;
}

/** A webhook receiver that answers each attempt with the status that `answer` returns; null = never. */
async function receiver(answer: () => number | null) {
  const attempts: Attempt[] = [];
  const server = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { headers } = request;
    attempts.push({
      id: headers['webhook-id'],
      signature: headers['x-platen-signature'],
      body: Buffer.concat(chunks).toString(),
    });
    const status = answer();
    if (status !== null) response.writeHead(status).end();
  });
  return { ...server, attempts };
}

test.each([
  ['under way: sent, and not answered', null],
  ['waiting for its next attempt', 500],
])('a webhook that is %s when the server is killed', async (_name, first) => {
  let answer: number | null = first;
  await using hooks = await receiver(() => answer);
  await using folder = await temporaryFolder();
  const env = { PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' };
  await using services = await openServices(loadConfig({ PLATEN_DATA: folder.path }));
  const { id: account } = await services.accounts.create({ email: null, displayName: null, plan: 'free' });
  const { key } = await services.keys.create(account, 'live');
  const { id: template } = await services.templates.create(account, SHAPE);
  const deliveries = () => services.deliveries.list(account);

  const job = await (async () => {
    await using server = await startProcess(folder.path, env);
    const posted = await postJson(`${server.url}/v1/renders`, key, { template, webhookUrl: hooks.url });
    expect(posted.status).toBe(202);
    await expect.poll(() => hooks.attempts.length, { timeout: 30_000 }).toBe(1);
    // The outcome of the attempt, if it has one, is recorded in the database.
    const recorded = async () => (await deliveries())[0]?.attempts;
    if (first !== null) await expect.poll(recorded, { timeout: 10_000 }).toBe(1);
    server.child.kill('SIGKILL');
    await once(server.child, 'exit');
    return (await posted.json()).id;
  })();
  const [pending, ...others] = await deliveries();
  expect([pending?.status, others]).toEqual(['pending', []]);

  answer = 204;
  await using _server = await startProcess(folder.path, env);
  await expect.poll(async () => (await deliveries())[0]?.status, { timeout: 60_000 }).toBe('delivered');
  expect(hooks.attempts).toHaveLength(2);
  expect(hooks.attempts[1]).toEqual(hooks.attempts[0]);
  expect(hooks.attempts[0]?.id).toBe(pending?.id);
  expect(JSON.parse(hooks.attempts[0]?.body ?? '')).toMatchObject({ id: job, status: 'done' });
});
