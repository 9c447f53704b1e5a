// Names that there are not, with the nearest of those that there are.

import { nearestName } from '../nearest-name.ts';

/** A name in quotes, with the nearest of those that there are. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const near = nearestName(name, known);
  return JSON.stringify(name.slice(0, 100)) + (near === null ? '' : `; did you mean ${JSON.stringify(near)}?`);
}
