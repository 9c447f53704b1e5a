// Tests that the checked-in catalogue agrees with the installed packages.

import { expect, test } from 'vitest';
import { findPackage, readCatalog } from '#fonts/catalog.ts';
import { buildCatalog } from '../../scripts/build-catalog.ts';

test('fonts/catalog.json is what scripts/build-catalog.ts makes of the installed packages', async () => {
  const installed = readCatalog().families.filter((family) => findPackage(family.package) !== null);
  expect(installed).toEqual((await buildCatalog()).families);
});
