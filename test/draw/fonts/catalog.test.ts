// Tests that the checked-in catalogue agrees with the installed packages.

import { readFileSync } from 'node:fs';
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

test('fonts/samples.json has the name of each family that is not installed, as an outline', () => {
  const samples: Record<string, [number, string]> = JSON.parse(readFileSync('fonts/samples.json', 'utf8'));
  const latin = readCatalog().families.filter(({ group }) => group === 'latin');
  expect(Object.keys(samples)).toEqual(latin.map(({ family }) => family));
  for (const [family, [width, outline]] of Object.entries(samples)) {
    // A letter takes between a sixth of an em and an em; outlines begin and end with a contour.
    expect([family, width / family.length > 16, width / family.length < 100]).toEqual([family, true, true]);
    expect(outline).toMatch(/^m-?\d[\dlmcqz -]*z$/);
    // Of relative points, so that what the letters end at is the width, but for the space beside the last one.
    const ends = Math.max(...pointsOf(outline).map(([x]) => x));
    expect([family, Math.abs(ends - width) < 40]).toEqual([family, true]);
  }
});

/** The points of relative path data, in its own coordinates. */
function pointsOf(outline: string): readonly [number, number][] {
  const points: [number, number][] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  for (const [, command = '', numbers = ''] of outline.matchAll(/([mlcqz])([^mlcqz]*)/g)) {
    const values = (numbers.match(/-?\d+/g) ?? []).map(Number);
    if (command === 'z') [x, y] = [startX, startY];
    else [x, y] = [x + (values.at(-2) ?? 0), y + (values.at(-1) ?? 0)];
    if (command === 'm') [startX, startY] = [x, y];
    points.push([x, y]);
  }
  return points;
}

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
