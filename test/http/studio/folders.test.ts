// Tests folders of templates: a template is moved without a new version, and a folder is there while one is in it.

import { expect, test } from 'vitest';
import { SHAPES } from '../server-under-test.ts';
import { studioUnderTest } from './studio-under-test.ts';

test('templates are moved to folders and out of them, counted and listed by folder', async () => {
  await using studio = await studioUnderTest();
  const { ask } = studio;
  const [first, second] = [
    await ask('/templates', { method: 'POST', json: { document: SHAPES } }),
    await ask('/templates', { method: 'POST', json: { document: SHAPES } }),
  ].map(({ json }) => String(json.id));
  const move = (id: unknown, json: object, as: 'editor' | 'viewer' | 'stranger' = 'editor') =>
    ask(`/templates/${id}/folder`, { method: 'PUT', json, as });
  const before = (await ask('/templates')).json.total as number;
  expect(await move(first, { folder: ' Spring ' })).toMatchObject({
    status: 200,
    json: { id: first, folder: 'Spring', version: 1 },
  });
  expect((await move(second, { folder: 'autumn' })).status).toBe(200);
  const { json } = await ask('/templates?folder=Spring');
  expect(json).toMatchObject({
    items: [{ id: first, folder: 'Spring' }],
    total: before,
    folders: [
      { name: 'autumn', count: 1 },
      { name: 'Spring', count: 1 },
    ],
  });
  expect((await move(first, { folder: null })).json.folder).toBeNull();
  expect((await ask('/templates')).json.folders).toEqual([{ name: 'autumn', count: 1 }]);
  // A deleted template leaves its folder, and comes back into it.
  await ask(`/templates/${second}`, { method: 'DELETE' });
  expect((await ask('/templates')).json).toMatchObject({ folders: [], total: before - 1 });
  await ask(`/templates/${second}/undelete`, { method: 'POST' });
  expect((await ask('/templates?folder=autumn')).json.items).toHaveLength(1);

  expect((await move(first, { folder: '' })).json.error).toMatch(/^folder: /);
  expect((await move(first, { folder: 'x'.repeat(101) })).status).toBe(400);
  expect((await move(first, { folder: 'x' }, 'viewer')).status).toBe(403);
  expect((await move(first, { folder: 'x' }, 'stranger')).status).toBe(404);
  expect((await move('tpl_x', { folder: 'x' })).status).toBe(404);
});
