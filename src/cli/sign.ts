// `platen sign`: prints a signed URL, under which a template renders without an API key.

import { Command, InvalidArgumentError } from 'commander';
import { publicAddress } from '#server/config/config.ts';
import type { NamedValue } from '#server/service/rendering/signed-url.ts';
import { setOption } from './assignment.ts';
import { withServices } from './data-folder.ts';
import { accountOption, JSON_OPTION, print } from './output.ts';

interface Options {
  readonly account?: string;
  readonly set: readonly NamedValue[];
  readonly expires?: number;
  readonly json?: boolean;
}

export function signCommand(): Command {
  return new Command('sign')
    .description('Sign a render URL.')
    .argument('<template>', 'tpl_…, or tpl_…@3 for a version')
    .argument('<ext>', 'png, jpg, jpeg, webp, avif or pdf')
    .option(...accountOption('whose template it is'))
    .addOption(setOption('a layer, layer.property, scale or q'))
    .option('--expires <seconds>', 'how long the URL is to be valid', parseSeconds)
    .option(...JSON_OPTION)
    .action(async (template: string, extension: string, options: Options) => {
      const { isSigned, SIGNED_EXTENSIONS } = await import('#draw/output/formats.ts');
      const { parseSignedQuery, signedQuery } = await import('#server/service/rendering/signed-url.ts');
      const { AppError } = await import('#base/errors.ts');
      if (!isSigned(extension)) {
        throw new AppError('invalid_request', `The extension must be one of ${SIGNED_EXTENSIONS.join(', ')}.`);
      }
      const url = await withServices(async ({ accounts, templates }, config) => {
        const account = await accounts.findOrOnly(options.account);
        await templates.find(account.id, template);
        const { signing } = await accounts.secrets(account.id);
        const expires = options.expires === undefined ? null : Math.floor(Date.now() / 1000) + options.expires;
        const query = signedQuery(signing, { template, extension, parameters: options.set }, expires);
        // Fails where the server would refuse the URL, for instance a name given twice.
        parseSignedQuery(query);
        return `${publicAddress(config, config.port)}/v1/templates/${template}/render.${extension}?${query}`;
      });
      print(options.json, { url }, url);
    });
}

function parseSeconds(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of seconds.');
  return Number(text);
}
