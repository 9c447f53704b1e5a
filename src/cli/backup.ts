// `platen backup` and `platen restore`: copy the data of a server on SQLite to a folder and back. `platen migrate-to`:
// moves all data of a server into PostgreSQL and, optionally, its files into an S3 bucket.

import { resolve } from 'node:path';
import { Command } from 'commander';
import { configWith, loadConfig } from '#server/config/config.ts';
import type { Move } from '#server/maintenance/move.ts';
import { JSON_OPTION, print } from './output.ts';

export function backupCommand(): Command {
  return new Command('backup')
    .description('Copy the database and all files to a folder while the server runs; later runs copy what is new.')
    .argument('<folder>', 'where the backup is, or is to be')
    .option('--check', 'make no backup, but check the existing one against its manifest')
    .option(...JSON_OPTION)
    .action(async (folder: string, { check, json }: { check?: boolean; json?: boolean }) => {
      const { backUp, checkBackup } = await import('#server/maintenance/backup.ts');
      if (check) {
        const manifest = await checkBackup(resolve(folder));
        const { count } = manifest.files;
        print(json, { manifest }, `The backup of ${manifest.madeAt} is whole: the database and ${count} files.`);
        return;
      }
      const { manifest, copied, damaged } = await backUp(loadConfig(), resolve(folder));
      const { count, bytes } = manifest.files;
      const words = `${folder} holds the database and ${count} files of ${bytes} bytes, ${copied} of them new.`;
      print(json, { manifest, copied, damaged }, words);
      if (damaged.length === 0) return;
      process.stderr.write(`platen: ${damaged.length} files are not what was stored, and are not in the backup:\n`);
      process.stderr.write(`${damaged.join('\n')}\n`);
      process.exitCode = 1;
    });
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('Check a backup, and restore it to a server that has no data yet.')
    .argument('<folder>', 'what "platen backup" has made')
    .option(...JSON_OPTION)
    .action(async (folder: string, { json }: { json?: boolean }) => {
      const { restore } = await import('#server/maintenance/backup.ts');
      const config = loadConfig();
      const manifest = await restore(config, resolve(folder));
      const { count } = manifest.files;
      print(json, { manifest }, `${config.dataFolder} is as on ${manifest.madeAt}: the database and ${count} files.`);
    });
}

interface MoveOptions {
  readonly withoutDamaged?: boolean;
  readonly json?: boolean;
}

export function migrateToCommand(): Command {
  return new Command('migrate-to')
    .description('Move rows and files from the data folder to PostgreSQL and S3; repeat it until all is moved.')
    .argument('<database>', 'postgres://user:password@host/name, which must be empty')
    .argument('[bucket]', 's3://bucket/prefix?endpoint=…, with AWS_ACCESS_KEY_ID; absent: files stay where they are')
    .option('--without-damaged', 'leave out files that are damaged or missing, instead of stopping')
    .option(...JSON_OPTION)
    .action(async (database: string, bucket: string | undefined, options: MoveOptions) => {
      const source = loadConfig();
      const target = configWith({
        DATABASE_URL: database,
        DATABASE_URL_FILE: '',
        ...(bucket === undefined ? {} : { ASSETS_URL: bucket }),
      });
      const { move } = await import('#server/maintenance/move.ts');
      const moved = await move(source, target, {
        keepFiles: bucket === undefined,
        withoutDamaged: options.withoutDamaged === true,
        say: (words) => process.stderr.write(`${words}\n`),
      });
      print(options.json, moved, inWords(moved));
    });
}

function inWords({ tables, files, jobs }: Move): string {
  const rows = tables.map(
    ({ table, rows, digests }) => `  ${table.padEnd(20)} ${String(rows).padStart(9)}  ${digests[0]}`,
  );
  const kept = files.map(
    ({ kind, files, bytes, damaged }) =>
      `  ${kind.padEnd(20)} ${String(files).padStart(9)}  ${bytes} bytes${damaged.length > 0 ? `, without ${damaged.length} damaged` : ''}`,
  );
  return [
    'All rows are in the new database, and the same there (SHA-256 of each table):',
    ...rows,
    ...(files.length > 0 ? ['Files:', ...kept] : ['Files stay where they are.']),
    `${jobs} jobs that are not over go on as soon as a server starts there.`,
    'Start servers with the new DATABASE_URL and ASSETS_URL now, and never one on the old data again.',
  ].join('\n');
}
