// `platen specimen`: renders one tall sheet of the catalogue's families, scripts and typographic features.

import { Command } from 'commander';
import { DEFAULT_EXPORT } from '#output/formats.ts';
import { scaleOption } from './export-options.ts';
import { JSON_OPTION, print } from './output.ts';

interface Options {
  readonly out: string;
  readonly scale: number;
  readonly json?: boolean;
}

export function specimenCommand(): Command {
  return new Command('specimen')
    .description('Render a specimen sheet of the fonts, scripts and features, as one tall page.')
    .requiredOption('-o, --out <file>', 'where to write; .png, .jpg, .jpeg, .webp or .pdf says what')
    .addOption(scaleOption())
    .option(...JSON_OPTION)
    .action(async ({ out, scale, json }: Options) => {
      const { renderSpecimen } = await import('./render-specimen.ts');
      const { output, size, warnings } = await renderSpecimen(out, { ...DEFAULT_EXPORT, scale });
      for (const warning of warnings) process.stderr.write(`platen: ${warning}\n`);
      print(json, { file: out, output, bytes: size, warnings }, `${out}: ${output}, ${size} bytes.`);
    });
}
