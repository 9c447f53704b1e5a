// `platen texts`: takes the words of a template file out, to be translated, and puts them back.

import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { AppError } from '#base/errors.ts';
import { ValidationError } from '#core/diagnostics.ts';
import { unescaped, writeCsv } from '#design/csv-text.ts';
import { tableRows, textTable, translationsIn, withTranslations } from '#design/text-table.ts';
import { readXliff, writeXliff } from '#design/xliff.ts';
import { decodeText, parseCsv } from '#server/service/jobs/csv.ts';
import { JSON_OPTION, print } from './output.ts';
import { parseJson, readInput, readTemplateFile } from './template-file.ts';

interface ExportOptions {
  readonly output: string;
  readonly lang?: string;
  readonly json?: boolean;
}

interface ImportOptions {
  readonly output?: string;
  readonly json?: boolean;
}

export function textsCommand(): Command {
  return new Command('texts')
    .description('Export and import the texts of a template file for translation.')
    .addCommand(
      new Command('export')
        .description('Export the texts as CSV, one column per language, or as XLIFF 1.2.')
        .argument('<file>', 'a template as JSON')
        .requiredOption('-o, --output <file>', 'a .csv or .xlf file')
        .option('--lang <list>', 'further languages, which the template need not have yet, such as de,pt-BR')
        .option(...JSON_OPTION)
        .action(async (file: string, options: ExportOptions) => {
          const document = await readDocument(file);
          const table = textTable(document);
          const more = (options.lang ?? '').split(',').map((tag) => tag.trim());
          const languages = [...new Set([...table.languages, ...more])].filter(
            (tag) => tag !== '' && tag !== table.lang,
          );
          const text = isXliff(options.output)
            ? writeXliff(table, String(document.name), languages)
            : writeCsv(tableRows({ ...table, languages }));
          await writeFile(options.output, text);
          const texts = table.rows.length;
          print(options.json, { output: options.output, texts, languages }, `${options.output}: ${texts} texts.`);
        }),
    )
    .addCommand(
      new Command('import')
        .description('Import translations into the template file from a CSV, XLIFF 1.2 or 2.0.')
        .argument('<file>', 'a template as JSON')
        .argument('<texts>', 'the translated .csv or .xlf file')
        .option('-o, --output <file>', 'write the template there, instead of into its file')
        .option(...JSON_OPTION)
        .action(async (file: string, texts: string, { output = file, json }: ImportOptions) => {
          const whole = parseJson(file, (await readInput(file)).toString('utf8')) as Record<string, unknown>;
          const document = await readDocument(file);
          const entries = await readTranslations(texts, textTable(document).lang);
          const translated = withTranslations(document, entries);
          const written = 'template' in whole ? { ...whole, template: translated } : translated;
          await writeFile(output, `${JSON.stringify(written, null, 2)}\n`);
          print(json, { output, texts: entries.length }, `${output}: ${entries.length} translations.`);
        }),
    );
}

const isXliff = (file: string) => /\.(?:xlf|xliff)$/i.test(file);

async function readDocument(file: string): Promise<Record<string, unknown>> {
  const { template } = await readTemplateFile(file);
  return template as Record<string, unknown>;
}

/** @throws AppError `invalid_request` with the line of what is wrong */
async function readTranslations(file: string, own: string | null) {
  const text = decodeText(await readInput(file), file);
  try {
    if (text.trimStart().startsWith('<')) return readXliff(text);
    return translationsIn(
      parseCsv(text).map((row) => row.map(unescaped)),
      own,
    );
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new AppError('invalid_request', `${file}: ${error.message}`, { cause: error });
  }
}
