// Runs the studio in Chromium against a real server process on an empty data folder, and records what its pages do
// wrong.

import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { ROOT } from '../command.ts';
import { type ServerProcess, startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { exposeEditor } from './editor/expose-editor.ts';

/** Problems and requests of a page, recorded as they occur. */
export interface Watched {
  /** Violations of the content security policy, script errors, and answers with status 500 or more. */
  readonly problems: string[];
  /** Requested URLs of other origins; there should be none. */
  readonly strangers: string[];
  /** Requested URLs of this server. */
  readonly asked: string[];
}

export interface StudioLab extends AsyncDisposable {
  readonly server: ServerProcess;
  readonly browser: Browser;
  /** The link that the server printed at its first start. */
  readonly setUpLink: string;
  /** Opens a page of this window size, and records all its requests and problems. */
  open(width?: number, height?: number): Promise<{ readonly page: Page; readonly watched: Watched }>;
  /** Ends the server process with SIGKILL. */
  killServer(): Promise<void>;
  /** Starts another server at the same address on the same folder. */
  startServer(): Promise<void>;
}

const CHROMIUM = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-headless-shell'];

export function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? CHROMIUM.find((path) => existsSync(path)) ?? '';
  return puppeteer.launch({ executablePath, args: ['--no-sandbox'] });
}

/** @param env variables in addition to those that every server process of a test has */
export async function openStudioLab(env: Readonly<Record<string, string>> = {}): Promise<StudioLab> {
  buildStudio();
  const folder = await temporaryFolder();
  let server = await startProcess(folder.path, env);
  const browser = await launchChromium();
  return {
    get server() {
      return server;
    },
    browser,
    setUpLink: /\S+\/studio\/setup#\S+/.exec(server.printed)?.[0] ?? '',
    async open(width = 1280, height = 800) {
      const page = await browser.newPage();
      await page.setViewport({ width, height });
      await exposeEditor(page);
      return { page, watched: watch(page, server.url) };
    },
    killServer: async () => server[Symbol.asyncDispose](),
    async startServer() {
      server = await startProcess(folder.path, { ...env, PORT: new URL(server.url).port });
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function watch(page: Page, url: string): Watched {
  const watched: Watched = { problems: [], strangers: [], asked: [] };
  page.on('console', (message) => {
    // Pages expect and handle 4xx answers.
    const isAnswer = /Failed to load resource: .* 4\d\d/.test(message.text());
    if (message.type() === 'error' && !isAnswer) watched.problems.push(message.text());
  });
  page.on('pageerror', (error) => watched.problems.push(String(error)));
  page.on('request', (request) => {
    const address = request.url();
    if (/^(data|blob|about):/.test(address)) return;
    (address.startsWith(url) ? watched.asked : watched.strangers).push(address);
  });
  page.on('response', (response) => {
    if (response.status() >= 500) watched.problems.push(`${response.status()} ${response.url()}`);
  });
  return watched;
}

const BUILT = join(ROOT, 'dist/studio/index.html');
/** A lock: this folder exists while a test file builds the studio. */
const BUILDING = join(ROOT, 'dist/.building-studio');

/**
 * Builds the studio as `npm ci` does, if a source is newer than the build. Test files that run in parallel build once.
 */
export function buildStudio(): void {
  while (isStale()) {
    mkdirSync(join(ROOT, 'dist'), { recursive: true });
    try {
      mkdirSync(BUILDING);
    } catch {
      // An old lock was left behind by a test that was killed.
      const age = Date.now() - (statSync(BUILDING, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (age > 120_000) rmSync(BUILDING, { recursive: true, force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
      continue;
    }
    try {
      const { status, stderr } = spawnSync(process.execPath, ['scripts/prepare.mjs'], {
        cwd: ROOT,
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(stderr);
    } finally {
      rmSync(BUILDING, { recursive: true, force: true });
    }
  }
}

function isStale(): boolean {
  const sources = globSync('{src/studio,src/core,starters}/**/*.{ts,tsx,css,html,json}', { cwd: ROOT });
  const newest = Math.max(...sources.map((file) => statSync(join(ROOT, file)).mtimeMs));
  return !existsSync(BUILT) || statSync(BUILT).mtimeMs < newest;
}

/** Waits for the visible element of this role and accessible name, and clicks it. */
export async function press(page: Page, role: string, name: string): Promise<void> {
  const found = await page.waitForSelector(`::-p-aria([name="${name}"][role="${role}"])`, { visible: true });
  await found?.click();
}

/** Replaces the content of the field with this label. */
async function fill(page: Page, label: string, text: string): Promise<void> {
  const field = await page.waitForSelector(`::-p-aria([name="${label}"])`, { timeout: 30_000, visible: true });
  await field?.evaluate((element) => (element as HTMLInputElement).select());
  await field?.type(text);
}

export const PASSWORD = 'four quiet words here';

/** Creates the owner through the printed link, and waits for the list of templates. */
export async function claim(page: Page, setUpLink: string): Promise<void> {
  await page.goto(setUpLink, { waitUntil: 'networkidle0' });
  await fill(page, 'Your name', 'Mara Lindqvist');
  await fill(page, 'E-mail', 'mara@example.com');
  await fill(page, 'Password', PASSWORD);
  await press(page, 'button', 'Create account');
  await page.waitForSelector('.card-name', { timeout: 60_000 });
}

/** The id of the account whose pages are open. */
export const accountOf = (page: Page): string => /\/studio\/a\/([^/]+)/.exec(page.url())?.[1] ?? '';

/** Asks the studio's API about this account from inside the page, with its session. @returns the JSON and its status */
export function askStudio(page: Page, method: string, path: string, json?: unknown) {
  return page.evaluate(
    async (verb, address, body) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(address, { method: verb, ...(body === undefined ? {} : { headers, body }) });
      return { ...JSON.parse((await answer.text()) || '{}'), status: answer.status };
    },
    method,
    `/v1/studio/accounts/${accountOf(page)}${path}`,
    json === undefined ? undefined : JSON.stringify(json),
  );
}

/** Waits until the page shows this text. */
export const sees = (page: Page, text: string) =>
  page.waitForFunction((wanted) => document.body.innerText.includes(wanted), { timeout: 30_000 }, text);

/** Crashes the page's renderer process. */
export async function crash(page: Page): Promise<void> {
  const session = await page.createCDPSession();
  const crashed = new Promise<void>((resolve) => page.once('error', () => resolve()));
  // Never answered, because the process that would answer is gone.
  session.send('Page.crash').catch(() => {});
  await crashed;
}
