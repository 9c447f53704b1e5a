#!/usr/bin/env node
// The command line: `platen <command>`.

import './older-node.ts';
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { COMMANDS } from './commands.ts';
import { reportFailure } from './report-failure.ts';

// Removes `fetch`, which nothing here uses: Yoga's loader would use it for its WebAssembly in a `data:` URL, and Node
// would load an HTTP client for that.
Object.defineProperty(globalThis, 'fetch', { value: undefined, configurable: true, writable: true });

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

const program = new Command('platen')
  .version(version, '-v, --version', 'print the version')
  .description('Renders stored templates of named layers to PNG, JPEG, WebP, AVIF, SVG and vector PDF.')
  .showHelpAfterError('(add --help for what the command takes)');
const [, , asked = ''] = process.argv;
const isVersion = asked === '-v' || asked === '--version';
const wanted = Object.hasOwn(COMMANDS, asked) ? [asked] : isVersion ? [] : Object.keys(COMMANDS);
for (const name of wanted) {
  const command = await COMMANDS[name]?.();
  if (command) program.addCommand(command);
}

await program.parseAsync().catch(reportFailure);
