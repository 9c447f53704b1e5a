#!/usr/bin/env node
// The `platen` command: finds a Node that can run the sources, and runs them with it and with Platen's Node settings.
//
// Plain JavaScript, because an older Node must be able to run this file.

import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { isBuilt } from './is-built.mjs';
import { FLAGS, SERVER_FLAGS, withSettings } from './node-settings.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** A checkout has the sources, whose types Node 24 strips; a package has the built files alone. */
const isCheckout = existsSync(join(root, 'src'));
/** A checkout runs what it has built until a source changes: that starts in two thirds of the time. */
const ENTRY = isCheckout && !isBuilt(root) ? join(root, 'src', 'cli', 'main.ts') : join(root, 'dist', 'cli', 'main.js');
/** @type {readonly [number, number]} */
const WANTED = isCheckout ? [24, 0] : [22, 12];

/** The path of a Node of the wanted version, or null. */
function findNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > WANTED[0] || (major === WANTED[0] && minor >= WANTED[1])) return process.execPath;
  return bundledNode();
}

/** The Node of our optional dependencies, wherever npm has installed it. */
function bundledNode() {
  const { platform, arch } = process;
  const require = nodeModule.createRequire(import.meta.url);
  for (const name of [`node-${platform}-${arch}`, `node-bin-${platform}-${arch}`]) {
    try {
      const folder = dirname(require.resolve(`${name.replace('win32', 'win')}/package.json`));
      return join(folder, 'bin', platform === 'win32' ? 'node.exe' : 'node');
    } catch {
      // Not available for this platform, or left out of the installation.
    }
  }
  return null;
}

/**
 * Node 22 has SQLite behind a flag up to 22.12, and warns about it. It is used where sqlite3 was not built.
 *
 * @param {string} node
 */
function sqliteFlags(node) {
  if (node !== process.execPath || !process.versions.node.startsWith('22.')) return [];
  const isBehindFlag = process.versions.node.startsWith('22.12.');
  return [...(isBehindFlag ? ['--experimental-sqlite'] : []), '--disable-warning=ExperimentalWarning'];
}

/** @param {string} node */
async function handOver(node) {
  const flags = [...(process.argv[2] === 'serve' ? SERVER_FLAGS : FLAGS), ...sqliteFlags(node)];
  const args = [...process.execArgv, ...flags, ENTRY, ...process.argv.slice(2)];
  const env = withSettings(process.env);
  // Replaces this process, where the system can do that: otherwise it stays to take memory and forward signals.
  if (process.platform !== 'win32') process.execve?.(node, [node, ...args], env);
  const { spawn } = await import('node:child_process');
  const child = spawn(node, args, { stdio: 'inherit', env });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
}

/** Commands that run long and on threads, and so need all of the settings. */
const LONG = ['serve', 'batch'];

/** Runs the command in this process: starting another Node takes a tenth of a short command's time. */
async function goOn() {
  // The same as `--disable-proto=delete`, which can no longer be set.
  Reflect.deleteProperty(Object.prototype, '__proto__');
  // The only other flags that a short command may need: see node-settings.mjs.
  setFlagsFromString('--no-wasm-code-gc');
  setFlagsFromString('--no-allocation-site-pretenuring');
  // The young generation grows at once instead of step by step, with a collection for each: a tenth of the time.
  setFlagsFromString('--semi-space-growth-factor=16');
  nodeModule.enableCompileCache?.(withSettings(process.env).NODE_COMPILE_CACHE);
  await import(pathToFileURL(ENTRY).href);
}

const node = findNode();
const isShort = !LONG.includes(process.argv[2] ?? '');
if (node === process.execPath && isShort && sqliteFlags(node).length === 0) await goOn();
else if (node) await handOver(node);
else {
  // Only a checkout has Node among its dependencies.
  const remedy = isCheckout ? `"npm install" in ${root} brings one along; or install` : 'Install';
  console.error(
    `platen: needs Node ${WANTED.join('.')} or newer, this is ${process.versions.node}. ` +
      `${remedy} it from https://nodejs.org.`,
  );
  process.exit(1);
}
