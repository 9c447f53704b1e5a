// Tests that the editor's styles apply to the editor alone: its style sheets stay in the page when another page is
// opened.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const STUDIO = join(import.meta.dirname, '../../src/studio');

/** The selectors of a style sheet, without those of keyframes. */
function selectorsOf(file: string): readonly string[] {
  const css = readFileSync(join(STUDIO, file), 'utf8')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/@keyframes[^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}/g, '')
    .replace(/@(?:media|container)[^{]*\{/g, '');
  return [...css.matchAll(/([^{}]+)\{/g)]
    .map(([, selector = '']) => selector.replaceAll(/\s+/g, ' ').trim())
    .filter((selector) => !selector.startsWith('@'))
    .flatMap((selector) => selector.split(/,(?![^(]*\))/).map((one) => one.trim()));
}

const classesOf = (selector: string) => [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name);

test('each rule of the editor names a class that no other page has', () => {
  const files = globSync('**/*.css', { cwd: STUDIO });
  const elsewhere = new Set(
    files
      // `platen/editor` is no page beside it: it has the same styles, in a shadow tree.
      .filter((file) => !/^(?:editor|module)\//.test(file))
      .flatMap(selectorsOf)
      .flatMap(classesOf),
  );
  const leaking = files
    .filter((file) => file.startsWith('editor/'))
    .flatMap((file) => selectorsOf(file).map((selector) => ({ file, selector })))
    .filter(({ selector }) => classesOf(selector).every((name) => elsewhere.has(name)))
    .map(({ file, selector }) => `${file}: ${selector}`);
  expect(leaking).toEqual([]);
  expect(elsewhere.size).toBeGreaterThan(50);
});
