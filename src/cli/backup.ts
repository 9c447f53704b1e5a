// `platen backup` and `platen restore`: copy the data of a server on SQLite to a folder and back.

import { resolve } from 'node:path';
import { Command } from 'commander';
import { loadConfig } from '#server/config/config.ts';
import { JSON_OPTION, print } from './output.ts';

export function backupCommand(): Command {
  return new Command('backup')
    .description('Copy the database and all files to a folder, beside a running server; again: only what is new.')
    .argument('<folder>', 'where the backup is, or is to be')
    .option('--check', 'make none, but compare all of the one that is there with its manifest')
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
    .description('Check a backup, and make it the data of a server that has none yet.')
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
