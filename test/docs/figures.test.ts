// Tests figures in the documents that are neither a benchmark nor a constant (scripts/docs/figures.ts): sizes, versions and
// names of files, as they are today.

import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findPackage, readCatalog } from '#draw/fonts/catalog.ts';
import { DIFFERENT as BOXES } from '../core/html/chromium/different.ts';
import { CLAUSES } from '../core/html/chromium/fixtures.ts';
import { DIFFERENT as SHEETS } from '../core/html/sheets/different.ts';
import { FIXTURES } from '../core/html/sheets/fixtures.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

test('what the fonts for Chinese, Japanese and Korean take on the disk', () => {
  const families = readCatalog().families.filter((family) => family.group === 'cjk');
  const bytes = families.flatMap(({ package: name, faces }) =>
    faces.map(({ file }) => statSync(join(findPackage(name) ?? '', file)).size),
  );
  const size = `${Math.round(bytes.reduce((sum, each) => sum + each, 0) / 1e6)} MB on the disk`;
  for (const file of ['docs/install.md', 'docs/fonts.md']) expect(read(file), file).toContain(size);
});

test('how many families the Latin group has, and what they take on the disk', () => {
  const latin = readCatalog().families.filter((family) => family.group === 'latin');
  const size = latin.reduce((sum, each) => sum + each.size, 0);
  const words = read('docs/fonts.md').replaceAll(/\s+/g, ' ');
  expect(words).toContain(`The catalogue has ${latin.length} more`);
  expect(words).toContain(`take ${Math.round(size / 1e6)} MB on the disk`);
});

test('npm ci warns of no package on the Node that the README asks for', { timeout: 60_000 }, async () => {
  const [, major] = /^Node (\d+) or newer and npm are enough/m.exec(read('README.md')) ?? [];
  for (const file of ['docs/install.md', 'docs/quickstart.md'])
    expect(read(file), file).toContain(`Node ${major} or newer`);
  await using folder = await temporaryFolder();
  const files = ['.npmrc', 'package.json', 'package-lock.json', 'scripts/node/package.json'];
  for (const file of files) await cp(join(ROOT, file), join(folder.path, file));
  // npm, which compares its own Node's version, takes this one for older.
  const older = join(folder.path, 'older.cjs');
  await writeFile(older, `Object.defineProperty(process, 'version', { value: 'v${major}.0.0' })`);
  const warnings = async (...flags: string[]) => {
    const npm = ['ci', '--dry-run', '--offline', '--ignore-scripts', '--cache', join(folder.path, 'cache'), ...flags];
    const env = { PATH: process.env.PATH, NODE_OPTIONS: `--require=${older}` };
    return (await promisify(execFile)('npm', npm, { cwd: folder.path, env })).stderr;
  };
  expect(await warnings()).toBe('');
  // The check itself: packages do ask for a newer Node.
  expect(await warnings('--loglevel', 'warn')).toContain('EBADENGINE');
});

test('names of packages in the documents have the version of today', () => {
  const files = ['docs/install.md', 'docs/clients.md', 'clients/js/README.md'].map(read).join('\n');
  const names = [...files.matchAll(/platen(?:-client-|[-_])(\d+\.\d+\.\d+)/g)];
  expect(names.length).toBeGreaterThan(2);
  expect(new Set(names.map(([, named]) => named))).toEqual(new Set([version]));
});

const INSTALLING = ['README.md', 'docs/install.md', 'docs/clients.md', 'docs/edge.md', 'clients/js/README.md'];

test.each([...INSTALLING, 'clients/python/README.md'])(
  '%s says that nothing is published yet',
  // Nothing else could be installed by the name alone.
  (file) => {
    expect(read(file).replaceAll(/\s+/g, ' ')).toMatch(/(not|nothing is) \[?published/i);
    expect(read(file)).not.toMatch(/^(\/\/ )?(npm|pip) install (?!\.)/m);
  },
);

test('the packages name their repository', () => {
  for (const file of ['package.json', 'clients/js/package.json']) {
    expect(JSON.parse(read(file)), file).toMatchObject({ version, repository: { type: 'git' } });
  }
  expect(read('clients/python/pyproject.toml')).toContain(`version = "${version}"`);
});

test('the size of A4 in px', () => {
  const px = [210, 297].map((mm) => Math.round((mm / 25.4) * 96));
  expect(read('docs/documents.md')).toContain(`a canvas of ${px.join(' × ')} px is A4`);
});

test('how many starters there are', () => {
  const { starters } = JSON.parse(read('starters/index.json'));
  expect(read('docs/studio-overview.md')).toContain(`${starters.length} starters`);
});

test('the delays of webhooks are those of the schedule', () => {
  const delays = [...read('src/server/service/jobs/webhooks.ts').matchAll(/^ {2}(\d+) \* (SECOND|MINUTE|HOUR),$/gm)];
  const units: Readonly<Record<string, string>> = { SECOND: 's', MINUTE: 'min', HOUR: 'h' };
  const words = delays.map(([, count, unit = '']) => `${count} ${units[unit]}`);
  const said = `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
  expect(read('docs/webhooks.md').replace(/\s+/g, ' ')).toContain(said);
});

/** The cells of a page's rows that begin with this text, in any case and with or without hyphens. */
function rowOf(file: string, name: string): readonly string[] {
  const plain = (text: string) => text.toLowerCase().replaceAll('-', ' ');
  const row = read(file)
    .split('\n')
    .find((line) => plain(line).startsWith(`| ${plain(name)} `));
  return row?.split('|').map((cell) => cell.trim()) ?? [];
}

test.each(['photo card, png', 'photo card, webp', 'simple card, jpeg', 'dense card, png', 'dense card, pdf'])(
  'the README repeats the benchmark of %s',
  (name) => {
    const rounded = (cell = '') => cell.replace(/\((\d+\.\d+)×\)/, (_, times) => `(${Number(times).toFixed(1)}×)`);
    const [, , ours, satori, takumi, chromium] = rowOf('docs/benchmarks.md', name);
    expect(rowOf('README.md', name).slice(2, 6)).toEqual([ours, satori, takumi, chromium].map(rounded));
  },
);

test('how many times as long a peer takes follows from the milliseconds', () => {
  for (const line of read('docs/benchmarks.md').split('\n')) {
    const [, ours] = /^\| [\w-]+, \w+ \| ([\d.]+) \|/.exec(line) ?? [];
    if (ours === undefined) continue;
    for (const [, ms, times] of line.matchAll(/([\d.]+) \(([\d.]+)×\)/g)) {
      // Both were rounded after they were divided.
      expect(Math.abs(Number(ms) / Number(ours) - Number(times)), line).toBeLessThan(0.02 * Number(times));
    }
  }
});

test('how many pages of html are where Chromium has them', () => {
  const page = read('docs/html.md').replaceAll('\n', ' ');
  const pages = Object.values(CLAUSES).flatMap((all) => Object.keys(all)).length;
  const sheets = Object.keys(FIXTURES).length;
  const count = (list: Readonly<Record<string, readonly string[]>>) => Object.values(list).flat().length;
  const words = (number: number) => number.toLocaleString('en');
  expect(page).toContain(
    `Of ${words(pages)} pages that Chromium has laid out for us, ${words(pages - count(BOXES))} have`,
  );
  expect(page).toContain(`of ${sheets} pages on sheets, ${sheets - count(SHEETS)} have every word there`);
});
