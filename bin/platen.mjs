#!/usr/bin/env node
// The command: finds a Node that can run the sources, and hands over to it, with the settings that suit them.
//
// Plain JavaScript, because an older Node must get as far as this file.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FLAGS, SERVER_FLAGS, withSettings } from './node-settings.mjs';

const WANTED = 24;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** A Node of the wanted version, or null. */
function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= WANTED) return process.execPath;
  const bundled = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(bundled) ? bundled : null;
}

/** @param {string} node */
function handOver(node) {
  const flags = process.argv[2] === 'serve' ? SERVER_FLAGS : FLAGS;
  const args = [...process.execArgv, ...flags, join(root, 'src', 'cli', 'main.ts'), ...process.argv.slice(2)];
  const env = withSettings(process.env);
  // In this process's place, where the system can do that: none is left behind to take memory and pass signals on.
  if (process.platform !== 'win32') process.execve?.(node, [node, ...args], env);
  const child = spawn(node, args, { stdio: 'inherit', env });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
}

const node = findNode();
if (node) handOver(node);
else {
  console.error(
    `platen: needs Node ${WANTED} or newer, this is ${process.versions.node}. ` +
      `"npm install" in ${root} brings one along; or install it from https://nodejs.org.`,
  );
  process.exit(1);
}
