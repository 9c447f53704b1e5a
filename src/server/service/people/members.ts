// Manages the people of an account and their roles. An account never loses its last owner.

import { AppError } from '#base/errors.ts';
import type { Member, MemberRole } from '#server/storage/people.ts';
import type { Storage, Stores } from '#server/storage/storage.ts';
import { type Action, type Actor, record } from '../accounts/audit.ts';
import { type Permit, unrestricted } from './permit.ts';

export { ROLES } from '#server/storage/people.ts';
export type { Member, MemberRole };

const LIST_LIMIT = 1_000;
const RANK: Readonly<Record<MemberRole, number>> = { viewer: 0, editor: 1, owner: 2 };

/** Whether `role` includes the rights of `needed`. */
export const mayAct = (role: MemberRole, needed: MemberRole) => RANK[role] >= RANK[needed];

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
  async add(accountId: string, personId: string, role: MemberRole, permit: Permit = unrestricted): Promise<void> {
    const now = this.#clock();
    await this.#storage.transaction(async (stores) => {
      const actor = await permit(stores);
      await stores.people.join(accountId, personId, role, now);
      await recordMember(stores, actor, 'member.join', { accountId, personId, role }, now);
    });
  }

  /**
   * Takes effect at once, also for requests that have begun. The open invitations of a person who is no owner any more
   * are withdrawn.
   *
   * @param permit of whoever asks for it
   * @throws AppError `not_found`; `conflict` for the last owner; what `permit` throws
   */
  async setRole(accountId: string, personId: string, role: MemberRole, permit: Permit = unrestricted): Promise<void> {
    await this.#storage.transaction(async (stores) => {
      const actor = await requireAnotherOwner(stores, accountId, personId, role, permit);
      await stores.people.join(accountId, personId, role, this.#clock());
      await recordMember(stores, actor, 'member.change-role', { accountId, personId, role }, this.#clock());
      if (role !== 'owner') await stores.links.deleteInvitationsBy(accountId, personId);
    });
  }

  /**
   * Takes effect at once, also for requests that have begun. The person's open invitations are withdrawn, so that
   * nobody returns by their own.
   *
   * @param permit of whoever asks for it
   * @throws AppError `not_found`; `conflict` for the last owner; what `permit` throws
   */
  async remove(accountId: string, personId: string, permit: Permit = unrestricted): Promise<void> {
    await this.#storage.transaction(async (stores) => {
      const actor = await requireAnotherOwner(stores, accountId, personId, null, permit);
      // First the membership: a request that holds it may be making an invitation.
      await stores.people.leave(accountId, personId);
      await stores.links.deleteInvitationsBy(accountId, personId);
      await recordMember(stores, actor, 'member.remove', { accountId, personId, role: null }, this.#clock());
    });
  }
}

/**
 * Refuses an owner who would suspend, export or delete a person of whom other accounts have need, unless the account is
 * that of the server's operators.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function requireOwnPerson(
  { people, accounts }: Stores,
  accountId: string,
  personId: string,
): Promise<void> {
  const places = await people.memberships(personId);
  if (!places.some((place) => place.accountId === accountId)) throw new AppError('not_found', 'person not found');
  const [oldest] = places.length > 1 ? await accounts.list(1) : [];
  if (places.length === 1 || oldest?.id === accountId) return;
  const mend = 'remove them from yours, or ask whoever runs the server';
  throw new AppError('forbidden', `This person belongs to other accounts as well: ${mend}.`);
}

/** A person's place in an account. */
interface Place {
  readonly accountId: string;
  readonly personId: string;
  /** Null = none any more. */
  readonly role: MemberRole | null;
}

/** @param actor null = the person */
export async function recordMember(
  stores: Stores,
  actor: Actor | null,
  action: Extract<Action, `member.${string}`>,
  { accountId, personId, role }: Place,
  now: Date,
): Promise<void> {
  const name = (await stores.people.names([personId])).get(personId) ?? null;
  const by = actor ?? { kind: 'person', id: personId, name };
  await record(stores, by, { accountId, action, subject: { id: personId, name }, detail: role }, now);
}

/**
 * Accepts an invitation: somebody new gets its role, and a member gets it if it is higher than their own. It never
 * lowers a role.
 */
export async function joinOrRaise(
  stores: Stores,
  { accountId, personId, role }: { accountId: string; personId: string; role: MemberRole },
  now: Date,
): Promise<void> {
  const before = await stores.people.holdRole(accountId, personId);
  if (before !== null && mayAct(before, role)) return;
  await stores.people.join(accountId, personId, role, now);
  await recordMember(stores, null, 'member.join', { accountId, personId, role }, now);
}

async function requireAnotherOwner(
  stores: Stores,
  accountId: string,
  personId: string,
  role: MemberRole | null,
  permit: Permit,
): Promise<Actor> {
  const { people } = stores;
  // Without the lock, two owners who demote each other at once would each count the other.
  await people.lockOwners(accountId);
  const actor = await permit(stores);
  const before = await people.membership(accountId, personId);
  if (!before) throw new AppError('not_found', 'person not found');
  if (before.role !== 'owner' || role === 'owner' || (await people.countOwners(accountId)) > 1) return actor;
  throw new AppError('conflict', 'The account would have no owner: make somebody else owner first.');
}
