// Starts the server in the odd ways that operators meet: each time it serves, or says in one sentence why not.
//
// Those that refuse are all tried, and a third of those that serve: SEED chooses which, WHOLE=1 takes all.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { commandLine, ENVIRONMENT } from '../command.ts';
import { freePort, serve } from '../listen.ts';
import { IS_WHOLE, SEED } from '../sampled.ts';
import { temporaryFolder } from '../temporary-folder.ts';

interface Way {
  readonly env?: NodeJS.ProcessEnv;
  /** Variables that are taken away. */
  readonly without?: readonly string[];
  /** A command before the server's own: `sh -c` with `"$@"`. */
  readonly through?: string;
  /** Makes what it needs; returns variables. @param folder the data folder, which is there and empty */
  readonly prepare?: (folder: string) => Promise<NodeJS.ProcessEnv>;
  /** The whole sentence of a refusal. */
  readonly refuses?: RegExp;
  /** What is printed or logged, and what is not. */
  readonly says?: RegExp;
  readonly saysNot?: RegExp;
  readonly needsRoot?: boolean;
}

const isRoot = process.getuid?.() === 0;
const onTmpfs = (options: string) =>
  `exec unshare --mount sh -c 'mount -t tmpfs -o ${options} none "$PLATEN_DATA" && PLATEN_DATA=$PLATEN_DATA/data exec "$@"' sh "$@"`;

const taken = await serve((_, answer) => answer.end());
afterAll(() => taken[Symbol.asyncDispose]());

