import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isBuilt } from '../bin/is-built.mjs';
import { temporaryFolder } from './temporary-folder.ts';

const BUILT = new Date('2026-01-02');
const BEFORE = new Date('2026-01-01');
const AFTER = new Date('2026-01-03');

/** A checkout whose command was built after the last change. */
async function checkout() {
  const folder = await temporaryFolder();
  const at = (path: string) => join(folder.path, path);
  for (const each of ['dist/cli', 'src/core', 'src/studio', 'scripts']) await mkdir(at(each), { recursive: true });
  const files = ['package-lock.json', 'scripts/build-package.ts', 'scripts/bundle-modules.ts', 'src/core/text.ts'];
  for (const file of [...files, 'src/studio/main.ts']) await writeFile(at(file), '');
  for (const path of [...files, 'src/core', 'src/studio', 'src']) await utimes(at(path), BEFORE, BEFORE);
  await writeFile(at('dist/cli/main.js'), '');
  await utimes(at('dist/cli/main.js'), BUILT, BUILT);
  return Object.assign(folder, { at });
}

test('a command that is newer than all of its sources is used', async () => {
  await using made = await checkout();
  expect(isBuilt(made.path)).toBe(true);
  await utimes(made.at('src/studio/main.ts'), AFTER, AFTER);
  expect(isBuilt(made.path)).toBe(true);
});

test.each([
  ['a source that changed', 'src/core/text.ts'],
  ['a file that went', 'src/core'],
  ['a library that changed', 'package-lock.json'],
  ['a build script that changed', 'scripts/bundle-modules.ts'],
])('%s: it is not', async (_, changed) => {
  await using made = await checkout();
  await utimes(made.at(changed), AFTER, AFTER);
  expect(isBuilt(made.path)).toBe(false);
});

test('nothing built: it is not', async () => {
  await using made = await checkout();
  await rm(made.at('dist'), { recursive: true });
  expect(isBuilt(made.path)).toBe(false);
});
