// The owner that is configured for a server that nobody opens the set-up link of.

import { readFile } from 'node:fs/promises';
import type { Accounts } from '../accounts/accounts.ts';
import type { Members } from './members.ts';
import type { People } from './people.ts';

interface Services {
  readonly people: People;
  readonly members: Members;
  readonly accounts: Accounts;
}

interface Owner {
  readonly email: string;
  readonly passwordFile: string;
}

/** Creates the owner of the first account, unless there are people already. @throws AppError `invalid_request` */
export async function claimUnattended(
  { people, members, accounts }: Services,
  { email, passwordFile }: Owner,
): Promise<void> {
  if (await people.isClaimed()) return;
  const [account] = await accounts.list();
  if (!account) return;
  const password = (await readFile(passwordFile, 'utf8')).replace(/\r?\n$/, '');
  const person = await people.create({ email, name: email.split('@')[0] ?? 'Owner', password });
  await members.add(account.id, person.id, 'owner');
}