const WAYS: Readonly<Record<string, Way>> = {
  'as documented': {},
  'on a port that is taken': {
    env: { PORT: String(taken.port) },
    refuses: /^Port \d+ of 127\.0\.0\.1 is in use\. Set PORT to another one\.$/,
  },
  'on an address of another machine': {
    env: { HOST: '192.0.2.1' },
    refuses: /^HOST is 192\.0\.2\.1, which is not an address/,
  },
  "with Kubernetes' PORT": { env: { PORT: 'tcp://10.0.0.1:80' }, refuses: /^PORT: must be a whole number$/ },
  "with Kubernetes' variables of platen-metrics and platen-browser": {
    env: {
      PLATEN_METRICS_PORT: 'tcp://10.0.0.1:9464',
      PLATEN_METRICS_SERVICE_HOST: '10.0.0.1',
      PLATEN_METRICS_PORT_9464_TCP_ADDR: '10.0.0.1',
      PLATEN_BROWSER_SERVICE_PORT_METRICS: '9464',
      PLATEN_BROWSER_PORT_3000_TCP: 'tcp://10.0.0.2:3000',
    },
    saysNot: /no such variable/,
  },
  'without HOME, in a zone and a language that are none': {
    without: ['HOME', 'USER'],
    env: { TZ: 'Mars/Olympus', LC_ALL: 'C' },
  },
  'with umask 077': { through: 'umask 077; exec "$@"' },
  'with 256 files': { through: 'ulimit -n 256; exec "$@"', says: /Only 256 files and connections may be open/ },
  'with 64 files': { through: 'ulimit -n 64; exec "$@"', says: /Only 64 files and connections may be open/ },
  'without a folder for temporary files': { env: { TMPDIR: '/nowhere' } },
  'on data below /proc': {
    env: { PLATEN_DATA: '/proc/platen' },
    refuses:
      /^The folder \/proc\/platen cannot be written to\. Let this user write there, or set PLATEN_DATA to another one\.$/,
  },
  'on data below /sys': {
    env: { PLATEN_DATA: '/sys/platen' },
    refuses: /^The folder \/sys\/platen cannot be written to\./,
  },
  'on data in the place of a file': {
    prepare: async (folder) => {
      await writeFile(join(folder, 'file'), '');
      return { PLATEN_DATA: join(folder, 'file') };
    },
    refuses: /file: it is a file, where a folder is needed\.$/,
  },
  'on a disk that is mounted read-only': {
    needsRoot: true,
    through: onTmpfs('ro'),
    refuses:
      /^The folder \S+ is on a disk that is mounted read-only\. Mount a volume that can be written to there, or set PLATEN_DATA/,
  },
  'on a disk of 100 KB': {
    needsRoot: true,
    through: onTmpfs('size=100k'),
    refuses: /^(?=.*(no room|full|cannot be used))[^\n]+\.$/,
  },
  'as any user in group 0': {
    needsRoot: true,
    env: { HOME: '/' },
    through: 'exec setpriv --reuid 1000650000 --regid 0 --clear-groups --no-new-privs "$@"',
    prepare: async (folder) => {
      await chown(folder, 10_001, 0);
      await chmod(folder, 0o775);
      // The folder of compiled code is another user's.
      await mkdir(join(folder, 'tmp'), { mode: 0o777 });
      await chmod(join(folder, 'tmp'), 0o777);
      return { NODE_COMPILE_CACHE: undefined };
    },
  },
  'on a database where nothing listens': {
    env: { DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/cards' },
    refuses: /^The database "cards" at 127\.0\.0\.1:1 as me, of DATABASE_URL, cannot be used: nothing listens there\./,
    saysNot: /hush/,
  },
  'on a database with a # in its password': {
    env: { DATABASE_URL: 'postgres://me:hu#sh@127.0.0.1:1/cards' },
    refuses: /^DATABASE_URL: has a # in its user or password, or elsewhere before an @: write it as %23$/,
    saysNot: /sh@/,
  },
  'on a database of several hosts': {
    env: { DATABASE_URL: 'postgres://me:hush@a:1,b:2/cards' },
    refuses: /^DATABASE_URL: names several hosts, and Platen connects to one/,
  },
  'on a socket that is not there': {
    env: { DATABASE_URL: 'postgres://me:hush@/cards?host=/nowhere' },
    refuses: /cannot be used: there is no socket \/nowhere\/\.s\.PGSQL\.5432 that it answers at \(ENOENT\)\./,
  },
  'on a bucket that does not answer': {
    env: { ASSETS_URL: 's3://bc?endpoint=http://127.0.0.1:1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' },
    refuses:
      /^The bucket "bc" of ASSETS_URL cannot be used\. http:\/\/127\.0\.0\.1:1 does not answer \(ECONNREFUSED\)\.$/,
  },
  'on a bucket of Azure': {
    env: { ASSETS_URL: 's3://bc?endpoint=https://a.blob.core.windows.net' },
    refuses: /^ASSETS_URL: names Azure Blob Storage, which does not speak S3/,
  },
  'below a path': {
    env: { PLATEN_PUBLIC_URL: 'https://example.com/a/' },
    says: /https:\/\/example\.com\/a\/studio\/setup#/,
  },
  'with a proxy that is not read': {
    env: { HTTPS_PROXY: 'http://p:3128' },
    says: /HTTPS_PROXY is set, which Platen does not read/,
  },
  'with a proxy that is none': {
    env: { PLATEN_OUTBOUND_PROXY: 'socks5://me:hush@p:1080' },
    refuses: /^PLATEN_OUTBOUND_PROXY: must be an address such as http:\/\/user:password@/,
    saysNot: /hush/,
  },
  'with a misspelt variable': { env: { PLATEN_DTAA: 'x' }, says: /did you mean PLATEN_DATA\?/ },
  'with a Chromium that is not there': {
    env: { CHROMIUM_PATH: '/nowhere/c' },
    says: /CHROMIUM_PATH names \/nowhere\/c/,
  },
  'with authorities that are not there': { env: { NODE_EXTRA_CA_CERTS: '/nowhere/a.pem' } },
};

const serving = Object.keys(WAYS).filter((name) => WAYS[name]?.refuses === undefined);
const isTaken = (name: string) =>
  (isRoot || !WAYS[name]?.needsRoot) &&
  (IS_WHOLE || !serving.includes(name) || (serving.indexOf(name) + SEED) % 3 === 0);

/** How long a start may take on a busy machine, ms. */
const PATIENCE = 120_000;

// Vitest runs five side by side.
test.concurrent.for(Object.entries(WAYS).filter(([name]) => isTaken(name)))(
  'a start %s',
  { timeout: 600_000 },
  async ([, way]) => {
    await using folder = await temporaryFolder();
    const prepared = (await way.prepare?.(folder.path)) ?? {};
    const env: NodeJS.ProcessEnv = {
      ...ENVIRONMENT,
      ...{
        PLATEN_DATA: folder.path,
        PORT: String(await freePort()),
        PLATEN_DRAIN_DELAY: '0',
        HOME: '/tmp',
        USER: 'me',
      },
      ...way.env,
      ...prepared,
    };
    for (const name of way.without ?? []) delete env[name];
    const [program, ...args] = way.through
      ? (['sh', '-c', way.through, 'sh', ...commandLine('serve')] as const)
      : commandLine('serve');
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const { said, code } = await untilEnded(child);
    if (way.refuses) {
      // After what is logged, if anything.
      const [, sentence] = /^(?:\{[^\n]*\n)*platen: ([^\n]*)\n$/.exec(said.problems) ?? [];
      expect([code, sentence ?? said.problems]).toEqual([1, expect.stringMatching(way.refuses)]);
    } else {
      expect([code, said.problems]).toEqual([0, expect.stringMatching(/"msg":"listening"[\s\S]*"msg":"stopping"/)]);
    }
    const all = said.printed + said.problems;
    // A server that is told to stop while it warms up has no stack to show either.
    expect(all).not.toMatch(/"stack"|\n {4}at /);
    if (way.says) expect(all).toMatch(way.says);
    if (way.saysNot) expect(all).not.toMatch(way.saysNot);
  },
);

/** Stops it as soon as it listens. */
async function untilEnded(child: ChildProcess) {
  const said = { printed: '', problems: '' };
  let isTold = false;
  child.stdout?.on('data', (chunk) => {
    said.printed += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    said.problems += chunk;
    // Once: a second signal ends a server at once.
    if (!isTold && said.problems.includes('"listening"')) isTold = child.kill('SIGTERM');
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  return { said, code: code as number | null };
}
