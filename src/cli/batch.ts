// `platen batch`: renders one file per row of a CSV file, or all rows to one.

import { Command, Option } from 'commander';
import { AppError } from '#base/errors.ts';
import { OUTPUTS, type Output } from '#draw/output/formats.ts';
import { loadConfig } from '#server/config/config.ts';
import type { NamedValue } from '#server/service/rendering/signed-url.ts';
import { pdfOption, sheetOption } from './assignment.ts';
import { listed } from './design-file.ts';
import { type EncoderOptions, exportOptions, readExportOptions } from './export-options.ts';
import { JSON_OPTION, print } from './output.ts';
import type { RowsProgress } from './render-rows.ts';

interface Options extends EncoderOptions {
  readonly pdf: readonly NamedValue[];
  readonly out?: string;
  readonly output?: Output;
  readonly merge?: string;
  readonly nameFrom?: string;
  readonly numbering: 'item' | 'file';
  readonly sheet: readonly NamedValue[];
  readonly startAgain?: boolean;
  readonly ignoreUnknown?: boolean;
  readonly size?: string;
  readonly lang?: string;
  readonly json?: boolean;
}

export function batchCommand(): Command {
  const command = new Command('batch')
    .description('Render a template once per row of a CSV file. Needs no server; nothing is metered.')
    .argument('<template>', 'the file of a template as for render; or tpl_…, or tpl_…@3 for a version')
    .argument(
      '<rows>',
      'a CSV file whose first row names layers, or layer.property; cells stand between commas, semicolons, tabs or bars; - is standard input',
    )
    .option('-o, --out <folder>', 'where to write 1.png, 2.png, …')
    .option('--merge <file>', 'a .pdf or .zip of all rows; with --out, beside the files')
    .option('--name-from <column>', 'name the files, and entries of the outline, by this column')
    .option('--start-again', 'render every row again, including those that an interrupted run has finished')
    .addOption(new Option('--output <format>', 'of the files; png by default').choices(OUTPUTS));
  for (const option of exportOptions()) command.addOption(option);
  const numbering = 'count pages over each row, or all of a merged PDF, for which each row is drawn twice';
  command.addOption(new Option('--numbering <of>', numbering).choices(['item', 'file']).default('item'));
  command.addOption(pdfOption()).addOption(sheetOption());
  return command
    .option('--size <names>', 'a size of the template, several between commas, or all; several give a file each')
    .option('--lang <tags>', 'a language of its texts, several, or all')
    .option('--ignore-unknown', 'render even if a column names no layer')
    .option(...JSON_OPTION)
    .action(async (template: string, file: string, given: Options) => {
      const { out = null, merge = null, nameFrom = null, ignoreUnknown, startAgain, json, pdf, size, lang } = given;
      const [{ renderRows }, { readLabelSheet, readPdfProperties }] = await Promise.all([
        import('./render-rows.ts'),
        import('./pdf-properties.ts'),
      ]);
      const options = { ...readExportOptions(given), pdf: readPdfProperties(pdf) };
      const onProgress = process.stderr.isTTY ? drawBar : () => {};
      const { count, kept, isMerged, failures, warnings } = await renderRows(loadConfig(), {
        ...{ template, file, out, merge, nameFrom, options, onProgress, sheet: readLabelSheet(given.sheet) },
        numbersFile: given.numbering === 'file',
        ...{ output: outputOf(given), wanted: { size: listed(size), lang: listed(lang) } },
        ...{ ignoreUnknown: ignoreUnknown === true, startAgain: startAgain === true },
      });
      for (const warning of warnings) process.stderr.write(`platen: ${warning}\n`);
      for (const { row, error } of failures) process.stderr.write(`platen: row ${row}: ${error}\n`);
      if (merge !== null && !isMerged) {
        const reason = count === 0 ? 'The table has no rows.' : 'Correct the rows and run the same command again.';
        process.stderr.write(`platen: ${merge} was not written. ${reason}\n`);
      }
      const ok = count - failures.length;
      const place = { ...(out !== null && { folder: out }), ...(isMerged && { merged: merge }) };
      const earlier = kept > 0 ? ` ${kept} of them were there from a run that was stopped.` : '';
      print(
        json,
        { ...place, count, ok, ...(kept > 0 && { kept }), failures },
        `${ok} of ${count} rows rendered to ${isMerged ? merge : (out ?? `${merge}.rows`)}.${earlier}`,
      );
      if (failures.length > 0 || (merge !== null && !isMerged)) process.exitCode = 1;
    });
}

/** @throws AppError `invalid_request` when the options do not go together */
function outputOf({ out, merge, output, sheet, numbering }: Options): Output {
  if (out === undefined && merge === undefined) {
    throw new AppError(
      'invalid_request',
      'Say where to write the files: -o FOLDER, --merge FILE.pdf or --merge FILE.zip.',
    );
  }
  const isPdf = merge !== undefined && /\.pdf$/i.test(merge);
  if (sheet.length > 0 && !isPdf) throw new AppError('invalid_request', '--sheet: is for --merge FILE.pdf.');
  if (numbering === 'file' && !isPdf) {
    throw new AppError('invalid_request', '--numbering file: is for --merge FILE.pdf.');
  }
  if (isPdf && output !== undefined && output !== 'pdf') {
    throw new AppError('invalid_request', `--output: must be pdf where --merge is ${merge}; leave it out.`);
  }
  return output ?? (isPdf ? 'pdf' : 'png');
}

const BAR = 30;

function drawBar({ done, failed, total }: RowsProgress): void {
  const filled = Math.round((BAR * done) / total);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled);
  const failures = failed === 0 ? '' : `, ${failed} failed`;
  process.stderr.write(`\r${bar} ${done}/${total}${failures}${done === total ? '\n' : ''}`);
}
