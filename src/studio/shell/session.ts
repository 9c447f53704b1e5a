// The current session: the person and their accounts.

import { computed, signal } from '@preact/signals';
import { apiPath, get, onSignedOut, post, remove } from './api.ts';
import { STUDIO } from './base.ts';
import type { MemberRole, Session } from './contract.ts';

/** null: not loaded yet. */
export const session = signal<Session | null>(null);
export const person = computed(() => session.value?.person ?? null);

onSignedOut.handle = () => {
  if (session.value) session.value = { ...session.value, person: null, accounts: [] };
};

export async function loadSession(): Promise<void> {
  session.value = await get<Session>(apiPath('session'));
}

export async function signIn(email: string, password: string): Promise<Session> {
  const signedIn = await post<Session>(apiPath('session'), { email, password });
  session.value = signedIn;
  return signedIn;
}

export async function signOut(): Promise<void> {
  await remove(apiPath('session'));
  location.assign(`${STUDIO}/sign-in`);
}

const RANK: Readonly<Record<MemberRole, number>> = { viewer: 0, editor: 1, owner: 2 };

/** Whether the person's role in an account includes this role. */
export function mayDo(accountId: string, role: MemberRole): boolean {
  const account = session.value?.accounts.find(({ id }) => id === accountId);
  return account !== undefined && RANK[account.role] >= RANK[role];
}
