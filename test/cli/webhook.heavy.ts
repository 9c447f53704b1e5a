import { expect, test } from 'vitest';
import { SHAPES, serverUnderTest } from '../server/http/server-under-test.ts';
import { receiver } from '../webhook-receiver.ts';
import { platen } from './run-platen.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

test('deliveries are listed with their attempts, and sent again by the running server', async () => {
  await using hooks = await receiver();
  await using server = await serverUnderTest(
    { PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' },
    // The command line uses the system clock, so the server must too.
    { exportAs: async () => Buffer.from('a picture'), clock: () => new Date() },
  );
  const { folder, account, services } = server;
  expect((await platen(folder, ['webhook', 'list'])).stdout).toBe('No deliveries.\n');
  const template = (await services.templates.create(account, SHAPES)).id;
  const { json } = await server.ask('/v1/renders', { method: 'POST', json: { template, webhookUrl: hooks.url } });
  await hooks.received(1);

  const list = async () => {
    const { status, stdout } = await platen(folder, ['webhook', 'list', '--account', account, '--json']);
    expect(status).toBe(0);
    return JSON.parse(stdout).deliveries;
  };
  await expect.poll(async () => (await list())[0].status, { timeout: 10_000 }).toBe('delivered');
  const [delivery] = await list();
  expect(delivery).toEqual({
    id: expect.stringMatching(/^msg_/),
    account,
    render: json.id,
    url: hooks.url,
    status: 'delivered',
    createdAt: TIME,
    nextAttempt: null,
    attempts: [{ at: TIME, duration: expect.any(Number), status: 204, error: null }],
  });

  const replay = await platen(folder, ['webhook', 'replay', delivery.id, '--json']);
  expect([replay.status, JSON.parse(replay.stdout)]).toEqual([0, { id: delivery.id, status: 'pending' }]);
  const [first, again] = await hooks.received(2);
  expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(again?.body).toBe(first?.body);
});

test('what there is not is said in words', async () => {
  await using server = await serverUnderTest();
  const unknown = await platen(server.folder, ['webhook', 'replay', 'msg_nope']);
  expect([unknown.status, unknown.stdout, unknown.stderr]).toEqual([
    1,
    '',
    'platen: There is no delivery "msg_nope".\n',
  ]);
  expect((await platen(server.folder, ['webhook', 'list', '--account', 'acc_nope'])).status).toBe(1);
});
