// Makes a constant when it is first needed, for those that take milliseconds or memory and are often not needed at all.

/** @returns what `make` made on the first call */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
