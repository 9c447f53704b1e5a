// `platen template`: stores template files in an account.

import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import { parseAnyTemplate } from '#core/template/any-template.ts';
import { isDesign } from '#design/is-design.ts';
import { byCommandLine } from '#server/service/people/permit.ts';
import { withServices } from './data-folder.ts';
import { accountOption, JSON_OPTION, print } from './output.ts';
import { readTemplateFile } from './template-file.ts';
import { uploadSources } from './upload-sources.ts';

export function templateCommand(): Command {
  return new Command('template').description('Put template files into an account.').addCommand(
    new Command('push')
      .description(
        'Store a template file, with the pictures beside it that it names; with --id as a new version of that template.',
      )
      .argument('<file>', 'a template as JSON')
      .option(...accountOption('whose template it becomes'))
      .option('--id <template>', 'the template that it replaces')
      .option(...JSON_OPTION)
      .action(async (file: string, options: { account?: string; id?: string; json?: boolean }) => {
        const { template } = await readTemplateFile(file);
        // Checked before anything is uploaded; what a design refers to is in the account.
        if (!isDesign(JSON.stringify(template))) parseAnyTemplate(template);
        const { id, version, uploaded } = await withServices(async ({ accounts, templates, images }) => {
          const account = await accounts.findOrOnly(options.account);
          if (options.id !== undefined) await templates.read(account.id, options.id);
          const upload = async (bytes: Uint8Array) => (await images.upload(account.id, bytes)).id;
          const files = await uploadSources(template, dirname(resolve(file)), upload);
          const stored = await (options.id === undefined
            ? templates.create(account.id, files.document, undefined, undefined, byCommandLine)
            : templates.replace(account.id, options.id, files.document, byCommandLine));
          return { ...stored, uploaded: files.uploaded };
        });
        const words = uploaded.map(({ source, image }) => `Uploaded ${source} as ${image}.\n`).join('');
        print(
          options.json,
          { id, version, ...(uploaded.length > 0 ? { uploaded } : {}) },
          `${words}Template ${id}, version ${version}.`,
        );
      }),
  );
}
