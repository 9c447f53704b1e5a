// Installs the packages of a folder that has a package.json of its own: peers of the benchmark, tools of heavy tests.
//
// They are apart, because `npm ci` would fetch twice as much with them: `node scripts/install-tools.ts bench`.

import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const changed = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Installs what the folder's lock file says, unless that was done before. @param folder relative to the checkout */
export function installTools(folder: string): void {
  const path = join(ROOT, folder);
  // npm writes the first at the end of an installation.
  const isInstalled = changed(join(path, 'node_modules/.package-lock.json')) > changed(join(path, 'package-lock.json'));
  if (!isInstalled) execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: path, stdio: 'inherit' });
}

if (import.meta.main) for (const folder of process.argv.slice(2)) installTools(folder);
