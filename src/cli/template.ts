// `platen template`: put template files into an account.

import { Command } from 'commander';
import { withServices } from './data-folder.ts';
import { JSON_OPTION, print } from './output.ts';
import { readTemplateFile } from './template-file.ts';

export function templateCommand(): Command {
  return new Command('template').description('Put template files into an account.').addCommand(
    new Command('push')
      .description('Store a template file; with --id as a new version of that template.')
      .argument('<file>', 'a template as JSON')
      .requiredOption('--account <id>', 'whose template it becomes')
      .option('--id <template>', 'the template that it replaces')
      .option(...JSON_OPTION)
      .action(async (file: string, options: { account: string; id?: string; json?: boolean }) => {
        const { template } = await readTemplateFile(file);
        const { id, version } = await withServices(async ({ accounts, templates }) => {
          await accounts.find(options.account);
          return options.id === undefined
            ? templates.create(options.account, template)
            : templates.replace(options.account, options.id, template);
        });
        print(options.json, { id, version }, `Template ${id}, version ${version}.`);
      }),
  );
}
