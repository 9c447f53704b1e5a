#!/usr/bin/env node
// The command line: `platen <command>`. Each command has its own file, and loads what it needs when it runs.

import '../older-node.ts';
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { reportFailure } from '../report-failure.ts';
import { accountCommand } from './account.ts';
import { backupCommand, restoreCommand } from './backup.ts';
import { batchCommand } from './batch.ts';
import { doctorCommand } from './doctor.ts';
import { fontsCommand } from './fonts.ts';
import { healthcheckCommand } from './healthcheck.ts';
import { importCommand } from './import.ts';
import { keyCommand } from './key.ts';
import { layoutCommand } from './layout.ts';
import { mcpCommand } from './mcp.ts';
import { migrateToCommand } from './migrate-to.ts';
import { renderCommand } from './render.ts';
import { secretCommand } from './secret.ts';
import { serveCommand } from './serve.ts';
import { signCommand } from './sign.ts';
import { specimenCommand } from './specimen.ts';
import { templateCommand } from './template.ts';
import { typedLayersCommand } from './typed-layers.ts';
import { userCommand } from './user.ts';
import { webhookCommand } from './webhook.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

const program = new Command('platen')
  .version(version, '-v, --version', 'print the version')
  .description('Stored templates of named layers to PNG, JPEG, WebP and vector PDF.')
  .showHelpAfterError('(add --help for what the command takes)')
  .addCommand(serveCommand())
  .addCommand(renderCommand())
  .addCommand(batchCommand())
  .addCommand(layoutCommand())
  .addCommand(accountCommand())
  .addCommand(keyCommand())
  .addCommand(userCommand())
  .addCommand(templateCommand())
  .addCommand(importCommand())
  .addCommand(typedLayersCommand())
  .addCommand(secretCommand())
  .addCommand(signCommand())
  .addCommand(webhookCommand())
  .addCommand(backupCommand())
  .addCommand(restoreCommand())
  .addCommand(migrateToCommand())
  .addCommand(mcpCommand())
  .addCommand(specimenCommand())
  .addCommand(fontsCommand())
  .addCommand(healthcheckCommand())
  .addCommand(doctorCommand());

// Removes `fetch`, which nothing here uses: Yoga's loader would use it for its WebAssembly in a `data:` URL, and Node
// would load an HTTP client for that.
Object.defineProperty(globalThis, 'fetch', { value: undefined, configurable: true, writable: true });

await program.parseAsync().catch(reportFailure);
