// `platen serve`: runs the server. `platen healthcheck` and `platen doctor`: look at the one of this environment.

import { Command, InvalidArgumentError, Option } from 'commander';
import { AppError } from '#base/errors.ts';
import { type Config, loadConfig } from '#server/config/config.ts';
import { JSON_OPTION, print } from './output.ts';

interface Options {
  readonly port?: string;
  readonly host?: string;
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('Run the server, as configured by the environment.')
    .addOption(new Option('--port <number>', 'the TCP port to listen on, instead of PORT; 0 takes any').argParser(port))
    .option('--host <address>', 'the address to listen on, instead of HOST; 0.0.0.0 opens the server to the network')
    .action(async ({ port, host }: Options) => {
      const { main } = await import('../main.ts');
      await main({ ...(port !== undefined && { PORT: port }), ...(host !== undefined && { HOST: host }) });
    });
}

function port(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return text;
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
}

/** ms */
const TIMEOUT = 3_000;
/** The address at which to reach a server that listens on all interfaces. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Checks that the server of this environment answers, for container health checks. */
export function healthcheckCommand(): Command {
  return new Command('healthcheck')
    .description('Exit with status 0 if the server that the environment describes answers, otherwise with 1.')
    .action(async () => {
      const status = await askHealth(loadConfig());
      if (status !== 200) throw new AppError('render_failed', `The server answers ${status}.`);
    });
}

/** @returns the status of /healthz */
async function askHealth({ host, port }: Config): Promise<number> {
  // Imported here, since Node's HTTP client would add 50 ms to every command.
  const { get } = await import('node:http');
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const request = get({ host: LOOPBACK[host] ?? host, port, path: '/healthz', timeout: TIMEOUT, agent: false });
  request.on('response', ({ statusCode = 0 }) => {
    resolve(statusCode);
    request.destroy();
  });
  request.on('timeout', () => request.destroy(new Error(`no answer within ${TIMEOUT / 1000} s`)));
  request.on('error', ({ message }) =>
    reject(new AppError('render_failed', `No server answers at ${host}:${port}: ${message}`)),
  );
  return promise;
}

/** Reports what is configured, what is missing, and how to fix it. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Show what is configured, what is missing and how to fix it.')
    .option('--check', 'also compare every stored file with what was stored')
    .option(...JSON_OPTION)
    .action(async (options: { json?: boolean; check?: boolean }) => {
      const { examine, inWords } = await import('#server/maintenance/doctor-checks.ts');
      const findings = await examine(options.check ?? false);
      print(options.json, findings, inWords(findings));
      if (findings.checks.some(({ state }) => state === 'broken')) process.exitCode = 1;
    });
}
