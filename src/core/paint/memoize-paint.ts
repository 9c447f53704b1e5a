// Caches the operations of a scene's parts, for when a part is painted again in the same place.
//
// A part that no modification changes is the same object in all scenes of a template (resolve.ts), so its entry lasts
// from render to render, and no longer than the template. Back ends can recognise such operations by identity, too.

/**
 * Adds a cache to the painter of one kind of part; it holds the last result for each part.
 *
 * @param isSame whether two places give exactly the same operations
 */
export function memoizePaint<Part extends object, Place, Value>(
  isSame: (a: Place, b: Place) => boolean,
  paint: (part: Part, place: Place) => Value,
): (part: Part, place: Place) => Value {
  const known = new WeakMap<Part, { readonly place: Place; readonly value: Value }>();
  return (part, place) => {
    const before = known.get(part);
    if (before && isSame(before.place, place)) return before.value;
    const value = paint(part, place);
    known.set(part, { place, value });
    return value;
  };
}
