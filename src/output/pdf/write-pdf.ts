// A display list in, a one-page vector PDF out. The door to pdfkit.

import type { DisplayList } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';

/** Page size: canvas px as CSS px, 96 to the inch, so 1 px = 0.75 pt. */
export async function writePdf(_list: DisplayList, _resources: Resources): Promise<Uint8Array> {
  throw new Error('not built yet');
}
