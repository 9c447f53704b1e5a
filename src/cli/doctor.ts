// `platen doctor`: reports what is configured, what is missing, and how to fix it.

import { Command } from 'commander';
import { JSON_OPTION, print } from './output.ts';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Say what is configured, what is missing and how to correct it.')
    .option('--check', 'also compare every stored file with what was stored')
    .option(...JSON_OPTION)
    .action(async (options: { json?: boolean; check?: boolean }) => {
      const { examine, inWords } = await import('#server/maintenance/doctor-checks.ts');
      const findings = await examine(options.check ?? false);
      print(options.json, findings, inWords(findings));
      if (findings.checks.some(({ state }) => state === 'broken')) process.exitCode = 1;
    });
}
