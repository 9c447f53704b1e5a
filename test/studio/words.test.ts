// Tests the words of the studio's pages: American spelling, as in the names of properties, and the terms that people
// know from other dashboards.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const STUDIO = join(import.meta.dirname, '../../src/studio');

/** The texts of a source file that may be shown: strings with a capital or a space, and words between tags. */
function shownTexts(file: string): readonly string[] {
  const code = readFileSync(join(STUDIO, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/^(?:import|export)\s[^;]*?from\s.*$/gm, '');
  const strings = [...code.matchAll(/(['"`])((?:(?!\1)[^\n\\])*)\1/g)].map(([, , text = '']) => text);
  const words = [...code.matchAll(/>\s*([A-Z][^<>{}=;()]*?)\s*[<{]/g)].map(([, text = '']) => text);
  return [...strings.filter((text) => /^[A-Z]|\w \w/.test(text)), ...words].map((text) => text.replace(/\s+/g, ' '));
}

const texts = globSync('**/*.{ts,tsx}', { cwd: STUDIO }).flatMap((file) =>
  shownTexts(file).map((text) => `${file}: ${text}`),
);

test('American spelling', () => {
  expect(texts.filter((text) => /: .*(colour|centre|grey|cancelled|behaviour|licence|organis)/i.test(text))).toEqual(
    [],
  );
  expect(texts.length).toBeGreaterThan(500);
});

test('terms that people know: Revoke, Created, Continue, In progress, Current password', () => {
  const odd = /: (End|Ended|Made|Go on|Is it you\?|Under way|Present password|Anybody|Withdraw|Took|Asked for)$/;
  expect(texts.filter((text) => odd.test(text))).toEqual([]);
});
