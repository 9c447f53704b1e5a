// `/healthz`: the process runs. `/readyz`: requests may be sent here, or better not.

import { AppError } from '#errors';
import type { Handler } from './request-context.ts';

export interface Readiness {
  /** True once the server was told to stop. */
  readonly stopping: () => boolean;
  /** Fails when the database does not answer. */
  readonly checkDatabase: () => Promise<unknown>;
}

export const readHealth: Handler = (koa) => {
  koa.body = { status: 'ok' };
};

export function readReadiness({ stopping, checkDatabase }: Readiness): Handler {
  return async (koa) => {
    if (stopping()) throw new AppError('overloaded', 'The server is stopping.', { retryAfter: 5 });
    try {
      await checkDatabase();
    } catch (cause) {
      throw new AppError('overloaded', 'The database does not answer.', { cause, retryAfter: 5 });
    }
    koa.body = { status: 'ready' };
  };
}
