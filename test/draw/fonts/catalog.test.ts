// Tests that the checked-in catalogue agrees with the installed packages.

import { expect, test } from 'vitest';
import { Coverage } from '#core/fonts/coverage.ts';
import { findPackage, readCatalog } from '#draw/fonts/catalog.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { buildCatalog } from '../../../scripts/build-catalog.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

test('fonts/catalog.json is what scripts/build-catalog.ts makes of the installed packages', async () => {
  const { families } = readCatalog();
  const missing = families.filter(({ group, package: name }) => group !== 'latin' && findPackage(name) === null);
  expect(missing).toEqual([]);
  expect(families).toEqual((await buildCatalog()).families);
});

test('the Latin group: forty families and more, pinned, none installed or a fallback by default', async () => {
  const { families } = readCatalog();
  const latin = families.filter(({ group }) => group === 'latin');
  expect(latin.length).toBeGreaterThanOrEqual(40);
  expect(families.slice(-latin.length)).toEqual(latin);
  for (const { family, faces, coverage, integrity, version, size } of latin) {
    expect([family, Coverage.parse(coverage.normal).hasPlainText, /^\d+\.\d+\.\d+$/.test(version)]).toEqual([
      family,
      true,
      true,
    ]);
    expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/);
    expect(faces.some(({ weight, style }) => weight === 400 && style === 'normal')).toBe(true);
    expect(size).toBeLessThan(20e6);
  }
  await using folder = await temporaryFolder();
  const library = await openFontLibrary({ folders: [folder.path] });
  expect(library.missing.filter((message) => /Montserrat|Fira Code/.test(message))).toEqual([]);
});
