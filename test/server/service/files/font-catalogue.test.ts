// Tests that a family of the catalogue is added to an account from an npm registry: whole, once, and only what it is.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '#base/errors.ts';
import type { CatalogFamily } from '#core/fonts/catalog.ts';
import { findPackage, readCatalog } from '#draw/fonts/catalog.ts';
import type { FontLibrary } from '#draw/fonts/font-library.ts';
import { FontCatalogue } from '#server/service/files/font-catalogue.ts';
import { AccountFonts } from '#server/service/files/fonts.ts';
import { unrestricted } from '#server/service/people/permit.ts';
import { openFileBlobs } from '#server/storage/blobs.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { NOW, storageUnderTest } from '../../storage/open-storage.ts';

const PLAYFAIR = readCatalog().families.find(({ family }) => family === 'Playfair Display') as CatalogFamily;
/** As if it were not part of an installation. */
const LIBRARY = {
  installable: [{ family: PLAYFAIR.family, command: 'platen fonts add "Playfair Display"' }],
} as unknown as FontLibrary;

let archive: Buffer;
let family: CatalogFamily;
const parts = new AsyncDisposableStack();
beforeAll(async () => {
  const folder = parts.use(await temporaryFolder());
  await mkdir(join(folder.path, 'package'));
  for (const { file } of PLAYFAIR.faces) {
    await cp(join(findPackage(PLAYFAIR.package) ?? '', file), join(folder.path, 'package', file));
  }
  const file = join(folder.path, 'playfair.tgz');
  await promisify(execFile)('tar', ['--format=ustar', '-czf', file, '-C', folder.path, 'package']);
  archive = await readFile(file);
  family = { ...PLAYFAIR, integrity: `sha512-${createHash('sha512').update(archive).digest('base64')}` };
});
afterAll(() => parts[Symbol.asyncDispose]());

async function catalogueUnderTest(get: (url: string) => Promise<Uint8Array>, canAdd = true) {
  const folder = await temporaryFolder();
  const opened = await storageUnderTest();
  const fonts = new AccountFonts(opened.storage, await openFileBlobs(folder.path), () => NOW);
  const asked: string[] = [];
  const client = {
    get: async (url: string) => {
      asked.push(url);
      return { status: 200, bytes: await get(url) };
    },
  };
  const registry = canAdd ? { url: 'https://registry.example.com', client, families: [family] } : null;
  return {
    ...{ fonts, asked, catalogue: new FontCatalogue(LIBRARY, fonts, registry) },
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('the account has its regular and bold faces, their italics and the boldest, however often it is asked for', async () => {
  await using lab = await catalogueUnderTest(async () => archive);
  const adding = [1, 2].map(() => lab.catalogue.add('acc_a', 'Playfair Display', unrestricted));
  const [first, second] = await Promise.all(adding);
  const named = (fonts: typeof first) => fonts?.map(({ weight, style }) => `${weight} ${style}`).sort();
  expect(named(first)).toEqual(['400 italic', '400 normal', '700 italic', '700 normal', '900 normal']);
  expect(named(second)).toEqual(named(first));
  expect((await lab.fonts.list('acc_a')).map((font) => font.family)).toEqual(Array(5).fill('Playfair Display'));
  expect(await lab.fonts.list('acc_b')).toEqual([]);
  expect(lab.asked).toEqual([
    `https://registry.example.com/@expo-google-fonts/playfair-display/-/playfair-display-${PLAYFAIR.version}.tgz`,
  ]);
});

test('what is not the package of the catalogue is refused, and nothing is kept', async () => {
  await using lab = await catalogueUnderTest(async () => archive.subarray(0, 5_000));
  const adding = lab.catalogue.add('acc_a', 'Playfair Display', unrestricted);
  await expect(adding).rejects.toThrow('What the registry sent is not @expo-google-fonts/playfair-display');
  expect(await lab.fonts.list('acc_a')).toEqual([]);
});

test('where not all faces can be kept, none is', async () => {
  await using lab = await catalogueUnderTest(async () => archive);
  let left = 2;
  const permit: typeof unrestricted = async (stores) => {
    left -= 1;
    if (left < 0) throw new AppError('forbidden', 'You may no longer do this.');
    return unrestricted(stores);
  };
  await expect(lab.catalogue.add('acc_a', 'Playfair Display', permit)).rejects.toThrow('no longer');
  expect(await lab.fonts.list('acc_a')).toEqual([]);
});

test('it is said why a family cannot be fetched, and how it is installed', async () => {
  const offline = async () => {
    throw new AppError('invalid_request', 'The connection to the server failed.');
  };
  await using lab = await catalogueUnderTest(offline);
  await expect(lab.catalogue.add('acc_a', 'Playfair Display', unrestricted)).rejects.toThrow(
    'Playfair Display could not be fetched from registry.example.com: The connection to the server failed. Whoever runs this server can install it instead: platen fonts add',
  );
  await expect(lab.catalogue.add('acc_a', 'Inter', unrestricted)).rejects.toMatchObject({ code: 'not_found' });
});

test('nothing is fetched without the consent of the operator', async () => {
  await using lab = await catalogueUnderTest(async () => archive, false);
  expect(lab.catalogue.canAdd).toBe(false);
  await expect(lab.catalogue.add('acc_a', 'Playfair Display', unrestricted)).rejects.toThrow(
    'This server fetches no fonts: PLATEN_FONT_REGISTRY is not set. Its administrator can install the family: platen fonts add "Playfair Display"',
  );
  expect(lab.asked).toEqual([]);
});
