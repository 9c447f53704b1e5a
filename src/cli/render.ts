// `platen render`: renders a template file to an image or PDF, without a server or database.

import { Command } from 'commander';
import type { ExportOptions } from '#output/formats.ts';
import type { Parameter } from '#service/rendering/signed-url.ts';
import { pdfOption, setOption } from './assignment.ts';
import { exportOptions } from './export-options.ts';
import { JSON_OPTION, print } from './output.ts';

interface Options extends Omit<ExportOptions, 'pdf'> {
  readonly out: string;
  readonly set: readonly Parameter[];
  readonly pdf: readonly Parameter[];
  readonly json?: boolean;
}

export function renderCommand(): Command {
  const command = new Command('render')
    .description('Render a template file. Relative image sources are files beside it, or in a folder above.')
    .argument('<file>', 'a template, or {"template", "modifications"}, as JSON')
    .requiredOption('-o, --out <file>', 'where to write; .png, .jpg, .jpeg, .webp or .pdf says what')
    .addOption(setOption('a layer, or layer.property'));
  for (const option of exportOptions()) command.addOption(option);
  command.addOption(pdfOption());
  return command.option(...JSON_OPTION).action(async (file: string, options: Options) => {
    const [{ renderFile }, { readPdfProperties }] = await Promise.all([
      import('./render-file.ts'),
      import('./pdf-properties.ts'),
    ]);
    const pdf = readPdfProperties(options.pdf);
    const { output, size, warnings } = await renderFile(file, { ...options, pdf });
    for (const warning of warnings) process.stderr.write(`platen: ${warning}\n`);
    print(
      options.json,
      { file: options.out, output, bytes: size, warnings },
      `${options.out}: ${output}, ${size} bytes.`,
    );
  });
}
