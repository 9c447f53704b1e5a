// `platen secret`: the secrets that sign an account's render URLs and webhooks.

import { Command } from 'commander';
import { withServices } from './data-folder.ts';
import { JSON_OPTION, print } from './output.ts';

export function secretCommand(): Command {
  return new Command('secret').description('The secrets that sign render URLs and webhooks.').addCommand(
    new Command('show')
      .description("Show an account's secrets.")
      .requiredOption('--account <id>', 'whose secrets')
      .option(...JSON_OPTION)
      .action(async (options: { account: string; json?: boolean }) => {
        const { signing, webhook } = await withServices(({ accounts }) => accounts.secrets(options.account));
        print(options.json, { signing, webhook }, `signing  ${signing}\nwebhook  ${webhook}`);
      }),
  );
}
