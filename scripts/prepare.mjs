// Runs at the end of `npm ci`: builds the studio, the documentation and the `platen` command. It is the script of a
// workspace (scripts/node), so that the package itself has none that runs when it is installed.
//
// Plain JavaScript, because any Node may run it. Without development dependencies there is nothing to build with; the
// server then explains at /studio/ and /docs how to build them.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isBuilt } from '../bin/is-built.mjs';

const root = join(import.meta.dirname ?? '.', '..');

if (!existsSync(join(root, 'src/studio')) || !existsSync(join(root, 'node_modules/vite'))) {
  console.log('platen: the studio and the documentation were not built, as their build tools are not installed.');
} else {
  const { build } = await import('vite');
  await build({ configFile: join(root, 'vite.studio.config.ts'), logLevel: 'warn' });
  // Uses a Node that can read TypeScript: this one, or the installed package.
  const node =
    Number.parseInt(process.versions.node, 10) >= 24 ? process.execPath : join(root, 'node_modules/.bin/node');
  /** @param {string} script */
  const run = (script) => execFileSync(node, [join(root, 'scripts', script)], { stdio: 'inherit' });
  run('docs/build-docs.ts');
  if (!isBuilt(root)) run('build-command.ts');
}
