// `/healthz`: the process runs. `/readyz`: requests may be sent here, or better not.

import { AppError } from '#errors';
import type { Handler } from './request-context.ts';

export interface Readiness {
  /** True once the server was told to stop. */
  readonly stopping: () => boolean;
  /** Fails when the database does not answer. */
  readonly checkDatabase: () => Promise<unknown>;
  /** Fails when nothing can be stored. */
  readonly checkDisk: () => Promise<unknown>;
}

export const readHealth: Handler = (koa) => {
  koa.body = { status: 'ok' };
};

/** How long an answer about the disk is believed, ms: whoever asks, and how often, it is not kept busy. */
const BELIEVED = 1_000;

export function readReadiness({ stopping, checkDatabase, checkDisk }: Readiness): Handler {
  const checkDiskRarely = rarely(checkDisk);
  return async (koa) => {
    if (stopping()) throw notReady('The server is stopping.');
    await checkDatabase().catch((cause) => {
      throw notReady('The database does not answer.', cause);
    });
    await checkDiskRarely().catch((cause) => {
      throw notReady('The data folder cannot be written to.', cause);
    });
    koa.body = { status: 'ready' };
  };
}

const notReady = (message: string, cause?: unknown) => new AppError('overloaded', message, { cause, retryAfter: 5 });

/** The same, begun at most once in a while; until then it answers as it did. */
function rarely(check: () => Promise<unknown>): () => Promise<unknown> {
  let last: Promise<unknown> | null = null;
  return () => {
    if (last) return last;
    last = check();
    setTimeout(() => {
      last = null;
    }, BELIEVED).unref();
    return last;
  };
}
