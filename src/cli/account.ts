// `platen account`: creates accounts, and changes their plan and the origins that may show their editor.

import { Command } from 'commander';
import { byCommandLine } from '#service/people/permit.ts';
import { withServices } from './data-folder.ts';
import { accountOption, JSON_OPTION, print } from './output.ts';

interface OriginsOptions {
  readonly account?: string;
  readonly allow?: readonly string[];
  readonly remove?: readonly string[];
  readonly json?: boolean;
}

export function accountCommand(): Command {
  return new Command('account')
    .description('List and make accounts, and change their plan and the origins that may show their editor.')
    .addCommand(
      new Command('list')
        .description('List the accounts with their ids.')
        .option(...JSON_OPTION)
        .action(async (options: { json?: boolean }) => {
          const found = await withServices(({ accounts }) => accounts.list());
          const shown = found.map(({ id, plan, email, displayName, createdAt }) => ({
            id,
            plan,
            email,
            displayName,
            createdAt,
          }));
          const words = found.map(
            ({ id, plan, email, displayName }) => `${id}  ${plan}  ${email ?? displayName ?? ''}`,
          );
          print(
            options.json,
            { accounts: shown },
            words.join('\n') || 'No accounts yet; "platen account create" makes one.',
          );
        }),
    )
    .addCommand(
      new Command('create')
        .description('Make an account.')
        .requiredOption('--email <address>', 'where its owner is reached')
        .requiredOption('--plan <name>', 'one of the configured plans')
        .option('--name <text>', 'what it is called in lists')
        .option(...JSON_OPTION)
        .action(async (options: { email: string; plan: string; name?: string; json?: boolean }) => {
          const { id, plan, email, displayName } = await withServices(({ accounts }) =>
            accounts.create(
              { email: options.email, plan: options.plan, displayName: options.name ?? null },
              byCommandLine,
            ),
          );
          print(options.json, { id, plan, email, displayName }, `Account ${id} (${email}) is on the plan ${plan}.`);
        }),
    )
    .addCommand(
      new Command('set-plan')
        .description('Put an account on another plan; holds for the next request.')
        .argument('<account>', 'its id, acc_…')
        .argument('<plan>', 'one of the configured plans')
        .option(...JSON_OPTION)
        .action(async (account: string, plan: string, options: { json?: boolean }) => {
          await withServices(({ accounts }) => accounts.setPlan(account, plan, byCommandLine));
          print(options.json, { id: account, plan }, `Account ${account} is on the plan ${plan}.`);
        }),
    )
    .addCommand(
      new Command('origins')
        .description('List and change the origins whose pages may show the editor of an account.')
        .option(...accountOption('whose editor'))
        .option('--allow <origins...>', 'such as https://app.example.com; holds for the next request')
        .option('--remove <origins...>', 'those that may no longer')
        .option(...JSON_OPTION)
        .action(async ({ account, allow = [], remove = [], json }: OriginsOptions) => {
          const origins = await withServices(async ({ accounts, editorTokens }) => {
            const { id } = await accounts.findOrOnly(account);
            const before = await editorTokens.origins(id);
            if (allow.length + remove.length === 0) return before;
            const after = [...before, ...allow].filter((origin) => !remove.includes(origin));
            return editorTokens.setOrigins(id, after, byCommandLine);
          });
          print(
            json,
            { origins },
            origins.join('\n') || 'No page may show the editor; "--allow" names those that may.',
          );
        }),
    );
}
