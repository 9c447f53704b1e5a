// Packs the npm packages of this checkout, as they would be published.

import { execFile } from 'node:child_process';
import { cp, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { ROOT } from '../command.ts';

/** Where the sources of each package are. */
const SOURCES = { platen: ROOT, 'platen-client': join(ROOT, 'clients/js') } as const;

/**
 * Writes the archive of a package into a folder, and returns its path: the one that release.heavy.ts has made in this
 * run, if it has, as a build takes a minute.
 */
export async function packed(name: keyof typeof SOURCES, folder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(SOURCES[name], 'package.json'), 'utf8'));
  const file = `${name}-${version}.tgz`;
  const released = join(ROOT, 'release', file);
  const made = await stat(released).catch(() => null);
  if (made !== null && made.mtimeMs > inject('begun')) await cp(released, join(folder, file));
  else await promisify(execFile)('npm', ['pack', '--pack-destination', folder], { cwd: SOURCES[name] });
  return join(folder, file);
}
