// The `style` of an element as CSS's own text, one declaration changed at a time.
//
// A value that comes from a caller is held to one declaration: what could end it, or open a block, is refused.

import { AppError } from '#errors';
import { readDeclarations } from './css-text.ts';

/** @param value null takes the property away */
export function setDeclaration(attributes: Map<string, string>, property: string, value: string | null): void {
  const others = readDeclarations(attributes.get('style') ?? '').filter((each) => each.property !== property);
  const declarations = value === null ? others : [...others, { property, value }];
  if (value !== null && !isOneValue(value)) throw notOne(property);
  attributes.set('style', declarations.map((each) => `${each.property}:${each.value}`).join(';'));
}

/** What the attribute says last of a property; null when nothing. */
export function declarationOf(attributes: ReadonlyMap<string, string>, property: string): string | null {
  return readDeclarations(attributes.get('style') ?? '').findLast((each) => each.property === property)?.value ?? null;
}

/** Whether what follows a value is still read as what it is: no open string, no bracket, no end of a declaration. */
export function isOneValue(value: string): boolean {
  const [own, next, ...more] = readDeclarations(`--own:${value};--next:`);
  return own?.value === value.trim() && next?.property === '--next' && more.length === 0;
}

function notOne(property: string): AppError {
  return new AppError('invalid_request', `style.${property}: is not one value of CSS.`);
}
