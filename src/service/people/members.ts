// Manages the people of an account and their roles. An account never loses its last owner.

import { AppError } from '#errors';
import type { Member, Role } from '#storage/people.ts';
import type { Storage, Stores } from '#storage/storage.ts';

export { ROLES } from '#storage/people.ts';
export type { Member, Role };

const LIST_LIMIT = 1_000;
const RANK: Readonly<Record<Role, number>> = { viewer: 0, editor: 1, owner: 2 };

/** Whether `role` includes the rights of `needed`. */
export const mayAct = (role: Role, needed: Role) => RANK[role] >= RANK[needed];

export class Members {
  readonly #storage: Storage;
  readonly #clock: () => Date;

  constructor(storage: Storage, clock: () => Date) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** Oldest first, at most 1,000. */
  async list(accountId: string): Promise<Member[]> {
    return this.#storage.people.members(accountId, LIST_LIMIT);
  }

  /** Adds a person without an invitation: for the command line, and for setting up a server without people. */
  async add(accountId: string, personId: string, role: Role): Promise<void> {
    await this.#storage.people.join(accountId, personId, role, this.#clock());
  }

  /** Takes effect with the next request. @throws AppError `not_found`; `conflict` for the last owner */
  async setRole(accountId: string, personId: string, role: Role): Promise<void> {
    await this.#storage.transaction(async (stores) => {
      await requireAnotherOwner(stores, accountId, personId, role);
      await stores.people.join(accountId, personId, role, this.#clock());
    });
  }

  /** Takes effect with the next request. @throws AppError `not_found`; `conflict` for the last owner */
  async remove(accountId: string, personId: string): Promise<void> {
    await this.#storage.transaction(async (stores) => {
      await requireAnotherOwner(stores, accountId, personId, null);
      await stores.people.leave(accountId, personId);
    });
  }
}

async function requireAnotherOwner(
  { people }: Stores,
  accountId: string,
  personId: string,
  role: Role | null,
): Promise<void> {
  // Without the lock, two owners who demote each other at once would each count the other.
  await people.lockOwners(accountId);
  const before = await people.membership(accountId, personId);
  if (!before) throw new AppError('not_found', 'person not found');
  if (before.role !== 'owner' || role === 'owner' || (await people.countOwners(accountId)) > 1) return;
  throw new AppError('conflict', 'The account would have no owner: make somebody else owner first.');
}
