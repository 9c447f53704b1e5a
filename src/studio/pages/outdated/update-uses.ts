// Updates templates to the newest version of a brand or a component, as many in one request as the server takes.

import { post } from '../../shell/api.ts';
import type { UpdatedUses } from '../../shell/contract.ts';

/** The most ids that the server takes at once. */
const AT_ONCE = 100;

export interface UpdateOutcome {
  /** Templates that were updated. */
  readonly updated: number;
  /** Why others were not, by their id. */
  readonly problems: ReadonlyMap<string, string>;
}

/**
 * @param path of the brand or the component
 * @param templates `tpl_…@4`; all = every one that uses an older version
 * @param version that they are to use
 */
export async function updateUses(
  path: string,
  templates: readonly string[] | 'all',
  version: number,
): Promise<UpdateOutcome> {
  const outcome = { updated: 0, problems: new Map<string, string>() };
  const send = async (body: object): Promise<string | null> => {
    const { results, ok, next } = await post<UpdatedUses>(`${path}/update-uses`, { ...body, version });
    outcome.updated += ok;
    for (const result of results) if ('error' in result) outcome.problems.set(result.id, result.error);
    return next;
  };
  if (templates === 'all') {
    let after: string | null = null;
    do after = await send({ templates, after });
    while (after !== null);
  } else {
    for (let at = 0; at < templates.length; at += AT_ONCE) {
      await send({ templates: templates.slice(at, at + AT_ONCE) });
    }
  }
  return outcome;
}
