// Finds an installed Chromium, and describes how to install one.

import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#base/errors.ts';

export interface ChromiumChoice {
  /** CHROMIUM_PATH, or null to search the usual places. */
  readonly chromiumPath: string | null;
  /** The folders in the environment's PATH. */
  readonly programFolders: readonly string[];
}

export interface FoundChromium {
  readonly path: string;
  /** The build without a user interface: smaller, faster, and without network traffic of its own. */
  readonly isShell: boolean;
}

/**
 * Where Debian, Ubuntu, Alpine, Fedora and macOS install the program itself. In /usr/bin there is often a shell script,
 * and killing that would leave the browser running.
 */
const PLACES = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/lib/chromium/chromium',
  '/usr/lib/chromium-browser/chromium-browser',
  '/usr/lib64/chromium-browser/headless_shell',
  '/opt/google/chrome/chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const NAMES = [
  'chrome-headless-shell',
  'headless_shell',
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

/** Advice for systems without Chromium. */
export const HOW_TO_GET_CHROMIUM =
  'install chromium-headless-shell (apt) or chromium, or set CHROMIUM_PATH to a Chromium or Chrome';

/** The Chromium that the operator names; otherwise a headless shell, wherever it is, in preference to any other. */
export function findChromium({ chromiumPath, programFolders }: ChromiumChoice): FoundChromium | null {
  const inPath = NAMES.flatMap((name) => programFolders.map((folder) => join(folder, name)));
  const found = (chromiumPath === null ? [...PLACES, ...inPath] : [chromiumPath]).filter(isProgram);
  const path = found.find(isShell) ?? found[0];
  return path === undefined ? null : { path, isShell: isShell(path) };
}

/** For the operator, when CHROMIUM_PATH names no program. */
export const notRun = (path: string): string =>
  `CHROMIUM_PATH names ${path}, which is no program that can be run: screenshots and html templates are refused. Correct it, or leave it unset to use an installed Chromium.`;

/** The error for the caller; `platen doctor` tells the operator more. */
export function noChromium(): AppError {
  return new AppError('render_failed', 'This server has no Chromium, which pages and html templates are drawn by.');
}

const isShell = (path: string) => /headless[-_]shell/.test(path);

/** Whether there is a file that may be run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
