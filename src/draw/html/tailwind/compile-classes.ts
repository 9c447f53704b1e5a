// Writes the style sheet of Tailwind's utility classes, with Tailwind's own library.

import { compile } from 'tailwindcss';
import { PREFLIGHT, THEME } from './sheets.generated.ts';

/** Of generic families only, which every renderer has; Tailwind lists those of several systems. */
const FAMILIES = '@theme { --font-sans: sans-serif; --font-serif: serif; --font-mono: monospace; }';
const sourceOf = (theme: string) =>
  `@layer theme, base, utilities; @layer theme { ${THEME} ${FAMILIES} } @layer base { ${PREFLIGHT} } @layer utilities { @tailwind utilities; } ${theme}`;
/** `Polyfills.None`: its rules are for browsers without `@property` and `color-mix()`. */
const NO_POLYFILLS = 0;

/**
 * The theme's variables, the base styles (Preflight) and the rules of the classes, each in a cascade layer. Classes that
 * Tailwind does not know have no rules.
 *
 * @param theme `@theme` and `@utility` blocks, which change Tailwind's theme and add classes
 * @throws Error of Tailwind, such as for a theme with rules in it
 * @returns CSS on one line, so that what follows keeps its line numbers, without `</`
 */
export async function compileClasses(classes: readonly string[], theme: string): Promise<string> {
  // A compiler remembers the classes that it has built, so each sheet has its own.
  const { build } = await compile(sourceOf(theme), { polyfills: NO_POLYFILLS });
  return build([...classes])
    .replace(/^\/\*!.*?\*\/\s*/, '')
    .replaceAll('</', '<\\/')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}
