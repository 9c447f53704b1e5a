// Builds `@platen/client` into clients/js/dist: JavaScript and types, one file per source. `npm run build:client`.

import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');

/** @param folder the output folder; absent: clients/js/dist */
export async function buildClient(folder = join(ROOT, 'clients/js/dist')): Promise<string> {
  // Without the files of sources that were removed since.
  await rm(folder, { recursive: true, force: true });
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  await promisify(execFile)(tsc, ['--project', join(ROOT, 'clients/js'), '--outDir', folder]);
  return folder;
}

if (import.meta.main) await buildClient();
