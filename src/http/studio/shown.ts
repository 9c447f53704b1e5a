// How people and moments are shown in the studio's answers.

import type { People } from '#service/people/people.ts';

/** Names by id, of those that are people. */
export const namesFor = (people: People, ids: readonly (string | null)[]) => people.names(ids);

/** Who did something; null for an API key, the command line, or somebody who is gone. */
export function byOf(id: string | null, names: ReadonlyMap<string, string>): { id: string; name: string } | null {
  const name = id === null ? undefined : names.get(id);
  return id === null || name === undefined ? null : { id, name };
}

export const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null;
