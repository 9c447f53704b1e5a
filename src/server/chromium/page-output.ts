// Which outputs Chromium can write.

import { ValidationError } from '#core/diagnostics.ts';
import { type Output, PAGE_OUTPUTS, type PageOutput } from '#draw/output/formats.ts';

/** @throws ValidationError when Chromium cannot write a page as this */
export function requirePageOutput(output: Output): asserts output is PageOutput {
  const outputs: readonly Output[] = PAGE_OUTPUTS;
  if (outputs.includes(output)) return;
  throw new ValidationError(
    'output',
    `${output} is written of layers, and of html without a browser; a page that Chromium draws can be ${PAGE_OUTPUTS.join(', ')}`,
  );
}
