// Tests that 2,000 webhooks of one account whose 200 receivers accept and never answer do not hold up those of another
// account, on SQLite and with two servers on PostgreSQL. Prints how long the other account's webhooks take.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { announce } from '#server/service/jobs/webhooks.ts';
import { serve } from '../listen.ts';
import { postJson } from '../post-json.ts';
import { attackedServers } from './attacked-servers.ts';

const [HANGING, HOSTS] = [2_000, 200];
/** How many webhooks of the other account are timed. */
const TIMED = 5;
/** The longest that one may take from the request on, ms, where the machine has nothing else to do; else five times. */
const MOST = process.env.STRICT ? 2_000 : 10_000;

const CARD = { name: 'Card', width: 60, height: 40, layers: [] };

for (const nodes of [1, 2] as const) {
  test(`${HANGING} that hang, ${nodes === 1 ? 'SQLite' : 'two servers on PostgreSQL'}`, async () => {
    let hanging = 0;
    // On every loopback address, as each is another host.
    await using silent = await serve(() => {
      hanging += 1;
    }, '0.0.0.0');
    const come = new Map<string, () => void>();
    await using receiver = await serve((request, response) => {
      response.end();
      come.get(request.url ?? '')?.();
    }, '0.0.0.0');
    const accounts = { mine: '', other: { key: '', template: '' } };
    const env = {
      PLATEN_PLANS: '{"pro":{"quota":100000,"blocks":false}}',
      PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
    };
    await using attacked = await attackedServers(
      env,
      async ({ accounts: all, storage, templates, keys }) => {
        const open = async () => (await all.create({ email: null, displayName: null, plan: 'pro' })).id;
        const [mine, other] = [await open(), await open()];
        const template = (await templates.create(other, CARD)).id;
        Object.assign(accounts, { mine, other: { key: (await keys.create(other, 'live')).key, template } });
        await storage.transaction(async ({ deliveries }) => {
          for (let index = 0; index < HANGING; index += 1) {
            const webhookUrl = `http://127.0.1.${1 + (index % HOSTS)}:${silent.port}/`;
            const done = { id: `rnd_${index}`, status: 'error', result: null, error: 'no' } as const;
            await announce(deliveries, { accountId: mine, webhookUrl }, done, storage.clock());
          }
        });
      },
      nodes,
    );
    await expect.poll(() => hanging, { timeout: 20_000 }).toBeGreaterThanOrEqual(50);
    const times: number[] = [];
    for (let index = 0; index < TIMED; index += 1) {
      const { promise, resolve } = Promise.withResolvers<void>();
      come.set(`/${index}`, resolve);
      const start = performance.now();
      const { url = '' } = attacked.servers[index % nodes] ?? {};
      const asked = await postJson(`${url}/v1/renders`, accounts.other.key, {
        template: accounts.other.template,
        webhookUrl: `http://127.0.0.2:${receiver.port}/${index}`,
      });
      expect(asked.status).toBe(202);
      await Promise.race([promise, sleep(60_000, null, { ref: false })]);
      times.push(performance.now() - start);
    }
    console.info(`${nodes} server(s), ${hanging} hang: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms`);
    expect(Math.max(...times)).toBeLessThan(MOST);
  });
}
