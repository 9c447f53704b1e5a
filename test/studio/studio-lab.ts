// The studio in Chromium against the real server: a server process on an empty data folder, and pages that are watched.

import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { ROOT, type ServerProcess, startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** What a page must not do, as it is found. */
export interface Watched {
  /** Violations of the content security policy, errors of scripts, and answers of 500 and more. */
  readonly problems: string[];
  /** Addresses of another origin. */
  readonly strangers: string[];
  /** Addresses of this server that were asked for. */
  readonly asked: string[];
}

export interface StudioLab extends AsyncDisposable {
  readonly server: ServerProcess;
  readonly browser: Browser;
  /** As the server printed it at its first start. */
  readonly setUpLink: string;
  /** A page of its own window size; all its requests and problems are kept. */
  open(width?: number, height?: number): Promise<{ readonly page: Page; readonly watched: Watched }>;
  /** The server process by SIGKILL. */
  killServer(): Promise<void>;
  /** Another one, at the same address on the same folder. */
  startServer(): Promise<void>;
}

const CHROMIUM = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-headless-shell'];

export function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? CHROMIUM.find((path) => existsSync(path)) ?? '';
  return puppeteer.launch({ executablePath, args: ['--no-sandbox'] });
}

/** @param env besides what every server process of a test has */
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
    // A 4xx is an answer that a page is made for.
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
/** Held by the one test file that builds. */
const BUILDING = join(ROOT, 'dist/.building-studio');

/** As `npm ci` does; again where a source is newer. Test files that run at the same time build once. */
function buildStudio(): void {
  while (isStale()) {
    mkdirSync(join(ROOT, 'dist'), { recursive: true });
    try {
      mkdirSync(BUILDING);
    } catch {
      // Left behind by a test that was killed.
      const age = Date.now() - (statSync(BUILDING, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (age > 120_000) rmSync(BUILDING, { recursive: true, force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
      continue;
    }
    try {
      const { status, stderr } = spawnSync(process.execPath, ['scripts/prepare.mjs'], {
        cwd: ROOT,
        encoding: 'utf8',
        // As it is shipped: a test's own mode leaves in what only developers need.
        env: { ...process.env, NODE_ENV: 'production' },
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

/** Finds by the name that assistive technology reads, waits for it, and presses it. */
async function press(page: Page, role: string, name: string): Promise<void> {
  const found = await page.waitForSelector(`::-p-aria([name="${name}"][role="${role}"])`, { visible: true });
  await found?.click();
}

/** Types into the field of this label, in place of what is there. */
async function fill(page: Page, label: string, text: string): Promise<void> {
  const field = await page.waitForSelector(`::-p-aria([name="${label}"])`, { timeout: 30_000, visible: true });
  await field?.evaluate((element) => (element as HTMLInputElement).select());
  await field?.type(text);
}

export const PASSWORD = 'four quiet words here';

/** Becomes the owner by the printed link, and waits for the templates. */
export async function claim(page: Page, setUpLink: string): Promise<void> {
  await page.goto(setUpLink, { waitUntil: 'networkidle0' });
  await fill(page, 'Your name', 'Mara Lindqvist');
  await fill(page, 'E-mail', 'mara@example.com');
  await fill(page, 'Password', PASSWORD);
  await press(page, 'button', 'Create the owner');
  await page.waitForSelector('.card-name', { timeout: 60_000 });
}

/** The account whose pages are open. */
export const accountOf = (page: Page): string => /\/studio\/a\/([^/]+)/.exec(page.url())?.[1] ?? '';

/** Ends the page's process, as a tab that dies. */
export async function crash(page: Page): Promise<void> {
  const session = await page.createCDPSession();
  const crashed = new Promise<void>((resolve) => page.once('error', () => resolve()));
  // Never answered: the one who would is gone.
  session.send('Page.crash').catch(() => {});
  await crashed;
}
