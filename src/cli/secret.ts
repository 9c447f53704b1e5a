// `platen secret`: manages the secrets that sign an account's render URLs and webhooks.

import { Argument, Command } from 'commander';
import { byCommandLine } from '#server/service/people/permit.ts';
import { SECRET_PURPOSES, type SecretPurpose } from '#server/storage/secrets.ts';
import { withServices } from './data-folder.ts';
import { accountOption, JSON_OPTION, print } from './output.ts';

interface Options {
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
        .action(async (options: Options) => {
          const { signing, webhook } = await withServices(async ({ accounts }) =>
            accounts.showSecrets((await accounts.findOrOnly(options.account)).id, SECRET_PURPOSES, byCommandLine),
          );
          print(options.json, { signing, webhook }, `signing  ${signing}\nwebhook  ${webhook}`);
        }),
    )
    .addCommand(
      new Command('rotate')
        .description('Make a new secret; the one before is accepted until it is retired.')
        .addArgument(purpose())
        .option(...accountOption('whose secret'))
        .option(...JSON_OPTION)
        .action(async (which: SecretPurpose, options: Options) => {
          const secret = await withServices(async ({ accounts }) =>
            accounts.rotateSecret((await accounts.findOrOnly(options.account)).id, which, byCommandLine),
          );
          print(options.json, { [which]: secret }, `${which}  ${secret}`);
        }),
    )
    .addCommand(
      new Command('retire')
        .description('Stop accepting all secrets but the newest; holds for the next request.')
        .addArgument(purpose())
        .option(...accountOption('whose secrets'))
        .option(...JSON_OPTION)
        .action(async (which: SecretPurpose, options: Options) => {
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
