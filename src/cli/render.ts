// `platen render`: renders a template file to an image or PDF, without a server or database.

import { Command } from 'commander';
import type { NamedValue } from '#server/service/rendering/signed-url.ts';
import { pdfOption, setOption } from './assignment.ts';
import type { DesignOptions } from './design-file.ts';
import { type EncoderOptions, exportOptions } from './export-options.ts';
import { JSON_OPTION, print } from './output.ts';

interface Options extends EncoderOptions, DesignOptions {
  readonly out: string;
  readonly set: readonly NamedValue[];
  readonly pdf: readonly NamedValue[];
  readonly json?: boolean;
}

export function renderCommand(): Command {
  const command = new Command('render')
    .description('Render a template file. Relative image sources are files beside it, or in a folder above.')
    .argument('<file>', 'a template, or {"template", "modifications"}, as JSON')
    .requiredOption('-o, --out <file>', 'where to write; the extension chooses the format')
    .addOption(setOption('a layer, or layer.property'))
    .option('--size <names>', 'a size of the template, several between commas, or all; several give a file each')
    .option('--lang <tags>', 'a language of its texts, several, or all')
    .option('--brand <file>', 'a brand as JSON, in place of its own');
  for (const option of exportOptions()) command.addOption(option);
  command.addOption(pdfOption());
  return command.option(...JSON_OPTION).action(async (file: string, options: Options) => {
    const [{ renderFiles }, { readPdfProperties }] = await Promise.all([
      import('./render-file.ts'),
      import('./pdf-properties.ts'),
    ]);
    const pdf = readPdfProperties(options.pdf);
    const rendered = await renderFiles(file, { ...options, pdf });
    const files = rendered.map(({ file: name, output, size, warnings }) => ({
      file: name,
      output,
      bytes: size,
      warnings,
    }));
    for (const warning of files.flatMap(({ warnings }) => warnings)) process.stderr.write(`platen: ${warning}\n`);
    const words = files.map(({ file: out, output, bytes }) => `${out}: ${output}, ${bytes} bytes.`);
    print(options.json, files.length === 1 ? files[0] : { files }, words.join('\n'));
  });
}
