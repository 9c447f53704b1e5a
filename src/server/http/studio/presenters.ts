// Formats people and times for the studio's answers.

import type { People } from '#server/service/people/people.ts';

/** Names by id; unknown ids are left out. */
export const namesFor = (people: People, ids: readonly (string | null)[]) => people.names(ids);

/** The person who did something; null for an API key, the command line, or a person who was removed. */
export function byOf(id: string | null, names: ReadonlyMap<string, string>): { id: string; name: string } | null {
  const name = id === null ? undefined : names.get(id);
  return id === null || name === undefined ? null : { id, name };
}

export const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null;
