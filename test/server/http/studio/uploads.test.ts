// Tests that images and fonts deleted in the studio are gone for everybody at once, and come back when that is undone.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPackage } from '#draw/fonts/catalog.ts';
import { quadrants } from '../../../draw/images/pictures.ts';
import { SHAPES } from '../server-under-test.ts';
import { studioUnderTest } from './studio-under-test.ts';

const PNG = await quadrants().png().toBuffer();
const PACKAGE = '@expo-google-fonts/bricolage-grotesque';
const TTF = readFileSync(join(findPackage(PACKAGE) ?? '', '700Bold/BricolageGrotesque_700Bold.ttf'));
const DAY = 86_400_000;
const NOW = new Date('2026-11-21T12:00:00Z');

async function labUnderTest() {
  let now = NOW;
  const studio = await studioUnderTest({}, { clock: () => now });
  const { ask, server } = studio;
  const upload = async (kind: 'images' | 'fonts', raw: Buffer) => {
    const headers = { 'content-type': 'application/octet-stream' };
    return String((await ask(`/${kind}`, { method: 'POST', raw, headers })).json.id);
  };
  const template = async (document: object) =>
    String((await ask('/templates', { method: 'POST', json: { document: { ...SHAPES, ...document } } })).json.id);
  const warningOf = async (id: string) => {
    const answer = await server.post('/v1/renders', { template: id });
    return [answer.status, answer.headers['platen-warnings'] ?? null];
  };
  const later = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };
  return { ...studio, upload, template, warningOf, later };
}

test('a family of the catalogue is added where the operator lets a registry be asked, through the guard', async () => {
  const add = { method: 'POST', json: { family: 'Montserrat' } } as const;
  await using off = await labUnderTest();
  expect((await off.ask('/fonts')).json.canAdd).toBe(false);
  const refused = await off.ask('/fonts/catalogue', add);
  expect([refused.status, refused.json.error]).toEqual([403, expect.stringContaining('PLATEN_FONT_REGISTRY')]);
  await using on = await studioUnderTest({ PLATEN_FONT_REGISTRY: 'http://10.0.0.1:8080' });
  expect((await on.ask('/fonts')).json.canAdd).toBe(true);
  expect((await on.ask('/fonts/catalogue', { ...add, as: 'viewer' })).status).toBe(403);
  const guarded = await on.ask('/fonts/catalogue', add);
  expect([guarded.status, guarded.json.error]).toEqual([
    400,
    expect.stringMatching(/^Montserrat could not be fetched from 10\.0\.0\.1:8080: its address is private/),
  ]);
  expect((await on.ask('/fonts/catalogue', { ...add, json: { family: 'Inter' } })).status).toBe(404);
});

const image = (src: string) => ({
  layers: [{ type: 'image', name: 'photo', src, width: 20, height: 20, optional: true }],
});

test('a deleted image is left out of renders and lists, and can be brought back for a day', async () => {
  const lab = await labUnderTest();
  await using _ = lab;
  const { ask, server } = lab;
  const id = await lab.upload('images', PNG);
  const used = await lab.template(image(id));
  const statuses = async () => [
    (await ask(`/images/${id}`)).status,
    (await ask(`/images/${id}/file`)).status,
    (await server.ask(`/v1/images/${id}`)).status,
    (await server.ask(`/images/${id}.png`, { key: null })).status,
    ((await ask('/images')).json.items as object[]).length,
  ];
  expect(await statuses()).toEqual([200, 200, 200, 200, 1]);
  expect(await lab.warningOf(used)).toEqual([200, null]);
  // Kept by no cache without asking: a page that shows it asks whether it is still there.
  expect((await ask(`/images/${id}/file`)).headers['cache-control']).toBe('private, no-cache');
  const deleted = await ask(`/images/${id}`, { method: 'DELETE' });
  expect([deleted.status, deleted.json]).toEqual([200, { undoUntil: new Date(NOW.getTime() + DAY).toISOString() }]);
  expect(await statuses()).toEqual([404, 404, 404, 404, 0]);
  expect(await lab.warningOf(used)).toEqual([200, expect.stringContaining('here is no uploaded image')]);
  expect((await ask(`/images/${id}`, { method: 'DELETE' })).status).toBe(404);
  expect((await ask(`/images/${id}/undelete`, { method: 'POST', as: 'stranger' })).status).toBe(404);
  expect((await ask(`/images/${id}/undelete`, { method: 'POST' })).json).toMatchObject({ id });
  expect(await statuses()).toEqual([200, 200, 200, 200, 1]);
  expect(await lab.warningOf(used)).toEqual([200, null]);
  await ask(`/images/${id}`, { method: 'DELETE' });
  lab.later(DAY + 1);
  expect((await ask(`/images/${id}/undelete`, { method: 'POST' })).status).toBe(404);
});

test('a font says which templates name its family, and can be brought back for a day', async () => {
  const lab = await labUnderTest();
  await using _ = lab;
  const { ask } = lab;
  const id = await lab.upload('fonts', TTF);
  const family = 'Bricolage Grotesque';
  const text = { type: 'text', name: 'title', text: 'Hello', width: 40 };
  await lab.template({ name: 'in layers', layers: [{ ...text, fontFamily: ['Inter', family.toLowerCase()] }] });
  await lab.template({
    name: 'in html',
    engine: 'html',
    layers: undefined,
    html: `<p style="font-family:${family}">x`,
  });
  await lab.template({ name: 'not at all', layers: [{ ...text, text: `We like ${family} here` }] });
  const { json } = await ask(`/fonts/${id}`);
  expect(json).toMatchObject({ id, family });
  expect((json.usedBy as { name: string }[]).map(({ name }) => name).toSorted()).toEqual(['in html', 'in layers']);
  const isOwn = async () =>
    ((await ask('/fonts')).json.families as { family: string; own: boolean }[]).some(
      (one) => one.family === family && one.own,
    );
  expect(await isOwn()).toBe(true);
  expect((await ask(`/fonts/${id}`, { method: 'DELETE' })).status).toBe(200);
  expect([(await ask(`/fonts/${id}`)).status, await isOwn()]).toEqual([404, false]);
  expect((await ask(`/fonts/${id}/undelete`, { method: 'POST', as: 'viewer' })).status).toBe(403);
  expect((await ask(`/fonts/${id}/undelete`, { method: 'POST' })).json).toMatchObject({ id, family });
  expect(await isOwn()).toBe(true);
  await ask(`/fonts/${id}`, { method: 'DELETE' });
  lab.later(DAY + 1);
  expect((await ask(`/fonts/${id}/undelete`, { method: 'POST' })).status).toBe(404);
});
