// Reads numbers as spreadsheets show them: 1.234,50 and 1,234.50 both become 1234.50.

/** Groups of three digits, which a spreadsheet separates by a point or comma, a space or an apostrophe. */
const WITH_COMMA = /^[-+]?(\d+|\d{1,3}([.\s'’]\d{3})+)(,\d+)?$/;
const WITH_POINT = /^[-+]?(\d+|\d{1,3}([,\s'’]\d{3})+)(\.\d+)?$/;

/**
 * The values of a column with a point before the decimals and without groups; null where they do not all read so, or do
 * not tell what a comma means, as 1,234 does not.
 *
 * @param values empty ones stay
 */
export function plainNumbers(values: readonly string[]): readonly string[] | null {
  const texts = values.map((value) => value.trim());
  const given = texts.filter((value) => value !== '');
  const isAll = (form: RegExp) => given.every((value) => form.test(value));
  if (isAll(WITH_COMMA) && given.some((value) => /,(\d{1,2}|\d{4,})$|\.\d{3},/.test(value)))
    return texts.map((value) => value.replace(/[.\s'’]/g, '').replace(',', '.'));
  if (isAll(WITH_POINT) && given.some((value) => /[,\s'’]\d{3}\.|[\s'’]\d{3}$/.test(value)))
    return texts.map((value) => value.replace(/[,\s'’]/g, ''));
  return null;
}

type Entry = Readonly<Record<string, unknown>>;

/** Entries whose values of these names are numbers as spreadsheets show them, with plain ones. */
export function withPlainNumbers(rows: readonly Entry[], names: Iterable<string>): readonly Entry[] {
  let next = rows;
  for (const name of names) {
    const plain = plainNumbers(next.map((row) => (typeof row[name] === 'string' ? row[name] : '')));
    if (plain) next = next.map((row, i) => (typeof row[name] === 'string' ? { ...row, [name]: plain[i] } : row));
  }
  return next;
}
