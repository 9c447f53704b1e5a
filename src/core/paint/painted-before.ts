// What a part of a scene came to when it was last painted: the same operations again, where it is painted in the same place.
//
// A part that no modification touches is the same object in all scenes of a template (resolve.ts), so what is kept
// with it lasts from render to render, and no longer than the template. A back end may know such operations again, too.

/**
 * A memory of one kind of part.
 *
 * @param isSame whether two places make the same operations, to the bit
 */
export function paintedBefore<Part extends object, Place, Value>(
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
