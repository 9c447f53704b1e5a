// Takes a variable out of Tailwind's sheets that satori does not draw.

import { type Declaration, mapDeclarations, readRules } from '#core/css/css-text.ts';

/**
 * A sheet of `compileClasses` without `content: var(--tw-content)`, which Tailwind has in
 * every rule of `before:` and `after:`. Rules that set the variable get its value, and for the others there is a rule in a layer below.
 */
export function withoutContentVariable(sheet: string): string {
  if (!sheet.includes('content: var(--tw-content)')) return sheet;
  const empty = readRules(sheet).flatMap(({ atRules, selectors, declarations }) => {
    const has = (property: string) => declarations.some((each) => each.property === property);
    if (!has('content') || has('--tw-content') || atRules[0] !== '@layer utilities') return [];
    const around = [...atRules.slice(1), ...selectors];
    return [`${around.map((text) => `${text} {`).join(' ')} content: "" ${'}'.repeat(around.length)}`];
  });
  let before: Declaration | null = null;
  const filled = mapDeclarations(sheet, (declaration) => {
    const last = before;
    before = declaration;
    if (declaration.property !== 'content' || declaration.value !== 'var(--tw-content)') return null;
    const isSet = last?.property === '--tw-content' && last.block === declaration.block;
    return isSet ? [['content', last.value]] : [];
  }).replaceAll('\n', ' ');
  return `@layer platen-content { ${[...new Set(empty)].join(' ')} } ${filled}`;
}
