// Tests the release archive of this platform: two builds are identical (`WHOLE=1`), and it runs with nothing but the C and C++
// libraries and a shell. Tests the container image made from it: it is started, used for a render, stopped, and started
// again on its volume. Linux, as root; the other platform's archive is only built, by `npm run dist`.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, copyFile, cp, glob, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../temporary-folder.ts';
import { buildah, configOf, type ImageConfig, runIn } from './run-image.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const NAME = `platen-linux-${process.arch}`;
const ARCHIVE = join(ROOT, 'release', `${NAME}.tar.zst`);

let root: TemporaryFolder;
let sums: readonly string[];

/**
 * Builds in a copy of the checkout, as other tests use its `dist` meanwhile, at compression level 3; the published level,
 * 19, takes a minute. @returns the digests of the files, which are in `release` afterwards
 */
async function build(umask: string, ...command: string[]): Promise<string[]> {
  await using copy = await temporaryFolder();
  const made = ['node_modules', 'dist', 'release', '.git'].map((name) => `--exclude=./${name}`);
  await run('sh', ['-c', `tar -c ${made.join(' ')} . | tar -x -C "$0"`, copy.path], { cwd: ROOT });
  // Linked rather than copied, where both are on one file system: a build changes none of its files.
  await run('sh', ['-c', 'cp -al node_modules "$0" 2>/dev/null || cp -a node_modules "$0"', copy.path], { cwd: ROOT });
  const git = await run('git', ['rev-parse', '--absolute-git-dir'], { cwd: ROOT }).catch(() => null);
  const env = git === null ? process.env : { ...process.env, GIT_DIR: git.stdout.trim() };
  const options = ['--architecture', process.arch, '--level', '3'];
  await run('sh', ['-c', 'umask "$0" && exec "$@"', umask, ...command, ...options], { cwd: copy.path, env });
  await rm(join(ROOT, 'release'), { recursive: true, force: true });
  await cp(join(copy.path, 'release'), join(ROOT, 'release'), { recursive: true, preserveTimestamps: true });
  return (await readFile(join(ROOT, 'release/SHA256SUMS'), 'utf8')).trim().split('\n');
}

/** Digests of what is the same whoever builds it; npm keeps the modes of files. */
const repeatable = (digests: readonly string[]) => digests.filter((line) => !line.endsWith('.tgz'));

/** The libraries that the dynamic loader finds for a program or module on this machine. */
async function librariesOf(file: string): Promise<string[]> {
  const { stdout } = await run('ldd', [file]);
  return (stdout.match(/\/(usr\/)?lib\S+/g) ?? []).filter((path) => !path.includes('node_modules'));
}

beforeAll(async () => {
  root = await temporaryFolder();
  const first = process.env.WHOLE ? await build('022', process.execPath, 'scripts/build-dist.ts') : [];
  // The second one, of which the rest is made, as the release workflow does, by a user whose files nobody else may read.
  sums = await build('077', 'packaging/release/build');
  expect(sums).toEqual(expect.arrayContaining(repeatable(first)));
  await run('tar', ['--zstd', '-xf', ARCHIVE, '-C', root.path]);
  const programs = [join(root.path, NAME, 'lib/node'), '/bin/sh'];
  for await (const file of glob('lib/platen/**/*.{node,so.*}', { cwd: join(root.path, NAME) })) {
    programs.push(join(root.path, NAME, file));
  }
  const libraries = new Set((await Promise.all(programs.map(librariesOf))).flat());
  for (const file of [...libraries, '/bin/sh']) {
    await mkdir(dirname(join(root.path, file)), { recursive: true });
    await copyFile(file, join(root.path, file));
  }
  await mkdir(join(root.path, 'tmp'));
  await cp(join(ROOT, 'samples'), join(root.path, 'samples'), { recursive: true });
  return () => root[Symbol.asyncDispose]();
}, 600_000);

/** The command for platen in a chroot with nothing of this environment, and no /proc, /dev or /etc. */
const inRoot = (...args: string[]) => ['/usr/sbin/chroot', root.path, `/${NAME}/bin/platen`, ...args] as const;

/** Resolves to the signed URL that a first start prints; rejects with the output if the server ends. */
function firstUrl(server: ChildProcess): Promise<string> {
  return printed(server, (said) =>
    said.includes('plt_live_') ? /http:\/\/\S+\/render\.png\S*/.exec(said)?.[0] : undefined,
  );
}

