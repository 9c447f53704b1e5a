// Marks what pages repeat: it is no content of its own, and a back end that tags text leaves it out.

import type { LayoutBox } from '../layout/box.ts';
import { ARTEFACT } from '../role.ts';

/** The box, with the role of an artefact for all that is in it. */
export function artefact(box: LayoutBox): LayoutBox {
  if (box.kind === 'frame') return { ...box, role: ARTEFACT, children: box.children.map(artefact) };
  return { ...box, role: ARTEFACT };
}
