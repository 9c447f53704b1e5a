// `/healthz`: the process runs. `/readyz`: whether requests should be sent here.

import { resultWithin } from '#base/concurrency/deadline.ts';
import { AppError } from '#base/errors.ts';
import type { Handler } from './middleware/request-context.ts';

export interface Readiness {
  /** True once the server was told to stop. */
  readonly stopping: () => boolean;
  /** Whether the database takes writes; rejects when it does not answer. */
  readonly checkDatabase: () => Promise<boolean>;
  /** Where files are stored, for the message: `data folder`, `bucket "pictures" of ASSETS_URL`. */
  readonly filesIn: string;
  /** Rejects when nothing can be stored. */
  readonly checkDisk: () => Promise<unknown>;
  /** Rejects, or does not resolve, while no thread draws. */
  readonly checkDrawing: () => Promise<unknown>;
}

export const readHealth: Handler = (koa) => {
  koa.body = { status: 'ok' };
};

/** How long a result of a check is reused, ms, so that frequent requests keep neither disk nor thread busy. */
const BELIEVED = 1_000;
/** How long the drawing thread may take to answer, ms. */
const DRAWING = 3_000;

export function readReadiness({ stopping, checkDatabase, filesIn, checkDisk, checkDrawing }: Readiness): Handler {
  const checkDiskRarely = rarely(checkDisk);
  const checkDrawingRarely = rarely(() => resultWithin(DRAWING, checkDrawing(), () => new Error('No thread answers.')));
  return async (koa) => {
    if (stopping()) throw notReady('The server is stopping.');
    const isWritable = await checkDatabase().catch((cause) => {
      throw notReady('The database does not answer.', cause);
    });
    if (!isWritable) throw notReady('The database is read-only.');
    await checkDiskRarely().catch((cause) => {
      throw notReady(`The ${filesIn} cannot be written to.`, cause);
    });
    await checkDrawingRarely().catch((cause) => {
      throw notReady('The server cannot draw at the moment.', cause);
    });
    koa.body = { status: 'ready' };
  };
}

const notReady = (message: string, cause?: unknown) => new AppError('overloaded', message, { cause, retryAfter: 5 });

/** Runs the check at most once per `BELIEVED` ms; in between returns the last result. */
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
