// Takes a variable out of Tailwind's sheets that satori does not draw.

import { readRules } from '../css-text.ts';

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
  const filled = sheet
    .replace(/(--tw-content: ((?:"[^"]*"|'[^']*'|[^;"'])*);\s*)content: var\(--tw-content\);/g, '$1content: $2;')
    .replaceAll('content: var(--tw-content);', '');
  return `@layer platen-content { ${[...new Set(empty)].join(' ')} } ${filled}`;
}
