// Lists the fixtures of sheets in which we differ from Chromium, by reason.

/** By the reason: names of fixtures. */
export const DIFFERENT: Readonly<Record<string, readonly string[]>> = {
  'boxes out of the flow are on the sheet where they are laid out': ['an absolute box on the second sheet'],
  'floats, rows and cells over rows are not divided as Chromium divides them': [
    'an empty block over sheets',
    'a row that is broken',
    'widows in a cell',
    'a cell over rows',
  ],
  'names in names, and the first of named sheets': ['names in names', 'the first of named sheets'],
  'of the page context: em, padding, width and height, ledger, turned sheets, counters that are set': [
    'page-break-after-004: wrong values',
    'page-selectors-004: first wins over right',
    'page-margin-003: em of the sheet',
    'page-size-009: ledger',
    'a number that is set',
    'a sheet that is turned',
    'page-properties-000: width and height of a sheet',
    'page-borders-000: padding of a sheet',
  ],
};
