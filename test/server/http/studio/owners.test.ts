// Tests that an account never loses its last owner, even if two owners act at once.

import { expect, test } from 'vitest';
import { studioUnderTest } from './studio-under-test.ts';

test('of two owners who demote or remove each other at once, one stays owner', { timeout: 60_000 }, async () => {
  await using studio = await studioUnderTest();
  const { server, idOf } = studio;
  const { members, storage } = server.services;
  const [ada, bob] = [idOf('owner'), idOf('editor')];
  for (let round = 0; round < 20; round += 1) {
    for (const id of [ada, bob]) await members.add(server.account, id, 'owner');
    const demote = (as: 'owner' | 'editor', id: string) =>
      round % 2 === 0
        ? studio.ask(`/people/${id}`, { as, method: 'PUT', json: { role: 'viewer' } })
        : studio.ask(`/people/${id}`, { as, method: 'DELETE' });
    const answers = await Promise.all([demote('owner', bob), demote('editor', ada)]);
    // The second request would remove the last owner, or its sender is no longer an owner.
    expect(
      answers.filter(({ status }) => status < 300),
      answers.map(({ text }) => text).join(),
    ).toHaveLength(1);
    expect(await storage.people.countOwners(server.account)).toBe(1);
  }
});
