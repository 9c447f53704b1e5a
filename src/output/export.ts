// A display list in, a file's bytes out: one reader for pixels, one for PDF.

import type { DisplayList } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import type { ExportOptions, Output } from './formats.ts';

/** The same list, resources and options give the same bytes, in every process. */
export async function exportAs(
  _output: Output,
  _list: DisplayList,
  _resources: Resources,
  _options: ExportOptions,
): Promise<Uint8Array> {
  throw new Error('not built yet');
}
