#!/usr/bin/env node
// The command when typed by hand: finds a Node that can run the sources, and hands over to it.
//
// Plain JavaScript, because an older Node must get as far as this file.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const WANTED = 24;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const cli = join(root, 'src', 'cli', 'main.ts');

if (Number.parseInt(process.versions.node, 10) >= WANTED) {
  await import(new URL('../src/cli/main.ts', import.meta.url).href);
} else {
  const bundled = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(bundled)) {
    const child = spawn(bundled, [cli, ...process.argv.slice(2)], { stdio: 'inherit' });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('exit', (code) => process.exit(code ?? 1));
  } else {
    console.error(
      `platen: needs Node ${WANTED} or newer, this is ${process.versions.node}. ` +
        `"npm install" in ${root} brings one along; or install it from https://nodejs.org.`,
    );
    process.exit(1);
  }
}
