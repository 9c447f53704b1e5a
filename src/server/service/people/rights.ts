// Rights of the studio's people: checked before a request's body is read, and again in the transaction that does what
// it asks. Meanwhile, as a body may take half a minute, a session may end, and a role be taken away.

import { AppError } from '#base/errors.ts';
import type { Actor } from '#server/storage/audit.ts';
import type { MemberRole } from '#server/storage/people.ts';
import type { Session, SessionHolder } from '#server/storage/sessions.ts';
import type { Stores } from '#server/storage/storage.ts';
import { requireActive } from '../accounts/accounts.ts';
import { mayAct } from './members.ts';
import { CONFIRMATION_LASTS, sessionOver } from './sessions.ts';

/** What a request needs. */
export interface StudioRight {
  readonly session: Pick<SessionHolder, 'id' | 'personId' | 'name'>;
  /** The least role, in which account; null = a session is enough. */
  readonly role: { readonly accountId: string; readonly least: MemberRole } | null;
  /** Whether the person must have confirmed within the last ten minutes who they are. */
  readonly isConfirmed: boolean;
  /** Whether it can be done with an account that is suspended; absent = not. */
  readonly evenSuspended?: boolean;
}

/**
 * Returns who acts.
 *
 * @throws AppError `unauthorized` when the session is over, `not_found` for an account of others, `forbidden`,
 *   `password_needed`,
 *   `suspended`
 */
export async function requireStudioRight(
  { sessions, people, accounts }: Stores,
  right: StudioRight,
  now: Date,
): Promise<Actor> {
  const session = await sessions.hold(right.session.id, now);
  if (!session) throw sessionOver();
  if (right.role) {
    const { accountId, least } = right.role;
    requireRole(await people.holdRole(accountId, session.personId), least);
    // Read once the membership is held: a suspension waits for its holders.
    if (!right.evenSuspended) requireActive((await accounts.standing(accountId)) ?? null);
  }
  if (right.isConfirmed) requireConfirmed(session, now);
  return { kind: 'person', id: session.personId, name: right.session.name };
}

/** @param role null = no member. @throws AppError `not_found`, `forbidden` */
export function requireRole(role: MemberRole | null, least: MemberRole): void {
  if (role === null) throw new AppError('not_found', 'account not found');
  if (mayAct(role, least)) return;
  throw new AppError('forbidden', `This takes the role ${least}; yours is ${role}. Ask an owner.`);
}

/** @throws AppError `password_needed` */
export function requireConfirmed({ confirmedAt }: Pick<Session, 'confirmedAt'>, now: Date): void {
  if (confirmedAt.getTime() + CONFIRMATION_LASTS > now.getTime()) return;
  throw new AppError('password_needed', 'Show that it is you to go on: type your password, or use a passkey.');
}
