// Measures the time and size of each way to a first picture, from an empty folder: npm package, archive, container.
//
// node scripts/time-installs.ts [--package platen-0.1.0.tgz]
//
// Uses the archive that `npm run dist` wrote to release/, and the image of packaging/container/build if buildah has it
// (Linux, as root). Packs the npm package unless it is given. npm starts with an empty cache, the image with an empty
// store.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, mkdtempDisposable, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { type ImageConfig, runIn } from '../test/heavy/run-image.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
const CARD = {
  name: 'Card',
  width: 600,
  height: 200,
  background: '#0b1020',
  layers: [{ name: 'title', type: 'text', text: 'Hello', x: 32, y: 64, fontSize: 48, color: '#ffffff' }],
};
const { values } = parseArgs({ options: { package: { type: 'string' } } });

interface Way {
  readonly name: string;
  /** MB downloaded, and MB on the disk. */
  readonly fetched: number;
  readonly installed: number;
  /** s for the installing command, and from its end to the picture. */
  readonly installing: number;
  readonly drawing: number;
}

/** The duration of `work` in s. */
async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

async function sizeOf(path: string): Promise<number> {
  const { stdout } = await run('du', ['-sb', path]);
  return Number.parseInt(stdout, 10) / 1e6;
}

async function expectPicture(file: string): Promise<void> {
  if ((await readFile(file)).toString('latin1', 1, 4) !== 'PNG') throw new Error(`${file} is no PNG.`);
}

async function byNpm(folder: string): Promise<Way> {
  let archive = values.package === undefined ? undefined : resolve(values.package);
  if (archive === undefined) {
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT });
    archive = join(folder, stdout.trim().split('\n').at(-1) ?? '');
  }
  const env = { ...process.env, npm_config_cache: join(folder, 'cache') };
  const work = join(folder, 'work');
  await mkdir(work);
  await writeFile(join(work, 'card.json'), JSON.stringify(CARD));
  await writeFile(join(work, 'package.json'), '{"private":true}');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
  const installing = await seconds(() => run('npm', ['install', ...flags, archive], { cwd: work, env }));
  const render = ['platen', 'render', 'card.json', '-o', 'card.png'];
  const drawing = await seconds(() => run('npx', render, { cwd: work, env }));
  await expectPicture(join(work, 'card.png'));
  const fetched = (await sizeOf(join(folder, 'cache/_cacache/content-v2'))) + (await stat(archive)).size / 1e6;
  return { name: 'npm package', fetched, installed: await sizeOf(join(work, 'node_modules')), installing, drawing };
}

async function byArchive(folder: string): Promise<Way> {
  const name = `platen-linux-${process.arch}`;
  const archive = join(ROOT, `release/${name}.tar.zst`);
  await writeFile(join(folder, 'card.json'), JSON.stringify(CARD));
  const installing = await seconds(() => run('tar', ['--zstd', '-xf', archive], { cwd: folder }));
  const render = ['render', 'card.json', '-o', 'card.png'];
  const drawing = await seconds(() => run(join(folder, name, 'bin/platen'), render, { cwd: folder, env: {} }));
  await expectPicture(join(folder, 'card.png'));
  const fetched = (await stat(archive)).size / 1e6;
  return { name: 'archive', fetched, installed: await sizeOf(join(folder, name)), installing, drawing };
}

async function byContainer(folder: string): Promise<Way> {
  const [image, store, data] = ['image', 'store', 'data'].map((each) => join(folder, each)) as [string, string, string];
  const env = { ...process.env, STORAGE_DRIVER: 'vfs' };
  const buildah = async (...args: string[]) => (await run('buildah', args, { env })).stdout.trim();
  await buildah('push', '--quiet', '--compression-format', 'gzip', 'localhost/platen', `dir:${image}`);
  const inStore = (...args: string[]) => buildah('--root', store, '--runroot', join(folder, 'run'), ...args);
  await mkdir(data);
  await writeFile(join(data, 'card.json'), JSON.stringify(CARD));
  await chown(data, 10_001, 10_001);
  let mounted = '';
  const installing = await seconds(async () => {
    mounted = await inStore('mount', await inStore('from', '--quiet', `dir:${image}`));
  });
  const { config } = JSON.parse(await buildah('inspect', '--type', 'image', 'localhost/platen')).Docker as {
    config: ImageConfig;
  };
  const render = [...config.Entrypoint, 'render', '/data/card.json', '-o', '/data/card.png'];
  const drawing = await seconds(() => once(runIn(mounted, data, config, render, {}), 'exit'));
  await expectPicture(join(data, 'card.png'));
  const way = { fetched: await sizeOf(image), installed: await sizeOf(mounted) };
  await inStore('rm', '--all');
  return { name: 'container', ...way, installing, drawing };
}

const ways: Way[] = [];
for (const way of [byNpm, byArchive, byContainer]) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'platen-install-'));
  ways.push(await way(folder.path).catch((error: Error) => Promise.reject(new Error(`${way.name}: ${error.message}`))));
}
console.log('| how | fetched | installed | to install | to the picture |\n|---|--:|--:|--:|--:|');
for (const { name, fetched, installed, installing, drawing } of ways) {
  const sizes = [fetched, installed].map((size) => `${size.toFixed(0)} MB`);
  const times = [installing, drawing].map((time) => `${time.toFixed(1)} s`);
  console.log(`| ${[name, ...sizes, ...times].join(' | ')} |`);
}
