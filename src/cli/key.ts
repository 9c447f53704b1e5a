// `platen key`: creates and revokes API keys. `platen secret`: the secrets that sign render URLs and webhooks.

import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { KEY_KINDS, type KeyKind } from '#base/ids.ts';
import { RIGHTS, type Right, UNSCOPED } from '#server/service/accounts/key-scope.ts';
import { readScope } from '#server/service/accounts/keys.ts';
import { byCommandLine } from '#server/service/people/permit.ts';
import { SECRET_PURPOSES, type SecretPurpose } from '#server/storage/secrets.ts';
import { withServices } from './data-folder.ts';
import { accountOption, JSON_OPTION, print } from './output.ts';

/** `render, read of tpl_…`. @param scope as it is stored */
function namesOf(scope: string): string {
  const { rights = [], templates } = readScope(scope) ?? {};
  return `${rights.join(', ')}${templates ? ` of ${templates.join(', ')}` : ''}`;
}

/** `90d` from now, or a day (in UTC) or moment as ECMAScript reads them. @throws InvalidArgumentError */
function moment(text: string): Date {
  const [, days] = /^(\d{1,4})d$/.exec(text) ?? [];
  const at = days === undefined ? new Date(text) : new Date(Date.now() + Number(days) * 86_400_000);
  if (/^\d/.test(text) && !Number.isNaN(at.getTime())) return at;
  throw new InvalidArgumentError('It is neither a number of days such as 90d nor a day such as 2027-01-31.');
}

interface CreateOptions {
  readonly account?: string;
  readonly kind: KeyKind;
  readonly scope?: readonly Right[];
  readonly template?: readonly string[];
  readonly expires?: Date;
  readonly json?: boolean;
}

export function keyCommand(): Command {
  return new Command('key')
    .description('List, create and revoke API keys.')
    .addCommand(
      new Command('list')
        .description('List keys with their ids, when they were last used, and which are revoked.')
        .option(...accountOption('whose keys'))
        .option(...JSON_OPTION)
        .action(async (options: { account?: string; json?: boolean }) => {
          const found = await withServices(async ({ accounts, keys }) =>
            keys.list((await accounts.findOrOnly(options.account)).id),
          );
          const words = found.map(
            ({ id, kind, lastCharacters, lastUsedAt, revokedAt, scope, expiresAt }) =>
              `${id}  ${kind}  …${lastCharacters}  ${revokedAt ? 'revoked' : lastUsedAt ? `used ${lastUsedAt.toISOString()}` : 'never used'}${expiresAt ? `  expires ${expiresAt.toISOString()}` : ''}${scope ? `  ${namesOf(scope)}` : ''}`,
          );
          const keys = found.map((key) => ({ ...key, scope: readScope(key.scope) }));
          print(options.json, { keys }, words.join('\n') || 'No keys.');
        }),
    )
    .addCommand(
      new Command('create')
        .description('Create a key and show it, only this once.')
        .option(...accountOption('whose key it is'))
        .addOption(new Option('--kind <kind>', 'live is metered, test is not').choices(KEY_KINDS).default('live'))
        .option(...JSON_OPTION)
        .addOption(new Option('--scope <rights...>', 'limit it to these rights').choices(RIGHTS))
        .option('--template <ids...>', 'limit it to these templates')
        .option('--expires <when>', 'refuse it from then on: 90d, or a day or moment such as 2027-01-31', moment)
        .action(async (options: CreateOptions) => {
          const { scope: rights, template: templates = null } = options;
          const scope = rights || templates ? { rights: rights ?? UNSCOPED, templates } : null;
          const label = { name: null, createdBy: null, expiresAt: options.expires ?? null };
          const { id, key } = await withServices(async ({ accounts, keys }) =>
            keys.create((await accounts.findOrOnly(options.account)).id, options.kind, label, scope, byCommandLine),
          );
          print(options.json, { id, key }, `Key ${id}. It is shown this once:\n\n  ${key}`);
        }),
    )
    .addCommand(
      new Command('revoke')
        .description('Revoke a key, from its next request on.')
        .argument('<key-id>', 'key_…, not the key itself')
        .option(...JSON_OPTION)
        .action(async (id: string, options: { json?: boolean }) => {
          await withServices(({ keys }) => keys.revoke(id, byCommandLine));
          print(options.json, { id, revoked: true }, `Key ${id} is revoked.`);
        }),
    );
}

interface SecretOptions {
  readonly account?: string;
  readonly json?: boolean;
}

export function secretCommand(): Command {
  return new Command('secret')
    .description('The secrets that sign render URLs and webhooks.')
    .addCommand(
      new Command('show')
        .description("Show an account's secrets.")
        .option(...accountOption('whose secrets'))
        .option(...JSON_OPTION)
        .action(async (options: SecretOptions) => {
          const { signing, webhook } = await withServices(async ({ accounts }) =>
            accounts.showSecrets((await accounts.findOrOnly(options.account)).id, SECRET_PURPOSES, byCommandLine),
          );
          print(options.json, { signing, webhook }, `signing  ${signing}\nwebhook  ${webhook}`);
        }),
    )
    .addCommand(
      new Command('rotate')
        .description('Create a new secret; the previous one is accepted until it is retired.')
        .addArgument(purpose())
        .option(...accountOption('whose secret'))
        .option(...JSON_OPTION)
        .action(async (which: SecretPurpose, options: SecretOptions) => {
          const secret = await withServices(async ({ accounts }) =>
            accounts.rotateSecret((await accounts.findOrOnly(options.account)).id, which, byCommandLine),
          );
          print(options.json, { [which]: secret }, `${which}  ${secret}`);
        }),
    )
    .addCommand(
      new Command('retire')
        .description('Stop accepting all secrets but the newest, from the next request on.')
        .addArgument(purpose())
        .option(...accountOption('whose secrets'))
        .option(...JSON_OPTION)
        .action(async (which: SecretPurpose, options: SecretOptions) => {
          const retired = await withServices(async ({ accounts }) =>
            accounts.retireSecrets((await accounts.findOrOnly(options.account)).id, which, byCommandLine),
          );
          print(options.json, { retired }, `Retired: ${retired}.`);
        }),
    );
}

function purpose(): Argument {
  return new Argument('[purpose]', 'whose signatures').choices(['signing', 'webhook']).default('signing');
}
