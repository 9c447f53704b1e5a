// `platen import`: converts another tool's template, and lists what could not be translated.

import { writeFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { AppError } from '#base/errors.ts';
import { JSON_OPTION, print } from './output.ts';
import { parseJson, readInput } from './template-file.ts';

const TOOLS = ['bannerbear', 'placid'] as const;

interface Options {
  readonly out: string;
  readonly width?: number;
  readonly height?: number;
  readonly json?: boolean;
}

export function importCommand(): Command {
  const command = new Command('import').description(
    'Translate a template of another tool, as its API answers it, and list what could not be translated.',
  );
  for (const tool of TOOLS) {
    command.addCommand(
      new Command(tool)
        .description(`Translate a template of ${tool === 'placid' ? 'Placid' : 'Bannerbear'}.`)
        .argument('<file>', 'what its API answers for one template, as JSON')
        .requiredOption('-o, --out <file>', 'where to write the template')
        .option('--width <px>', 'of the canvas, where the file does not say', wholeNumber)
        .option('--height <px>', 'of the canvas, where the file does not say', wholeNumber)
        .option(...JSON_OPTION)
        .action((file: string, options: Options) => importFile(tool, file, options)),
    );
  }
  return command;
}

async function importFile(tool: (typeof TOOLS)[number], path: string, options: Options): Promise<void> {
  const [{ importTemplate, isFields }, { BANNERBEAR, readBannerbear }, { PLACID, readPlacid }] = await Promise.all([
    import('#import/foreign-template.ts'),
    import('#import/bannerbear.ts'),
    import('#import/placid.ts'),
  ]);
  const file = parseJson(path, (await readInput(path)).toString('utf8'));
  if (!isFields(file)) throw new AppError('invalid_request', `${path} holds no JSON object.`);
  const { template, warnings } =
    tool === 'bannerbear'
      ? importTemplate(readBannerbear(file, options), BANNERBEAR)
      : importTemplate(readPlacid(file, options), PLACID);
  await writeFile(options.out, `${JSON.stringify(template, null, 2)}\n`);
  for (const warning of warnings) process.stderr.write(`platen: ${warning}\n`);
  const { layers } = template as { readonly layers: readonly unknown[] };
  print(
    options.json,
    { file: options.out, layers: layers.length, warnings },
    `${options.out}: ${layers.length} layers, ${warnings.length} warnings.`,
  );
}

function wholeNumber(value: string): number {
  if (!/^\d{1,5}$/.test(value)) throw new InvalidArgumentError('must be a whole number of px');
  return Number(value);
}
