// `platen key`: make and revoke API keys.

import { Command, Option } from 'commander';
import { KEY_KINDS, type KeyKind } from '../ids.ts';
import { withServices } from './data-folder.ts';
import { JSON_OPTION, print } from './output.ts';

export function keyCommand(): Command {
  return new Command('key')
    .description('Make and revoke API keys.')
    .addCommand(
      new Command('create')
        .description('Make a key and show it, this once.')
        .requiredOption('--account <id>', 'whose key it is')
        .addOption(new Option('--kind <kind>', 'live is metered, test is not').choices(KEY_KINDS).default('live'))
        .option(...JSON_OPTION)
        .action(async (options: { account: string; kind: KeyKind; json?: boolean }) => {
          const { id, key } = await withServices(({ keys }) => keys.create(options.account, options.kind));
          print(options.json, { id, key }, `Key ${id}. It is shown this once:\n\n  ${key}`);
        }),
    )
    .addCommand(
      new Command('revoke')
        .description('Revoke a key; holds for the next request.')
        .argument('<key-id>', 'key_…, not the key itself')
        .option(...JSON_OPTION)
        .action(async (id: string, options: { json?: boolean }) => {
          await withServices(({ keys }) => keys.revoke(id));
          print(options.json, { id, revoked: true }, `Key ${id} is revoked.`);
        }),
    );
}
