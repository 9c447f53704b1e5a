// Tests how the studio asks the server for lists.

import { afterEach, expect, test, vi } from 'vitest';
import { getAll } from '../../src/studio/shell/api.ts';

afterEach(() => vi.unstubAllGlobals());

test('a list for a choice has the items of all its pages', async () => {
  const asked: string[] = [];
  const pages = [
    { items: ['a', 'b'], next: 'b' },
    { items: ['c'], next: null },
  ];
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    return Response.json(pages.shift());
  });
  expect(await getAll<string>('/brands')).toEqual(['a', 'b', 'c']);
  expect(asked).toEqual(['/brands?limit=200', '/brands?limit=200&after=b']);
});
