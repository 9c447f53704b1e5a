// `platen types`: writes TypeScript types of a template's modifications.

import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { withServices } from './data-folder.ts';
import { designFile } from './design-file.ts';
import type { NamedTemplate } from './layer-interfaces.ts';
import { readTemplateFile } from './template-file.ts';

export function typedLayersCommand(): Command {
  return new Command('types')
    .description('Write TypeScript types of the layers of templates, for @platen/client.')
    .argument('<template...>', 'template files, or ids of stored ones')
    .option('-o, --output <file>', 'where to write; default: standard output')
    .action(async (references: readonly string[], { output }: { output?: string }) => {
      const { layerInterfaces } = await import('./layer-interfaces.ts');
      const text = layerInterfaces(await Promise.all(references.map(templateOf)));
      if (output === undefined) process.stdout.write(text);
      else await writeFile(output, text);
    });
}

async function templateOf(reference: string): Promise<NamedTemplate> {
  const { parseAnyTemplate } = await import('#core/template/any-template.ts');
  if (/^tpl_\w+(@\d+)?$/.test(reference)) {
    const { document } = await withServices(({ templates }) => templates.find(null, reference));
    return { id: reference, template: parseAnyTemplate(JSON.parse(document)) };
  }
  return { id: null, template: designFile(await readTemplateFile(reference)).template };
}
