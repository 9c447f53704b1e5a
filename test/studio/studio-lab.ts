// The studio in Chromium against the real server: a server process on an empty data folder, and pages that are watched.

import { spawnSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
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
}

const CHROMIUM = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-headless-shell'];

export function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? CHROMIUM.find((path) => existsSync(path)) ?? '';
  return puppeteer.launch({ executablePath, args: ['--no-sandbox'] });
}

export async function openStudioLab(): Promise<StudioLab> {
  buildStudio();
  const folder = await temporaryFolder();
  const server = await startProcess(folder.path);
  const browser = await launchChromium();
  return {
    server,
    browser,
    setUpLink: /\S+\/studio\/setup#\S+/.exec(server.printed)?.[0] ?? '',
    async open(width = 1280, height = 800) {
      const page = await browser.newPage();
      await page.setViewport({ width, height });
      return { page, watched: watch(page, server.url) };
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

/** As `npm ci` does; again where a source is newer. */
function buildStudio(): void {
  const built = join(ROOT, 'dist/studio/index.html');
  const newest = Math.max(
    ...globSync('{src/studio,src/core,starters}/**/*.{ts,tsx,css,html,json}', { cwd: ROOT }).map(
      (file) => statSync(join(ROOT, file)).mtimeMs,
    ),
  );
  if (existsSync(built) && statSync(built).mtimeMs > newest) return;
  const { status, stderr } = spawnSync(process.execPath, ['scripts/prepare.mjs'], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** Finds by the name that assistive technology reads, waits for it, and presses it. */
export async function press(page: Page, role: string, name: string | RegExp): Promise<void> {
  const found = await byRole(page, role, name);
  await found.click();
}

export async function byRole(page: Page, role: string, name: string | RegExp) {
  const selector =
    typeof name === 'string' ? `::-p-aria([name="${name}"][role="${role}"])` : `::-p-aria([role="${role}"])`;
  if (typeof name === 'string') {
    const found = await page.waitForSelector(selector, { timeout: 30_000, visible: true });
    if (found) return found;
  }
  await page.waitForSelector(selector, { timeout: 30_000 });
  for (const one of await page.$$(selector)) {
    const text = await one.evaluate((element) => element.getAttribute('aria-label') ?? element.textContent ?? '');
    if ((name as RegExp).test(text)) return one;
  }
  throw new Error(`No ${role} is called ${name}.`);
}

/** Types into the field of this label, in place of what is there. */
export async function fill(page: Page, label: string, text: string): Promise<void> {
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
  await page.waitForSelector('.card', { timeout: 60_000 });
}

/** The account whose pages are open. */
export const accountOf = (page: Page): string => /\/studio\/a\/([^/]+)/.exec(page.url())?.[1] ?? '';
