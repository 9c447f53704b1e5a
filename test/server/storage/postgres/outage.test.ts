// Tests a server whose PostgreSQL is cut off or silent for a while: it answers 503 with Retry-After, and recovers by
// itself.

import { expect, test, vi } from 'vitest';
import { type Answer, SHAPES, serverUnderTest } from '../../http/server-under-test.ts';
import { newDatabaseAlone } from '../new-database.ts';
import { proxyTo } from './proxy.ts';

for (const state of ['cut', 'silent'] as const) {
  test(`without its database (${state}) a server answers 503, and nothing is counted`, async () => {
    await using made = await newDatabaseAlone('migrated');
    const url = new URL(made.location);
    await using proxy = await proxyTo(Number(url.port));
    url.port = String(proxy.port);
    await using server = await serverUnderTest(
      { DATABASE_URL: url.href },
      { exportAs: async () => Buffer.from('a picture') },
    );
    const { id: template } = await server.services.templates.create(server.account, SHAPES);
    const render = (n: number): Promise<Answer> =>
      server.post('/v1/renders', { template, modifications: { box: `rgb(${n}, 0, 0)` } });
    const used = async () => (await server.ask('/v1/usage')).json.used;
    expect((await render(0)).status).toBe(200);

    proxy.set(state);
    const refused = await Promise.all([1, 2, 3].map(render));
    for (const { status, headers } of refused) expect([status, headers['retry-after']]).toEqual([503, '2']);
    expect((await server.ask('/readyz', { key: null })).status).toBe(503);

    proxy.set('open');
    await vi.waitFor(async () => expect((await render(4)).status).toBe(200), { timeout: 10_000, interval: 200 });
    expect(await used()).toBe(2);
    expect((await server.ask('/readyz', { key: null })).status).toBe(200);
  });
}
