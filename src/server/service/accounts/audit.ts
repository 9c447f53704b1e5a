// The audit log: records who did what, in the transaction that does it, so that no act is without its entry and no entry
// without its act.

import { currentTrace } from '#base/trace.ts';
import type { Act, Actor, AuditEntry, AuditFilter } from '#server/storage/audit.ts';
import type { ListPage, PageRequest } from '#server/storage/page.ts';
import type { Storage, Stores } from '#server/storage/storage.ts';

export { ACTIONS, ACTOR_KINDS, type Act, type Action, type Actor, type AuditEntry } from '#server/storage/audit.ts';

/** Records an act. Call it in the transaction of the act, with what its permit returned. */
export async function record({ audit }: Pick<Stores, 'audit'>, actor: Actor, act: Act, now: Date): Promise<void> {
  const requestId = currentTrace()?.requestId ?? null;
  await audit.insert({ detail: null, ...act, at: now, actor, requestId });
}

export class AuditLog {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /**
   * Newest first. @param accountId null = of all accounts, and what people did with their own sign-in
   *
   * @throws AppError `invalid_request` for a cursor that no list gave
   */
  async page(accountId: string | null, filter: AuditFilter, page: PageRequest): Promise<ListPage<AuditEntry>> {
    return this.#storage.audit.page(accountId, filter, page);
  }
}