async function printed(server: ChildProcess, find: (said: string) => string | undefined): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = '';
  const hear = (chunk: Buffer) => {
    said += chunk;
    const found = find(said);
    if (found !== undefined) resolve(found);
  };
  server.stdout?.on('data', hear);
  server.stderr?.on('data', hear);
  server.once('exit', () => reject(new Error(said)));
  return promise;
}

test('a release has each file once, with its digest', async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const names = sums.map((line) => line.split(/ [ *]/)[1]);
  expect(names.toSorted()).toEqual([
    `platen-${version}-py3-none-any.whl`,
    `platen-${version}.tgz`,
    `platen-client-${version}.tgz`,
    `${NAME}.cdx.json`,
    `${NAME}.tar.zst`,
    `platen_${version}_${architecture}.deb`,
  ]);
  await run('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: join(ROOT, 'release') });
});

test('it is at most 120 MB', async () => {
  const megabytes = (await stat(ARCHIVE)).size / 1e6;
  console.log(`${NAME}.tar.zst at level 3: ${megabytes.toFixed(1)} MB`);
  expect(megabytes).toBeLessThanOrEqual(120);
  const { stdout } = await run('du', ['-s', '--apparent-size', '--block-size=1000000', join(root.path, NAME)]);
  const [, said] =
    /^\| archive \|.*unpacked (\d+) MB/m.exec(await readFile(join(ROOT, 'docs/install.md'), 'utf8')) ?? [];
  expect(Math.abs(Number.parseInt(stdout, 10) - Number(said))).toBeLessThanOrEqual(5);
});

test('its bill of materials and its licences name what it contains, bundled too', async () => {
  const bill = JSON.parse(await readFile(join(ROOT, 'release', `${NAME}.cdx.json`), 'utf8'));
  expect(bill.metadata.component.name).toBe('platen');
  const named = bill.components.map(({ name }: { readonly name: string }) => name);
  // Of the server, the studio, the edge, the fonts and the installed modules.
  for (const name of ['koa', 'preact', '@jsquash/png', '@expo-google-fonts/inter', '@img/colour']) {
    expect(named).toContain(name);
  }
  const lib = join(root.path, NAME, 'lib/platen');
  expect(await readFile(join(lib, 'dist/studio/LICENSES.txt'), 'utf8')).toMatch(/^preact [\d.]+ \(MIT\)$/m);
  const libvips = `node_modules/@img/sharp-libvips-linux-${process.arch}/README.md`;
  for (const file of ['node_modules/@img/colour/LICENSE.md', libvips]) {
    expect(await readFile(join(lib, file), 'utf8')).toMatch(/licen[cs]e/i);
  }
});

test('in an empty root it renders what a checkout renders', async () => {
  const [command, ...args] = inRoot('render', '/samples/social-card.json', '-o', '/card.png');
  await run(command, args, { env: {} });
  const here = join(root.path, 'here.png');
  await run('npm', ['run', '-s', 'platen', '--', 'render', 'samples/social-card.json', '-o', here], { cwd: ROOT });
  expect((await readFile(join(root.path, 'card.png'))).equals(await readFile(here))).toBe(true);
});

test('in an empty root it serves, and ends when it is told to', async () => {
  const [command, ...args] = inRoot('serve');
  const server = spawn(command, args, { env: { PORT: '0', PLATEN_DATA: '/data' } });
  const answer = await fetch(await firstUrl(server));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
  server.kill('SIGTERM');
  expect(await once(server, 'exit')).toEqual([0, null]);
});

test('the Debian package has the program and its service', async () => {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const deb = join(ROOT, `release/platen_${version}_${arch}.deb`);
  const [, said] =
    /^\| Debian package \|.* (\d+) MB/m.exec(await readFile(join(ROOT, 'docs/install.md'), 'utf8')) ?? [];
  expect(Math.abs((await stat(deb)).size / 1e6 - Number(said))).toBeLessThanOrEqual(6);
  const { stdout } = await run('dpkg-deb', ['--contents', deb], { maxBuffer: 2 ** 26 });
  for (const file of ['./usr/bin/platen -> ../lib/platen/bin/platen', './lib/systemd/system/platen.service']) {
    expect(stdout).toContain(file);
  }
  const modes = stdout
    .trim()
    .split('\n')
    .filter((line) => !line.endsWith('/platen.env'));
  expect(modes.filter((line) => !/^(drwxr-xr-x|-rw[-x]r-[-x]r-[-x]|lrwxrwxrwx) root\/root /.test(line))).toEqual([]);
  expect(stdout).toMatch(/^-rw------- root\/root .* \.\/etc\/platen\/platen\.env$/m);
});

