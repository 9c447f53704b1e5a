// A design of which nothing is missing.

import type { Choice, Designed } from '#design/choice.ts';
import { design, isMissing } from '#design/design.ts';
import type { Materials } from '#design/materials.ts';

export function designedAs(document: unknown, choice: Choice, materials?: Materials): Designed {
  const made = design(document, choice, materials);
  if (isMissing(made)) throw new Error(`missing: ${JSON.stringify(made)}`);
  return made;
}
