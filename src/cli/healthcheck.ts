// `platen healthcheck`: checks that the server of this environment answers, for container health checks.

import { Command } from 'commander';
import { AppError } from '#base/errors.ts';
import { type Config, loadConfig } from '#server/config/config.ts';

/** ms */
const TIMEOUT = 3_000;
/** The address at which to reach a server that listens on all interfaces. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export function healthcheckCommand(): Command {
  return new Command('healthcheck')
    .description('End with status 0 if the server that the environment describes answers, else with 1.')
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
