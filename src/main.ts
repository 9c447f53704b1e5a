// Starts the server and runs it until it is told to stop: `npm start`.

import { flushCompileCache } from 'node:module';
import { reportFailure } from '#cli/report-failure.ts';
import { createLog } from '#server/observability/log.ts';
import type { Demo } from '#server/service/accounts/demo.ts';
import { startServer } from '#server/start-server.ts';
import { boundHeaps, configWith, type Environment, unknownVariables, widenThreadPool } from './server/config/config.ts';

/**
 * Runs the server until a stop signal, after which running work may finish; a later second signal ends it at once.
 *
 * @param variables replace those of the environment
 */
export async function main(variables: Environment = {}): Promise<void> {
  await serve(variables);
  // Work that was handed back may still be running; its result is not used, so the process does not wait for it.
  process.exit(0);
}

async function serve(variables: Environment): Promise<void> {
  widenThreadPool();
  boundHeaps();
  // Before the address is printed: whoever sees it may send a signal.
  const stopped = untilSignal();
  let isStopping = false;
  void stopped.then(() => {
    isStopping = true;
  });
  const config = configWith(variables);
  const log = createLog(config.logLevel);
  for (const problem of unknownVariables()) log.warn(problem);
  await using server = await startServer(config, log, { jobsAwaitWarmUp: true });
  process.stdout.write(welcome(server.url, server.demo, server.setupLink));
  log.info({ pid: process.pid }, 'listening');
  void server
    .warmUp()
    // If drawing fails, later requests report the error themselves; a stop ends the drawing threads.
    .catch((err: unknown) => isStopping || log.warn({ err }, 'could not warm up'))
    // Otherwise it is written when the process exits, which does not happen when it is killed.
    .finally(flushCompileCache);

  const signal = await stopped;
  log.info({ signal }, 'stopping');
  await server.drain();
}

/** The signals that stop the server: of a supervisor, of Ctrl-C, and of a terminal that is closed. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Signals within this time, ms, count as one, whichever they are: npm passes on what the server has received itself as
 * part of the process group.
 */
const SAME_STOP = 250;

/** Resolves with the first stop signal. One that comes later than `SAME_STOP` after it ends the process. */
function untilSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let isStopping = false;
  let isLater = false;
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (isLater) process.exit(1);
      if (isStopping) return;
      isStopping = true;
      // The event loop reads signals after timers and before immediates: if it was blocked, those that came meanwhile
      // are read first.
      setTimeout(
        () =>
          setImmediate(() => {
            isLater = true;
          }),
        SAME_STOP,
      );
      resolve(signal);
    });
  }
  return promise;
}

/**
 * The text for the terminal: how to become the owner while there is none; after a first start also how to try the API.
 */
function welcome(url: string, demo: Demo | null, setupLink: string | null): string {
  const lines = [`Platen is listening on ${url}`];
  if (setupLink !== null) {
    lines.push('', 'Nobody owns the studio yet. Open this link, once and within 30 minutes, to become its owner:', '');
    lines.push(`  ${setupLink}`);
  } else lines.push(`The studio is at ${url}/studio/`);
  if (demo)
    lines.push(
      '',
      `A first start: here is a demo account, ${demo.accountId}. Its API key is shown this once:`,
      '',
      `  ${demo.key}`,
    );
  const first = demo?.samples.find(({ name }) => name.startsWith('Social card')) ?? demo?.samples[0];
  if (demo && first) {
    lines.push('', 'Its sample templates, each as a picture to open:', '');
    for (const { name, template, query } of demo.samples) {
      lines.push(`  ${name}`, `  ${url}/v1/templates/${template}/render.png?${query}`, '');
    }
    lines.push('Or through the API. These two are what the requests in the README name:', '');
    lines.push(`  export PLATEN_KEY=${demo.key}`, `  export PLATEN_TEMPLATE=${first.template}`, '');
    lines.push(`  curl ${url}/v1/renders -H "Authorization: Bearer $PLATEN_KEY" \\`);
    lines.push(`    -H 'Content-Type: application/json' -d '{"template":"'$PLATEN_TEMPLATE'","output":"pdf"}'`);
  }
  return `${lines.join('\n')}\n\n`;
}

if (import.meta.main) await main().catch(reportFailure);
