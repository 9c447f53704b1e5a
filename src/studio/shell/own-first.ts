// The order of font families in lists: the account's own before those of the catalogue.

export const ownFirst = <T extends { readonly own?: boolean }>(families: readonly T[]): readonly T[] =>
  families.toSorted((a, b) => Number(b.own === true) - Number(a.own === true));
