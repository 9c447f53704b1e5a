// Builds `@platen/client` into clients/js/dist, or `@platen/editor` into clients/editor/dist: JavaScript and types, one
// file per source. `npm run build:client`.

import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');

/** @param folder the output folder. @param client below clients */
export async function buildClient(folder = join(ROOT, 'clients/js/dist'), client = 'js'): Promise<string> {
  // Without the files of sources that were removed since.
  await rm(folder, { recursive: true, force: true });
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  await promisify(execFile)(tsc, ['--project', join(ROOT, 'clients', client), '--outDir', folder]);
  return folder;
}

if (import.meta.main) {
  const client = process.argv[2] ?? 'js';
  await buildClient(join(ROOT, 'clients', client, 'dist'), client);
}
