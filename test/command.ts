// How tests start the command and the server as processes: what `npm ci` has built, as users run it, which takes less
// than half of the sources' processor time; the sources once one of them has changed.

import { join } from 'node:path';
import { isBuilt } from '../bin/is-built.mjs';

export const ROOT = join(import.meta.dirname, '..');

const ENTRY = join(ROOT, isBuilt(ROOT) ? 'dist/cli/main.js' : 'src/cli/main.ts');

/** What a started process gets of this one's environment. */
export const ENVIRONMENT: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};

/** The program and its arguments for `platen …`, without those of the launcher. */
export const commandLine = (...args: readonly string[]): readonly [string, ...string[]] => [
  process.execPath,
  ENTRY,
  ...args,
];
