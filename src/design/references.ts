// Replaces references to a brand, `$name`, in a document before it is parsed: anywhere a value stands, but not in words.

import { quoted, ValidationError } from '#core/diagnostics.ts';
import { didYouMean } from '#core/nearest-name.ts';
import { formatPath } from '#core/template/validation.ts';

const REFERENCE = /^\$([A-Za-z][A-Za-z0-9_-]{0,59})$/;

/** Properties whose strings are words of the author, in which a dollar is a dollar. */
const WORDS =
  '$schema name text value label help link d title author subject keywords count sum average empty separator'.split(
    ' ',
  );
/** Parts of a document that nothing of a brand belongs in. */
const OTHERS: readonly string[] = ['parameters', 'pdf', 'guides'];
/** Objects whose keys are names of layers, sizes or languages rather than properties, by how deep they are. */
const BY_NAME: Readonly<Record<string, number>> = {
  changes: 1,
  alternate: 1,
  modifications: 1,
  sizes: 1,
  texts: 2,
  when: 1,
  forms: 1,
};

export interface References {
  /**
   * A copy in which references are values; the same value if it has none.
   *
   * @param path of the value in the document
   * @throws ValidationError naming the path of a reference that the brand does not have
   */
  resolved(value: unknown, path: string): unknown;
}

/**
 * @param values by name; null = there is no brand
 * @param brand its name, for messages
 */
export function references(values: ReadonlyMap<string, unknown> | null, brand: string): References {
  const found = (text: string, path: string): unknown => {
    const name = REFERENCE.exec(text)?.[1];
    if (name === undefined) return text;
    if (values === null) throw new ValidationError(path, `names ${text}, but the template has no brand`);
    if (values.has(name)) return values.get(name);
    const which = brand === '' ? 'the brand' : `the brand ${quoted(brand)}`;
    throw new ValidationError(
      path,
      `${which} has no ${didYouMean(
        text,
        [...values.keys()].map((key) => `$${key}`),
      )}`,
    );
  };
  const visit = (value: unknown, path: string, names: number): unknown => {
    if (typeof value === 'string') return found(value, path);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const visited = value.map((one, i) => visit(one, `${path}[${i}]`, 0));
      // A list in a list, such as the families of a font after another family, is joined with it.
      return visited.flatMap((one, i) => (typeof value[i] === 'string' && Array.isArray(one) ? one : [one]));
    }
    const visited: Record<string, unknown> = Object.create(null);
    for (const [key, inner] of Object.entries(value)) {
      // By name, a string is what a layer says or shows.
      const isWords =
        names > 0
          ? typeof inner === 'string'
          : OTHERS.includes(key) || (typeof inner === 'string' && WORDS.includes(key));
      const inside = names > 0 ? names - 1 : Object.hasOwn(BY_NAME, key) ? (BY_NAME[key] ?? 0) : 0;
      visited[key] = isWords ? inner : visit(inner, formatPath(path, [key]), inside);
    }
    return styled(visited, path);
  };
  return { resolved: (value, path) => visit(value, path, 0) };
}

/** An object with a `textStyle`: the properties of the style, under its own. */
function styled(object: Record<string, unknown>, path: string): Record<string, unknown> {
  const { textStyle, ...own } = object;
  if (textStyle === undefined) return object;
  if (textStyle === null) return own;
  if (typeof textStyle !== 'object') {
    throw new ValidationError(`${path}.textStyle`, 'must name a text style of the brand, such as "$headline"');
  }
  return { ...textStyle, ...own };
}
