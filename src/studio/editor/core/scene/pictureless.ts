// The layers whose picture is not shown.

import type { Picture } from './compositor.ts';

/** Their names: no picture is chosen, or it could not be loaded. */
export function pictureless({ diagnostics }: Picture): ReadonlySet<string> {
  return new Set(diagnostics.flatMap(({ code, layer }) => (code === 'image-left-out' && layer !== null ? layer : [])));
}
