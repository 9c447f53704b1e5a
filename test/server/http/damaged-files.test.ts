// Tests that a damaged stored file is never served: a variant is drawn again, everything else is a 500.

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { quadrants } from '../../draw/images/pictures.ts';
import { type ServerUnderTest, SHAPES, serverUnderTest } from './server-under-test.ts';

const OURS = 'The stored file is damaged or missing on our side; whoever runs the server can tell.';

const DAMAGES: Readonly<Record<string, (path: string) => Promise<void>>> = {
  emptied: (path) => writeFile(path, ''),
  'cut short': async (path) => writeFile(path, (await readFile(path)).subarray(0, -1)),
  'of other bytes': async (path) => {
    const bytes = await readFile(path);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    await writeFile(path, bytes);
  },
  missing: (path) => rm(path),
};

const render = async (server: ServerUnderTest, layer: object = {}) => {
  const json = { ...SHAPES, layers: [...SHAPES.layers, ...(Object.keys(layer).length > 0 ? [layer] : [])] };
  const { id: template } = (await server.ask('/v1/templates', { method: 'POST', json })).json;
  return server.post('/v1/renders', { template });
};

for (const [how, damage] of Object.entries(DAMAGES)) {
  test(`an asset, an upload and a variant, ${how}`, async () => {
    await using server = await serverUnderTest();
    const path = (...names: string[]) => join(server.folder, ...names);

    const { json: asset } = await render(server);
    const { pathname } = new URL(String(asset.url));
    await damage(path(pathname));
    const answer = await server.ask(pathname, { key: null });
    expect([answer.status, answer.json.error, answer.headers['cache-control']]).toEqual([500, OURS, 'no-store']);
    expect(server.logged()).toContain(`${asset.id}.png is damaged`);

    const raw = await quadrants().png().toBuffer();
    const headers = { 'content-type': 'image/png' };
    const { json: image } = await server.ask('/v1/images', { method: 'POST', raw, headers });
    await damage(path('images', String(image.id)));
    const served = await server.ask(new URL(String(image.url)).pathname, { key: null });
    expect([served.status, served.json.error]).toEqual([500, OURS]);
    for (const optional of [false, true]) {
      const drawn = await render(server, { name: 'it', type: 'image', src: image.id, width: 9, height: 9, optional });
      expect([drawn.status, drawn.json.error]).toEqual([500, OURS]);
    }

    const { id: template } = await server.services.templates.create(server.account, SHAPES);
    const signed = `/v1/templates/${template}/render.png?${signedQuery(server.signingSecret, { template, extension: 'png', parameters: [] })}`;
    const first = await server.ask(signed, { key: null });
    const [variant] = await server.services.storage.storedFiles.list('variants', '', 1);
    await damage(path('variants', variant?.name ?? ''));
    const second = await server.ask(signed, { key: null });
    expect([second.status, second.body.equals(first.body)]).toEqual([200, true]);
    expect((await readFile(path('variants', variant?.name ?? ''))).equals(first.body)).toBe(true);
  });
}

test('what was stored before digests were is served by its size alone', async () => {
  await using server = await serverUnderTest();
  const { json: asset } = await render(server);
  const { pathname } = new URL(String(asset.url));
  const { storage } = server.services;
  const [stored] = await storage.storedFiles.list('assets', '', 1);
  expect(stored).toMatchObject({ id: asset.id, digest: expect.stringMatching(/^[\w+/]{43}=$/) });
  expect((await server.ask(pathname, { key: null })).status).toBe(200);
  await writeFile(join(server.folder, pathname), '');
  // The size is checked at every request, also after the file was served successfully.
  expect((await server.ask(pathname, { key: null })).status).toBe(500);
});
