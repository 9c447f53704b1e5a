// Changes single declarations in the `style` attribute of an element.
//
// A caller's value must be exactly one declaration: anything that could end it, or open a block, is refused.

import { AppError } from '#base/errors.ts';
import { readDeclarations } from '#core/css/css-text.ts';

/** @param value null removes the property */
export function setDeclaration(attributes: Map<string, string>, property: string, value: string | null): void {
  const others = readDeclarations(attributes.get('style') ?? '').filter((each) => each.property !== property);
  const declarations = value === null ? others : [...others, { property, value }];
  if (value !== null && !isOneValue(value)) throw notOne(property);
  attributes.set('style', declarations.map((each) => `${each.property}:${each.value}`).join(';'));
}

/** The last value of a property in the attribute; null when there is none. */
export function declarationOf(attributes: ReadonlyMap<string, string>, property: string): string | null {
  return readDeclarations(attributes.get('style') ?? '').findLast((each) => each.property === property)?.value ?? null;
}

/**
 * Whether a value is complete, so that what follows is unaffected: no open string, no open bracket, no end of a
 * declaration.
 */
function isOneValue(value: string): boolean {
  const [own, next, ...more] = readDeclarations(`--own:${value};--next:`);
  return own?.value === value.trim() && next?.property === '--next' && more.length === 0;
}

function notOne(property: string): AppError {
  return new AppError('invalid_request', `style.${property}: is not one value of CSS.`);
}
