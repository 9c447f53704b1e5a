// JSON Merge Patch, RFC 7396: what a size or a language changes of a layer is stored as one.

import { isObject } from '#core/resolve/modify-layer.ts';
import type { Fields } from '../document/document.ts';

/** The object with a patch applied; null removes a property. */
export function merged(target: unknown, patch: Fields): Fields {
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = isObject(value) ? merged(result[key], value) : value;
  }
  return result;
}

/** The value of a property in a patch that makes `after` of `before`; undefined = it is the same. */
export function patchBetween(before: unknown, after: unknown): unknown {
  if (isSame(before, after)) return undefined;
  if (after === undefined) return null;
  if (!isObject(before) || !isObject(after)) return after;
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changes = [...keys].map((key) => [key, patchBetween(before[key], after[key])] as const);
  return Object.fromEntries(changes.filter(([, value]) => value !== undefined));
}

export const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** The entries without one; undefined if none is left. */
export function without<Value>(
  entries: Readonly<Record<string, Value>>,
  key: string,
): Readonly<Record<string, Value>> | undefined {
  const { [key]: _gone, ...rest } = entries;
  return Object.keys(rest).length > 0 ? rest : undefined;
}
