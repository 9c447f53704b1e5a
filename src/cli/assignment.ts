// `name=value` as it is typed after `--set`, any number of times.

import { InvalidArgumentError, Option } from 'commander';
import type { Parameter } from '#service/signed-url.ts';

/** `--set layer=value` and `--set layer.property=value`. */
export function setOption(about: string): Option {
  return new Option('--set <name=value>', `${about}; may be repeated`)
    .default([] as readonly Parameter[], 'nothing')
    .argParser((text: string, before: readonly Parameter[]): readonly Parameter[] => {
      const equals = text.indexOf('=');
      if (equals < 1) throw new InvalidArgumentError('It must be name=value.');
      return [...before, [text.slice(0, equals), text.slice(equals + 1)]];
    });
}
