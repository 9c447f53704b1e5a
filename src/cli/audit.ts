// `platen audit`: prints who did what.

import { Command, Option } from 'commander';
import { ACTIONS, type Action, type AuditEntry } from '#server/service/accounts/audit.ts';
import { withServices } from './data-folder.ts';
import { JSON_OPTION, print } from './output.ts';

interface Options {
  readonly account?: string;
  readonly actor?: string;
  readonly action?: Action;
  readonly json?: boolean;
}

/** Entries that are printed at most; `GET /v1/audit` has pages. */
const MOST = 1_000;

export function auditCommand(): Command {
  return new Command('audit')
    .description(`List who did what: the newest ${MOST} actions, newest first.`)
    .option('--account <id>', 'actions in this account; on the whole server by default')
    .option('--actor <id>', 'actions of this person (per_…) or API key (key_…)')
    .addOption(new Option('--action <action>', 'actions of this kind, such as key.revoke').choices(ACTIONS))
    .option(...JSON_OPTION)
    .action(async ({ account, actor, action, json }: Options) => {
      const { items } = await withServices(async ({ accounts, audit }) => {
        if (account !== undefined) await accounts.find(account);
        const filter = { actorId: actor ?? null, action: action ?? null };
        return audit.page(account ?? null, filter, { limit: MOST, after: null });
      });
      print(json, { entries: items }, items.map(inWords).join('\n') || 'Nothing was recorded.');
    });
}

/** `2026-11-22T10:00:00.000Z  Ada  key.revoke  Deploy  live` */
function inWords({ at, actor, action, subject, detail }: AuditEntry): string {
  const who = actor.name ?? actor.id ?? actor.kind;
  return [at.toISOString(), who, action, subject.name ?? subject.id, detail].filter((part) => part !== null).join('  ');
}
