// Shows people, times and templates in the studio's answers.

import type { People } from '#server/service/people/people.ts';
import type { ListedTemplate, TemplateVersion } from '#server/service/templates/templates.ts';
import type { StudioContext } from './studio-context.ts';

/** Names by id; unknown ids are left out. */
export const namesFor = (people: People, ids: readonly (string | null)[]) => people.names(ids);

/** The person who did something; null for an API key, the command line, or a person who was removed. */
export function byOf(id: string | null, names: ReadonlyMap<string, string>): { id: string; name: string } | null {
  const name = id === null ? undefined : names.get(id);
  return id === null || name === undefined ? null : { id, name };
}

/** Shows templates as cards with pictures, and their versions. */
export function templatePresenters({ templates, people, storage, basePath }: StudioContext) {
  const thumbnailOf = (accountId: string, id: string, query: string) =>
    `${basePath}/v1/studio/accounts/${accountId}/templates/${id}/thumbnail?${query}`;

  async function showCards(accountId: string, found: readonly ListedTemplate[]) {
    const names = await namesFor(
      people,
      found.map(({ authorId }) => authorId),
    );
    const revisions = await storage.drafts.revisions(found.map(({ id }) => id));
    return found.map(({ id, name, width, height, engine, version, folder, createdAt, updatedAt, authorId }) => {
      const revision = revisions.get(id) ?? null;
      return {
        ...{ id, name, width, height, engine, version, folder, hasDraft: revisions.has(id), createdAt, updatedAt },
        updatedBy: byOf(authorId, names),
        thumbnail: thumbnailOf(accountId, id, `version=${version}`),
        draftThumbnail: revision === null ? null : thumbnailOf(accountId, id, `draft=${revision}`),
      };
    });
  }

  return {
    showCards,
    showCard: async (accountId: string, id: string) => {
      const [card] = await showCards(accountId, [await templates.card(accountId, id)]);
      if (!card) throw new Error(`Template ${id} was found and is not shown.`);
      return card;
    },
    showVersion: (
      accountId: string,
      id: string,
      { version, createdAt, authorId, note }: TemplateVersion,
      names: ReadonlyMap<string, string>,
    ) => ({
      ...{ version, id: `${id}@${version}`, createdAt, author: byOf(authorId, names), note },
      thumbnail: thumbnailOf(accountId, id, `version=${version}`),
    }),
  };
}
