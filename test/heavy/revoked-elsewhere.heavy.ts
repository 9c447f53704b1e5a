// Tests that what one process takes away holds for the very next request to another: keys, accounts, secrets, templates.

import { expect, test } from 'vitest';
import { byCommandLine } from '#server/service/people/permit.ts';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { openServices } from '#server/services.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { postJson } from '../post-json.ts';
import { startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 15);

const card = (width: number) => ({
  ...{ name: 'Card', width, height: 8 },
  layers: [{ name: 'box', type: 'shape', width: 8, height: 8, fill: '#336699' }],
});

test(`${ROUNDS} rounds: the server answers the first request after another process's change as that says`, async () => {
  await using folder = await temporaryFolder();
  await using server = await startProcess(folder.path, { PLATEN_PREVIEWS_PER_MINUTE: '0' });
  // This process is the other one, as the command line is.
  await using services = await openServices(loadConfig({ PLATEN_DATA: folder.path }));
  const { accounts, keys, templates } = services;
  const read = (path: string, key: string) =>
    fetch(server.url + path, { headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status);
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id: account } = await accounts.create({ email: null, displayName: null, plan: 'pro' });
    const made = await Promise.all([1, 2, 3].map(() => keys.create(account, 'live')));
    const [first, second, third] = made.map(({ key }) => key) as [string, string, string];
    const { id: template } = await templates.create(account, card(8));
    const render = async (key: string) => (await postJson(`${server.url}/v1/renders`, key, { template })).status;
    const preview = (key: string) => postJson(`${server.url}/v1/templates/${template}/preview`, key, {});
    const width = async (key: string) => Buffer.from(await (await preview(key)).arrayBuffer()).readUInt32BE(16);
    const { signing } = await accounts.secrets(account);
    const query = signedQuery(signing, { template, extension: 'png', parameters: [['box.opacity', '1']] });
    const signed = async () => (await fetch(`${server.url}/v1/templates/${template}/render.png?${query}`)).status;

    for (const key of [first, second, third])
      expect([await read('/v1/account', key), await render(key)]).toEqual([200, 200]);
    expect([await width(first), await signed(), await signed()]).toEqual([8, 200, 200]);

    await templates.replace(account, template, card(9));
    expect(await width(first)).toBe(9);
    const [key] = made;
    await keys.revoke(key?.id ?? '');
    expect([await render(first), await read('/v1/account', first), (await preview(first)).status]).toEqual([
      401, 401, 401,
    ]);
    expect(await render(second)).toBe(200);
    await accounts.rotateSecret(account, 'signing');
    await accounts.retireSecrets(account, 'signing');
    expect(await signed()).toBe(403);
    await templates.delete(account, template);
    expect([await render(second), (await preview(second)).status]).toEqual([404, 404]);
    await accounts.suspend(account, byCommandLine);
    expect([await render(third), await read('/v1/account', third)]).toEqual([403, 403]);
    await accounts.delete(account, byCommandLine);
    expect([await render(third), await read('/v1/account', third)]).toEqual([401, 401]);
  }
});
