// `platen account`: creates accounts, changes their plan and the origins that may show their editor, suspends, exports and
// deletes them.

import { Command } from 'commander';
import { byCommandLine } from '#server/service/people/permit.ts';
import { withServices } from './data-folder.ts';
import { accountOption, EXPORT_OPTION, JSON_OPTION, print, requireYes, writeExport, YES_OPTION } from './output.ts';

interface OriginsOptions {
  readonly account?: string;
  readonly allow?: readonly string[];
  readonly remove?: readonly string[];
  readonly json?: boolean;
}

export function accountCommand(): Command {
  return new Command('account')
    .description('List, create, suspend, export and delete accounts, and change their plan and origins.')
    .addCommand(
      new Command('list')
        .description('List the accounts with their ids.')
        .option(...JSON_OPTION)
        .action(async (options: { json?: boolean }) => {
          const found = await withServices(({ accounts }) => accounts.list());
          const shown = found.map(({ id, plan, email, displayName, createdAt, suspendedBy }) => ({
            ...{ id, plan, email, displayName, createdAt, suspendedBy },
          }));
          const words = found.map(
            ({ id, plan, email, displayName, suspendedBy }) =>
              `${id}  ${plan}  ${email ?? displayName ?? ''}${suspendedBy ? `  suspended by its ${suspendedBy}` : ''}`,
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
        .description('Create an account.')
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
        .description('Move an account to another plan, from its next request on.')
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
        .option('--allow <origins...>', 'such as https://app.example.com; from the next request on')
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
    )
    .addCommand(suspension('suspend', 'Refuse all requests of an account; jobs and webhooks wait. Nothing is deleted.'))
    .addCommand(suspension('resume', 'End the suspension of an account.'))
    .addCommand(
      new Command('export')
        .description('Export everything that an account stores to a zip: JSON and files, without secrets.')
        .argument('<account>', 'its id, acc_…')
        .requiredOption(...EXPORT_OPTION)
        .option(...JSON_OPTION)
        .action(async (id: string, { output, json }: { output: string; json?: boolean }) => {
          await withServices(async (services, config) => {
            await services.accounts.recordExport(id, byCommandLine);
            const { exportAccount } = await import('#server/service/accounts/export.ts');
            const { openBlobs } = await import('#server/storage/open-blobs.ts');
            await using assetBlobs = await openBlobs(config, 'assets');
            await writeExport(output, (await exportAccount({ ...services, assetBlobs }, id)).chunks);
          });
          print(json, { id, output }, `${output} holds what account ${id} stores.`);
        }),
    )
    .addCommand(
      new Command('delete')
        .description('Delete an account and everything it stores. This cannot be undone.')
        .argument('<account>', 'its id, acc_…')
        .option(...YES_OPTION)
        .option(...JSON_OPTION)
        .action(async (id: string, { yes, json }: { yes?: boolean; json?: boolean }) => {
          requireYes(yes, `account ${id}, its templates, images, fonts, renders, keys and log`);
          await withServices(({ accounts }) => accounts.delete(id, byCommandLine));
          const rest =
            'A server that runs erases its rows and files within minutes; otherwise the next one that starts.';
          print(json, { id, deleted: true }, `Account ${id} is deleted, and nobody has access. ${rest}`);
        }),
    );
}

function suspension(name: 'suspend' | 'resume', description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<account>', 'its id, acc_…')
    .option(...JSON_OPTION)
    .action(async (id: string, { json }: { json?: boolean }) => {
      await withServices(({ accounts }) => accounts[name](id, byCommandLine));
      const done = name === 'suspend' ? 'is suspended; "platen account resume" ends that' : 'goes on';
      print(json, { id, suspended: name === 'suspend' }, `Account ${id} ${done}.`);
    });
}
