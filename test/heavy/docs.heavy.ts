// Runs every code block of README.md and docs/*.md: shell, JavaScript, TypeScript and Python blocks in the order of
// their page, against a server of their own; blocks that sign URLs in every installed language, whose results must
// agree. A block that is not run says why; a block `text prints` is what the one above it prints.

import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMANDS } from '#cli/commands.ts';
import { signUrl } from '../../clients/js/index.ts';
import { buildEdge } from '../../scripts/build-edge.ts';
import { commandLine } from '../command.ts';
import { documents, type Fence, fencesOf, ROOT } from '../docs/fences.ts';
import { serve } from '../listen.ts';
import { type ServerProcess, startProcess } from '../server-process.ts';
import { type TemporaryFolder, temporaryFolder } from '../temporary-folder.ts';

const run = promisify(execFile);
const texts = await documents();
const fences = [...texts].flatMap(([file, text]) => fencesOf(file, text));

/** Stands in for https://example.com. */
const web = await serve((request, answer) => {
  const isPicture = /\.(jpg|png)$/.test(request.url ?? '');
  answer.setHeader('content-type', isPicture ? 'image/svg+xml' : 'text/html');
  answer.end(isPicture ? '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>' : '<h1>Example</h1>');
});
let folder: TemporaryFolder;
let server: ServerProcess;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  server = await startProcess(data, { PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' });
  const bin = join(folder.path, 'bin');
  await mkdir(bin);
  await writeFile(
    join(bin, 'platen'),
    `#!/bin/sh\nexec ${commandLine()
      .map((word) => `"${word}"`)
      .join(' ')} "$@"\n`,
  );
  await chmod(join(bin, 'platen'), 0o755);
  const port = new URL(server.url).port;
  env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: folder.path,
    PLATEN_DATA: data,
    PORT: port,
    PLATEN_URL: server.url,
  };
  for (const [, name = '', value = ''] of server.printed.matchAll(/export (\w+)=(\S+)/g)) env[name] = value;
  const { stdout } = await run('platen', ['secret', 'show', '--json'], { env });
  env.PLATEN_SIGNING_SECRET = JSON.parse(stdout).signing;
  await packages(join(folder.path, 'node_modules'));
}, 120_000);
afterAll(async () => {
  await web[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/**
 * Installs `platen`, with every entry of its package, and `@platen/client` from their sources; the edge entries from
 * their bundles.
 */
async function packages(modules: string): Promise<void> {
  await buildEdge(join(modules, 'edge'));
  await symlink(join(ROOT, 'node_modules/@expo-google-fonts'), join(modules, '@expo-google-fonts'));
  const { exports } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { types: string }>;
  };
  // `./dist/index.d.ts` has the types of src/index.ts.
  const entries = Object.entries(exports).flatMap(([entry, target]) =>
    typeof target === 'string'
      ? []
      : [[entry, target.types.replace('./dist/', 'src/').replace('.d.ts', '.ts')] as const],
  );
  const all = { platen: entries, '@platen/client': [['.', 'clients/js/index.ts'] as const] };
  for (const [name, list] of Object.entries(all)) {
    const own = join(modules, name);
    await mkdir(own, { recursive: true });
    const files = list.map(([entry, source], index) => ({ entry, file: `./entry-${index}.js`, source }));
    const map = Object.fromEntries(files.map(({ entry, file }) => [entry, file]));
    await writeFile(join(own, 'package.json'), JSON.stringify({ name, type: 'module', exports: map }));
    for (const { file, source } of files) {
      // The edge entries are bundles; no single source file stands for one.
      const path = source.startsWith('src/edge/')
        ? join(modules, 'edge', `${basename(source, '.ts')}.js`)
        : join(ROOT, source);
      await writeFile(join(own, file), `export * from ${JSON.stringify(path)};\n`);
    }
  }
}

/** How to run a language: the file's name, and the command for it. */
const RUNNERS: Readonly<Record<string, readonly [string, (file: string) => readonly string[]]>> = {
  sh: ['block.sh', (file) => ['bash', '-euo', 'pipefail', file]],
  js: ['block.mjs', (file) => [process.execPath, file]],
  ts: ['block.mts', (file) => [process.execPath, file]],
  python: ['block.py', (file) => ['python3', file]],
  php: ['block.php', (file) => ['php', file]],
  ruby: ['block.rb', (file) => ['ruby', file]],
  go: ['block.go', (file) => ['go', 'run', file]],
  java: ['Sign.java', (file) => ['java', file]],
  csharp: ['block.cs', (file) => ['sh', '-c', `mcs -out:${file}.exe ${file} && mono ${file}.exe`]],
};

async function runBlock({ language, code }: Fence, cwd: string): Promise<string> {
  const [name, command] = RUNNERS[language] ?? [];
  if (name === undefined || command === undefined) throw new Error(`no runner for ${language}`);
  const text = code
    .replaceAll('http://127.0.0.1:3000', server.url)
    .replaceAll('https://example.com', web.url)
    .replaceAll('npm run -s platen --', 'platen');
  const file = join(cwd, name);
  await writeFile(file, text);
  const [program = '', ...args] = command(file);
  const { stdout } = await run(program, args, {
    cwd,
    env: { ...env, PYTHONPATH: join(ROOT, 'clients/python') },
    timeout: 60_000,
  });
  return stdout;
}

/** Font files that the examples expect in their folder. */
const INTER = join(ROOT, 'node_modules/@expo-google-fonts/inter');
const FONTS = [
  ['400Regular/Inter_400Regular.ttf', 'Inter-Regular.ttf'],
  ['700Bold/Inter_700Bold.ttf', 'Inter-Bold.ttf'],
] as const;

const PROGRAMS = ['sh', 'js', 'ts', 'python'];
/** Languages of blocks that are not run: output, and settings of other programs. */
const DATA = ['text', 'json', 'yaml', 'ini', 'env', 'sql', 'nginx', 'dockerfile', 'html', 'css'];
const isRun = ({ language, skip, words }: Fence) =>
  skip === null && PROGRAMS.includes(language) && !words.some((word) => word === 'sign' || word.startsWith('recipe='));

/** @param output what a program prints, with `…` for what differs from run to run */
function asPattern(output: string): RegExp {
  const parts = output.trim().split('…');
  return new RegExp(`^${parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.+')}\\n?$`);
}

test.each([...texts.keys()])(
  '%s does what it shows',
  async (file) => {
    const cwd = join(folder.path, file.replace(/\W/g, '-'));
    await mkdir(cwd);
    await symlink(join(ROOT, 'samples'), join(cwd, 'samples'));
    for (const [face, name] of FONTS) await symlink(join(INTER, face), join(cwd, name));
    for (const fence of fences.filter((one) => one.file === file && isRun(one))) {
      const where = `${file}:${fence.line}`;
      const stdout = await runBlock(fence, cwd).catch((error) => {
        throw new Error(`${where}: ${error.stderr || error.message}\n${error.stdout ?? ''}`);
      });
      expect(stdout, where).not.toMatch(/"error":"/);
      const printed = fences.find(
        (one) => one.words.includes('prints') && one.follows === fence.line && one.file === file,
      );
      if (printed)
        expect(stdout.replaceAll(server.url, 'http://127.0.0.1:3000'), where).toMatch(asPattern(printed.code));
    }
  },
  120_000,
);

test('signing gives the same URL in every language that is installed, and a picture', async () => {
  const expected = await signUrl({
    baseUrl: server.url,
    secret: env.PLATEN_SIGNING_SECRET ?? '',
    template: env.PLATEN_TEMPLATE ?? '',
    extension: 'png',
    parameters: { title: "Hello & welcome (it's 5 o'clock)", scale: 2 },
  });
  const blocks = fences.filter(({ words }) => words.includes('sign'));
  expect(blocks).toHaveLength(8);
  const absent: string[] = [];
  for (const block of blocks) {
    const outcome = await runBlock(block, folder.path).catch(
      (error) => error as NodeJS.ErrnoException & { stderr?: string },
    );
    if (typeof outcome === 'string') expect(outcome.trim(), block.language).toBe(expected);
    else if (outcome.code === 'ENOENT' || /not found/.test(outcome.stderr ?? '')) absent.push(block.language);
    else throw outcome;
  }
  console.log(
    `signed in ${blocks.length - absent.length} of 8 languages; not installed: ${absent.join(', ') || 'none'}`,
  );
  expect(absent).not.toContain('sh');
  expect(absent).not.toContain('python');
  expect((await fetch(expected)).headers.get('content-type')).toBe('image/png');
}, 300_000);

test('every command and option of the documentation exists', async () => {
  const asked = new Map<string, Set<string>>();
  const lines = fences
    .filter(({ language }) => ['sh', 'text'].includes(language))
    .flatMap(({ code }) => code.split('\n'));
  for (const line of lines) {
    const [, words = ''] =
      /^(?:npx |npm run -s )?platen (?:-- )?([a-z].*)$/.exec(line.split(/\s{3,}|\s#/)[0] ?? '') ?? [];
    if (words === '') continue;
    const command = (/^(?:(?:account|key|user|template|texts|secret|webhook|fonts|import) )?[a-z-]+/.exec(words) ?? [
      '',
    ])[0];
    const options = asked.get(command) ?? new Set();
    for (const [option] of words.matchAll(/(?<=\s|\[)--?[a-z][a-z-]*/g)) options.add(option);
    asked.set(command, options);
  }
  expect(asked.size).toBeGreaterThan(25);
  const known = new Map<string, readonly string[]>();
  const learn = (command: Command, path: string) => {
    const options = command.createHelp().visibleOptions(command);
    known.set(
      path,
      options.flatMap(({ short, long }) => [short, long]).filter((option) => option !== undefined),
    );
    for (const inner of command.commands) learn(inner, `${path} ${inner.name()}`);
  };
  for (const [name, load] of Object.entries(COMMANDS)) learn(await load(), name);
  const wrong: string[] = [];
  for (const [command, options] of asked) {
    const has = known.get(command);
    if (!has) wrong.push(command);
    for (const option of options) if (!has?.includes(option)) wrong.push(`${command} ${option}`);
  }
  expect(wrong).toEqual([]);
  const { stdout } = await run('platen', ['--help'], { env });
  const commands = [...stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name);
  const page = texts.get('docs/command-line.md') ?? '';
  expect(commands.filter((name) => name !== 'help' && !page.includes(`\nplaten ${name} `))).toEqual([]);
}, 120_000);

test('what is not run is counted', () => {
  const skipped = fences.filter(({ skip }) => skip !== null);
  const count = (wanted: (fence: Fence) => boolean) => fences.filter(wanted).length;
  console.log(
    `${fences.length} blocks: ${count(isRun)} run, ${count(({ words }) => words.includes('sign'))} signed, ` +
      `${count(({ language }) => language === 'json')} of JSON parsed, ${count(({ words }) => words.some((one) => one.startsWith('recipe=')))} recipes, ` +
      `${count(({ language }) => DATA.includes(language) && language !== 'json')} of output and settings, ${skipped.length} skipped:\n` +
      skipped.map(({ file, line, skip }) => `  ${file}:${line}: ${skip}`).join('\n'),
  );
  const silent = fences.filter(
    (fence) =>
      !isRun(fence) &&
      fence.skip === null &&
      !DATA.includes(fence.language) &&
      !fence.words.some((word) => word === 'sign' || word.startsWith('recipe=')),
  );
  expect(silent.map(({ file, line, language }) => `${file}:${line} (${language})`)).toEqual([]);
});
