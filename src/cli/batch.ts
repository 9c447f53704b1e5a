// `platen batch`: renders one image per row of a CSV file.

import { Command, Option } from 'commander';
import { type ExportOptions, OUTPUTS, type Output } from '#output/formats.ts';
import type { Parameter } from '#service/rendering/signed-url.ts';
import { loadConfig } from '../config.ts';
import { pdfOption } from './assignment.ts';
import { listed } from './design-file.ts';
import { exportOptions } from './export-options.ts';
import { JSON_OPTION, print } from './output.ts';
import type { RowsProgress } from './render-rows.ts';

interface Options extends Omit<ExportOptions, 'pdf'> {
  readonly pdf: readonly Parameter[];
  readonly out: string;
  readonly output: Output;
  readonly ignoreUnknown?: boolean;
  readonly size?: string;
  readonly lang?: string;
  readonly json?: boolean;
}

export function batchCommand(): Command {
  const command = new Command('batch')
    .description('Render a template once for each row of a CSV file. No server is needed; nothing is counted.')
    .argument('<template>', 'the file of a template as for render; or tpl_…, or tpl_…@3 for a version')
    .argument(
      '<rows>',
      'a CSV file whose first row names layers, or layer.property; cells stand between commas, semicolons or tabs',
    )
    .requiredOption('-o, --out <folder>', 'where to write 1.png, 2.png, …')
    .addOption(new Option('--output <format>', 'of the pictures').choices(OUTPUTS).default('png'));
  for (const option of exportOptions()) command.addOption(option);
  command.addOption(pdfOption());
  return command
    .option('--size <names>', 'a size of the template, several between commas, or all; several give a file each')
    .option('--lang <tags>', 'a language of its texts, several, or all')
    .option('--ignore-unknown', 'render even if a column names no layer')
    .option(...JSON_OPTION)
    .action(
      async (
        template: string,
        file: string,
        { out, output, ignoreUnknown, json, pdf, size, lang, ...others }: Options,
      ) => {
        const [{ renderRows }, { readPdfProperties }] = await Promise.all([
          import('./render-rows.ts'),
          import('./pdf-properties.ts'),
        ]);
        const options = { ...others, pdf: readPdfProperties(pdf) };
        const onProgress = process.stderr.isTTY ? drawBar : () => {};
        const { count, failures, warnings } = await renderRows(loadConfig(), {
          ...{ template, file, out, output, options, onProgress, wanted: { size: listed(size), lang: listed(lang) } },
          ignoreUnknown: ignoreUnknown === true,
        });
        for (const warning of warnings) process.stderr.write(`platen: ${warning}\n`);
        for (const { row, error } of failures) process.stderr.write(`platen: row ${row}: ${error}\n`);
        const ok = count - failures.length;
        print(json, { folder: out, count, ok, failures }, `${ok} of ${count} rows rendered to ${out}.`);
        if (failures.length > 0) process.exitCode = 1;
      },
    );
}

const BAR = 30;

function drawBar({ done, failed, total }: RowsProgress): void {
  const filled = Math.round((BAR * done) / total);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled);
  const failures = failed === 0 ? '' : `, ${failed} failed`;
  process.stderr.write(`\r${bar} ${done}/${total}${failures}${done === total ? '\n' : ''}`);
}
