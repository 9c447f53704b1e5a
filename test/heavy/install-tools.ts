// Installs, once per run, the packages that only heavy tests use.

import { installTools } from '../../scripts/install-tools.ts';

export default function setup(): void {
  for (const folder of ['test/heavy/edge', 'test/heavy/pdf-viewers', 'scripts/generate']) installTools(folder);
}
