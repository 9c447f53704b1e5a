// Tests brands in the studio: made, changed by two people, read at a version, deleted.

import { expect, test } from 'vitest';
import { studioUnderTest } from './studio-under-test.ts';

test('a brand is made, changed, read at each version, and deleted', async () => {
  await using studio = await studioUnderTest();
  const path = `/accounts/${studio.server.account}/brands`;
  const save = (baseVersion: number, colors: object) =>
    studio.api(`${path}/acme`, { method: 'PUT', json: { baseVersion, brand: { colors } }, as: 'editor' });
  expect((await save(0, { primary: '#111' })).json).toMatchObject({ name: 'acme', version: 1 });
  expect((await save(1, { primary: '#222' })).json).toMatchObject({ version: 2, colors: { primary: '#222' } });
  expect((await studio.api(path, { as: 'viewer' })).json).toMatchObject({ items: [{ name: 'acme', version: 2 }] });
  expect((await studio.api(`${path}/acme@1`, { as: 'viewer' })).json).toMatchObject({ colors: { primary: '#111' } });
  expect((await studio.api(`${path}/acme/versions`)).json.items).toMatchObject([{ version: 2 }, { version: 1 }]);
  expect((await studio.api(`${path}/acme`, { method: 'DELETE', as: 'editor' })).status).toBe(204);
  expect((await studio.api(path)).json).toEqual({ items: [], next: null });
  expect((await studio.api(`${path}/acme/versions`)).status).toBe(404);
});

test('of two people who change a brand, the second is told', async () => {
  await using studio = await studioUnderTest();
  const save = (baseVersion: number, brand: object = {}) =>
    studio.api(`/accounts/${studio.server.account}/brands/acme`, { method: 'PUT', json: { baseVersion, brand } });
  await save(0);
  await save(1);
  const late = await save(1);
  expect([late.status, late.json.error]).toEqual([
    409,
    'The brand "acme" was saved as version 2 since you opened version 1: load it first.',
  ]);
  expect((await save(0)).json.error).toBe('The brand "acme" is there already: choose another name.');
  expect((await save(2, { colors: { primary: 'blu' } })).json.error).toMatch(/^colors\.primary/);
});