test('the image: its size, and what it says of itself', async () => {
  await run(join(ROOT, 'packaging/container/build'), ['platen', process.arch]);
  const config = await configOf('localhost/platen');
  expect(config.User).toBe('10001:0');
  expect(Object.keys(config.Volumes)).toEqual(['/data']);
  expect(config.Healthcheck.Test).toEqual(['CMD', '/opt/platen/bin/platen', 'healthcheck']);
  expect(Object.keys(config.Labels)).toContain('org.opencontainers.image.revision');
  await using pushed = await temporaryFolder();
  await buildah('push', '--quiet', '--compression-format', 'gzip', 'localhost/platen', `dir:${pushed.path}`);
  const sizes = (await readdir(pushed.path)).map(async (name) => (await stat(join(pushed.path, name))).size);
  const megabytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1e6;
  console.log(`image, compressed by gzip: ${megabytes.toFixed(1)} MB`);
  expect(megabytes).toBeLessThanOrEqual(130);
  const [, said] =
    /^\| container \|.* (\d+) MB compressed/m.exec(await readFile(join(ROOT, 'docs/install.md'), 'utf8')) ?? [];
  expect(Math.abs(megabytes - Number(said))).toBeLessThanOrEqual(5);
});

test('the image: started, rendered with, stopped, and started again on the same volume', async () => {
  await using volume = await temporaryFolder();
  await chown(volume.path, 10_001, 10_001);
  const container = await buildah('from', 'localhost/platen');
  try {
    const mounted = await buildah('mount', container);
    const config = await configOf('localhost/platen');
    const env = { PORT: '3961', PLATEN_PUBLIC_URL: 'http://127.0.0.1:3961' };
    const command = [...config.Entrypoint, ...config.Cmd];
    const first = runIn(mounted, volume.path, config, command, env);
    const url = await firstUrl(first);
    expect((await fetch(url)).status).toBe(200);
    expect(await confinement(first)).toEqual({ Uid: '10001', CapEff: '0000000000000000', NoNewPrivs: '1' });
    expect(await health(mounted, volume.path, config, env)).toBe(0);
    await stop(first);
    expect(await health(mounted, volume.path, config, env)).toBe(1);

    const second = runIn(mounted, volume.path, config, command, env);
    await printed(second, (said) => (said.includes('is listening') ? said : undefined));
    const again = await fetch(url);
    expect([again.status, again.headers.get('content-type')]).toEqual([200, 'image/png']);
    await stop(second);

    // The image's own /data is for any user of group 0, as OpenShift runs containers; so is a new volume made from it.
    const { uid, gid, mode } = await stat(join(mounted, 'data'));
    expect([uid, gid, mode & 0o777]).toEqual([10_001, 0, 0o775]);
    await using fresh = await temporaryFolder();
    await chown(fresh.path, 10_001, 0);
    await chmod(fresh.path, 0o775);
    const third = runIn(mounted, fresh.path, { ...config, User: '1000650000:0' }, command, { ...env, HOME: '/' });
    expect((await fetch(await firstUrl(third))).status).toBe(200);
    await stop(third);
  } finally {
    await buildah('rm', container);
  }
});

/** The security restrictions of the started process: tini, whose child is the server. */
async function confinement({ pid }: ChildProcess): Promise<Record<string, string | undefined>> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const value = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1];
  return { Uid: value('Uid'), CapEff: value('CapEff'), NoNewPrivs: value('NoNewPrivs') };
}

async function health(mounted: string, volume: string, config: ImageConfig, env: Record<string, string>) {
  const probe = runIn(mounted, volume, config, config.Healthcheck.Test.slice(1), env);
  return (await once(probe, 'exit'))[0];
}

/** Stops it within 28 s, as the image promises. */
async function stop(server: ChildProcess): Promise<void> {
  server.removeAllListeners('exit');
  const over = once(server, 'exit', { signal: AbortSignal.timeout(28_000) });
  server.kill('SIGTERM');
  expect(await over).toEqual([0, null]);
}
