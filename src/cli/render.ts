// `platen render`: a template file to an image or a PDF, with no server and no database.

import { Command, Option } from 'commander';
import { COMPRESSIONS, type Compression } from '#output/formats.ts';
import type { Parameter } from '#service/signed-url.ts';
import { setOption } from './assignment.ts';
import { numberBetween, scaleOption } from './number-option.ts';
import { JSON_OPTION, print } from './output.ts';

interface Options {
  readonly out: string;
  readonly set: readonly Parameter[];
  readonly scale: number;
  readonly quality: number;
  readonly compression: Compression;
  readonly json?: boolean;
}

export function renderCommand(): Command {
  return new Command('render')
    .description('Render a template file. Relative image sources are files beside it, or in a folder above.')
    .argument('<file>', 'a template, or {"template", "modifications"}, as JSON')
    .requiredOption('-o, --out <file>', 'where to write; .png, .jpg, .jpeg, .webp or .pdf says what')
    .addOption(setOption('a layer, or layer.property'))
    .addOption(scaleOption())
    .option('--quality <q>', 'JPEG and WebP, 0 to 100', numberBetween(0, 100), 80)
    .addOption(
      new Option('--compression <how>', 'how long to look for a smaller file').choices(COMPRESSIONS).default('fast'),
    )
    .option(...JSON_OPTION)
    .action(async (file: string, options: Options) => {
      const { renderFile } = await import('./render-file.ts');
      const { output, size, warnings } = await renderFile(file, options);
      for (const warning of warnings) process.stderr.write(`platen: ${warning}\n`);
      print(
        options.json,
        { file: options.out, output, bytes: size, warnings },
        `${options.out}: ${output}, ${size} bytes.`,
      );
    });
}
