// Installs, once per run, the packages that only heavy tests use.

import { installTools } from '../../scripts/install-tools.ts';

export default function setup(): void {
  const folders = [
    'test/heavy/edge',
    'test/heavy/pdf-viewers',
    'test/storage/postgres/binaries',
    'scripts/generate',
    'samples/editor',
  ];
  for (const folder of folders) installTools(folder);
}
