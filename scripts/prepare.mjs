// What `npm ci` does after the dependencies are there: builds the studio.
//
// Plain JavaScript, because any Node may run it. Installed without development dependencies there is nothing to build it
// with; the server then says at /studio/ how to.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname ?? '.', '..');

if (!existsSync(join(root, 'src/studio')) || !existsSync(join(root, 'node_modules/vite'))) {
  console.log('platen: the studio was not built, as its build tools are not installed.');
} else {
  const { build } = await import('vite');
  await build({ configFile: join(root, 'vite.studio.config.ts'), logLevel: 'warn' });
}
