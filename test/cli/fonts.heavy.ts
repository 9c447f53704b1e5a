// Tests `platen fonts`: it installs families that are not included, from files or from a registry.

import { execFile } from 'node:child_process';
import { access, cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { CatalogFamily } from '#core/fonts/catalog.ts';
import { findPackage, readCatalog } from '#draw/fonts/catalog.ts';
import { checkIntegrity, findIn, inArchive, installFontPackage } from '#draw/fonts/font-package.ts';
import { ROOT } from '../command.ts';
import { serve } from '../listen.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { platen } from './run-platen.ts';

const THAI = readCatalog().families.find(({ family }) => family === 'Noto Sans Thai') as CatalogFamily;
const PLACE = `packages/${THAI.package}`;

/** Makes an archive as `npm pack` does. */
async function archiveOf(family: CatalogFamily, folder: string, name: string): Promise<string> {
  await mkdir(join(folder, 'package'), { recursive: true });
  await cp(findPackage(family.package) ?? '', join(folder, 'package'), { recursive: true });
  await promisify(execFile)('tar', ['--format=ustar', '-czf', join(folder, name), '-C', folder, 'package']);
  return join(folder, name);
}

test('from a folder of packages: the faces and their licences, and nothing else', async () => {
  await using data = await temporaryFolder();
  const args = ['fonts', 'add', 'noto sans thai', '--from', join(ROOT, 'node_modules'), '--json'];
  const { status, stdout, stderr } = await platen(data.path, args);
  expect([status, stdout, stderr]).toEqual([0, '{"installed":["Noto Sans Thai"]}\n', '']);
  const place = join(data.path, 'fonts', PLACE);
  expect((await readdir(place)).sort()).toEqual(
    [...THAI.faces.map(({ file }) => file.split('/')[0]), 'LICENSE', 'LICENSE_FONT', 'package.json'].sort(),
  );
  expect((await stat(join(place, THAI.faces[0]?.file ?? ''))).size).toBeGreaterThan(10_000);
});

test('from an archive, or a folder of archives', async () => {
  await using folder = await temporaryFolder();
  const packed = `expo-google-fonts-noto-sans-thai-${THAI.version}.tgz`;
  const archive = await archiveOf(THAI, folder.path, packed);
  for (const from of [archive, folder.path]) {
    const to = join(folder.path, `to-${from.length}`);
    await installFontPackage(THAI, await findIn(from, THAI), to);
    await access(join(to, PLACE, 'LICENSE_FONT'));
  }
});

test('what is not the package is refused, and leaves nothing', async () => {
  await using folder = await temporaryFolder();
  const to = join(folder.path, 'to');
  const khmer = readCatalog().families.find(({ family }) => family === 'Noto Sans Khmer') as CatalogFamily;
  const wrong = await inArchive(await readFile(await archiveOf(khmer, folder.path, 'wrong.tgz')));
  await expect(installFontPackage(THAI, wrong, to)).rejects.toThrow('The package of Noto Sans Thai lacks 100Thin/');
  expect(await readdir(join(to, 'packages/@expo-google-fonts'))).toEqual([]);
  await expect(findIn(to, THAI)).rejects.toThrow(/holds neither expo-google-fonts-noto-sans-thai-[\d.]+\.tgz nor/);
  await writeFile(join(folder.path, 'cut.tgz'), (await readFile(join(folder.path, 'wrong.tgz'))).subarray(0, 9_000));
  await expect(findIn(join(folder.path, 'cut.tgz'), THAI)).rejects.toThrow(
    'The archive is cut short or no archive of npm.',
  );
});

test('from a registry: only the archive that the catalogue names', async () => {
  await using data = await temporaryFolder();
  const asked: string[] = [];
  await using registry = await serve(({ url = '' }, response) => {
    asked.push(url);
    response.end('something else');
  });
  const args = ['fonts', 'add', 'cjk', '--registry', registry.url];
  const allowed = { PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' };
  const { status, stderr } = await platen(data.path, args, allowed);
  expect(asked).toEqual([expect.stringMatching(/^\/@expo-google-fonts\/noto-sans-sc\/-\/noto-sans-sc-[\d.]+\.tgz$/)]);
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^platen: What the registry sent is not @expo-google-fonts\/noto-sans-sc [\d.]+: its digest is /,
    ),
  ]);
  const refused = await platen(data.path, args);
  expect(refused.stderr).toMatch(/could not be fetched: .* run "npm pack @expo-google-fonts\/noto-sans-sc@/s);
});

test('from the registry that npm is configured for, with its credentials', async () => {
  await using folder = await temporaryFolder();
  const archive = await readFile(await archiveOf(THAI, folder.path, 'thai.tgz'));
  const asked: string[] = [];
  await using registry = await serve(({ url = '', headers, socket }, response) => {
    asked.push(`${decodeURIComponent(url)} ${headers.authorization}`);
    if (url.endsWith('.tgz')) return void response.end(archive);
    const { package: name, version } = THAI;
    const tarball = `http://127.0.0.1:${socket.localPort}/files/thai.tgz`;
    response.end(JSON.stringify({ name, versions: { [version]: { name, version, dist: { tarball } } } }));
  });
  const host = `//127.0.0.1:${registry.port}/`;
  await writeFile(join(folder.path, '.npmrc'), `@expo-google-fonts:registry=http:${host}\n${host}:_authToken=s3cret\n`);
  const { status, stderr } = await platen(join(folder.path, 'data'), ['fonts', 'add', 'noto sans thai'], {
    HOME: folder.path,
  });
  expect(new Set(asked)).toEqual(new Set([`/${THAI.package} Bearer s3cret`, '/files/thai.tgz Bearer s3cret']));
  // The archive of the test is not that of the catalogue.
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^platen: What the registry sent is not @expo-/)]);
});

test('an archive is told by its digest', () => {
  const integrity = `sha512-${'z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=='}`;
  expect(() => checkIntegrity(new Uint8Array(), { ...THAI, integrity })).not.toThrow();
});

test('a name that the catalogue lacks', async () => {
  await using data = await temporaryFolder();
  const { status, stderr } = await platen(data.path, ['fonts', 'add', 'klingon']);
  expect([status, stderr]).toEqual([
    1,
    'platen: The catalogue has no "klingon"; "platen fonts list" shows what it has\n',
  ]);
});

test('a misspelt name', async () => {
  await using data = await temporaryFolder();
  const { stderr } = await platen(data.path, ['fonts', 'add', 'monserat']);
  expect(stderr).toBe('platen: The catalogue has no "monserat"; did you mean "Montserrat"?\n');
});

test('the list', async () => {
  await using data = await temporaryFolder();
  const { stdout } = await platen(data.path, ['fonts', 'list', '--json']);
  expect(JSON.parse(stdout)).toHaveLength(readCatalog().families.length);
  expect(JSON.parse(stdout)[0]).toEqual({
    family: 'Inter',
    package: '@expo-google-fonts/inter@0.4.2',
    category: 'sans-serif',
    group: null,
    size: expect.any(Number),
    installed: true,
  });
  const { stdout: words } = await platen(data.path, ['fonts', 'list']);
  expect(words).toMatch(/^absent {5}Montserrat {16}sans-serif {4,}[\d.]+ MB {2}latin$/m);
});
