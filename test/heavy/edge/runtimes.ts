// Installs `platen/edge` in an empty folder and runs it there in Cloudflare's runtime, Chromium, Deno and Node.
//
// Each gets the same jobs and answers in JSON. Each resolves imports by its own export conditions.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, type Plugin } from 'esbuild';
import { buildEdge } from '../../../scripts/build-edge.ts';
import { serve } from '../../listen.ts';
import { launchChromium } from '../../studio/studio-lab.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PACKAGES = join(import.meta.dirname, 'node_modules');
const find = (pattern: string) => globSync(pattern, { cwd: PACKAGES }).map((each) => join(PACKAGES, each))[0];

const WORKERD = find('@cloudflare/workerd-*/bin/workerd');
const DENO = find('@deno/*/deno');

/** The module that answers the jobs: its name in `subjects/`. It exports `answer(jobs)`. */
type Subject = 'edge' | 'og';

/** Answers jobs in one runtime. */
export type Runtime = (folder: string, subject: Subject, jobs: unknown) => Promise<unknown>;

/** Installs the package's edge entries and the subjects in a folder. */
export async function install(folder: string): Promise<void> {
  const platen = join(folder, 'node_modules/platen');
  await mkdir(platen, { recursive: true });
  const { name, version, type, exports } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  await writeFile(join(platen, 'package.json'), JSON.stringify({ name, version, type, exports }));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await buildEdge(join(platen, 'dist/edge'));
  await cp(join(import.meta.dirname, 'subjects/edge.js'), join(folder, 'edge.js'));
  await build({
    entryPoints: [join(import.meta.dirname, 'subjects/og.jsx')],
    outfile: join(folder, 'og.js'),
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    external: ['platen/edge', 'platen/og'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
}

export interface Worker extends AsyncDisposable {
  readonly url: string;
  /** The process id of workerd itself. */
  readonly pid: number;
}

/**
 * Bundles a worker as wrangler does: WebAssembly stays in files of its own, which are imported as modules.
 *
 * @param code the main module, which imports from `folder`
 * @returns the folder of the bundle
 */
export async function bundleWorker(
  folder: string,
  name: string,
  code: string,
  { minify = false, plugins = [] }: { readonly minify?: boolean; readonly plugins?: Plugin[] } = {},
): Promise<string> {
  const out = join(folder, `worker-${name}`);
  await build({
    stdin: { contents: code, resolveDir: folder },
    nodePaths: [join(ROOT, 'node_modules')],
    outfile: join(out, 'worker.js'),
    bundle: true,
    minify,
    plugins,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    loader: { '.wasm': 'copy' },
    assetNames: '[name]',
    logLevel: 'error',
  });
  return out;
}

/** Starts a worker in Cloudflare's runtime. */
export async function startWorker(folder: string, name: string, code: string, plugins: Plugin[] = []): Promise<Worker> {
  const out = await bundleWorker(folder, name, code, { plugins });
  const modules = globSync('*.wasm', { cwd: out }).map((file) => `(name = "./${file}", wasm = embed "${file}")`);
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js"), ${modules.join(', ')}],
  compatibilityDate = "2025-09-01"
);`;
  await writeFile(join(out, 'config.capnp'), config);
  const child = spawn(WORKERD ?? '', ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: out,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  const control = child.stdio[3] as NodeJS.ReadableStream;
  const ended = once(child, 'exit').then(() => [] as unknown[]);
  const [line] = await Promise.race([once(control, 'data'), ended]);
  if (line === undefined) throw new Error('workerd ended before it listened.');
  return {
    url: `http://127.0.0.1:${JSON.parse(String(line)).port}/`,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function inWorkerd(folder: string, subject: Subject, jobs: unknown): Promise<unknown> {
  const code = `import { answer } from './${subject}.js';
export default { async fetch(request) { return Response.json(await answer(await request.json())); } };`;
  await using worker = await startWorker(folder, subject, code);
  const response = await fetch(worker.url, { method: 'POST', body: JSON.stringify(jobs) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

/** Runs the package's modules unbundled, as files that are fetched; an import map resolves the package's name. */
async function inChromium(folder: string, subject: Subject, jobs: unknown): Promise<unknown> {
  const types: Record<string, string> = { js: 'text/javascript', wasm: 'application/wasm', html: 'text/html' };
  const at = '/node_modules/platen/dist/edge';
  const map = { imports: { 'platen/edge': `${at}/browser.js`, 'platen/og': `${at}/og-browser.js` } };
  const page = `<!doctype html><script type="importmap">${JSON.stringify(map)}</script>`;
  await using server = await serve(async (request, answer) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (path === '/') return void answer.setHeader('content-type', 'text/html').end(page);
    if (path === '/jobs.json') return void answer.end(JSON.stringify(jobs));
    const file = await readFile(join(folder, path)).catch(() => null);
    if (!file) return void answer.writeHead(404).end();
    answer.setHeader('content-type', types[path.split('.').at(-1) ?? ''] ?? 'text/plain').end(file);
  });
  const browser = await launchChromium();
  try {
    const tab = await browser.newPage();
    await tab.goto(`${server.url}/`);
    const answered = await tab.evaluate(`import('/${subject}.js')
      .then(async ({ answer }) => JSON.stringify(await answer(await (await fetch('/jobs.json')).json())))`);
    return JSON.parse(String(answered));
  } finally {
    await browser.close();
  }
}

/** Runs the subject in a process, which reads the jobs from a file and writes the answers to another. */
const inProcess =
  (program: string, ...before: readonly string[]): Runtime =>
  async (folder, subject, jobs) => {
    const [asked, answered] = [join(folder, 'jobs.json'), join(folder, 'answers.json')];
    await writeFile(asked, JSON.stringify(jobs));
    const code = `import { readFile, writeFile } from 'node:fs/promises';
import { answer } from './${subject}.js';
await writeFile(${JSON.stringify(answered)}, JSON.stringify(await answer(JSON.parse(await readFile(${JSON.stringify(asked)}, 'utf8')))));`;
    await writeFile(join(folder, `run-${subject}.mjs`), code);
    await promisify(execFile)(program, [...before, `run-${subject}.mjs`], { cwd: folder });
    return JSON.parse(await readFile(answered, 'utf8'));
  };

/** The runtimes by name; null if not installed. */
export const RUNTIMES: Readonly<Record<string, Runtime | null>> = {
  node: inProcess(process.execPath),
  workerd: WORKERD === undefined ? null : inWorkerd,
  chromium: existsSync('/usr/lib/chromium/chromium-headless-shell') || process.env.CHROMIUM_PATH ? inChromium : null,
  deno: DENO === undefined ? null : inProcess(DENO, 'run', '--allow-all', '--node-modules-dir=manual', '--no-lock'),
};
