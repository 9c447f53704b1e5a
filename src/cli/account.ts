// `platen account`: creates accounts and changes their plan.

import { Command } from 'commander';
import { byCommandLine } from '#service/people/permit.ts';
import { withServices } from './data-folder.ts';
import { JSON_OPTION, print } from './output.ts';

export function accountCommand(): Command {
  return new Command('account')
    .description('List and make accounts, and change their plan.')
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
    );
}
