// Pieces in painting order in, those that were seen before out first, wherever that changes no pixel.
//
// Two pieces may change places when they touch no common pixel. So what a template always draws gathers at the bottom,
// where one kept raster stands for all of it, whichever layers a caller changes and wherever they lie.

import { type Rect, rectsOverlap } from '#core/geometry.ts';

export interface Ordered<T> {
  readonly below: readonly T[];
  readonly above: readonly T[];
}

/**
 * Moves down what `belongsBelow` and lies over nothing that does not. Both results keep the order they had.
 *
 * @param pieces back to front
 */
export function sink<T extends { readonly area: Rect }>(
  pieces: readonly T[],
  belongsBelow: (piece: T) => boolean,
): Ordered<T> {
  const below: T[] = [];
  const above: T[] = [];
  for (const piece of pieces) {
    const isFree = belongsBelow(piece) && !above.some((other) => rectsOverlap(other.area, piece.area));
    (isFree ? below : above).push(piece);
  }
  return { below, above };
}
