// `Idempotency-Key`: around the handler of a POST, so that a client may send it again when it does not know how it went.

import { createHash } from 'node:crypto';
import { AppError } from '#errors';
import type { Idempotency } from '#service/idempotency.ts';
import type { OnAccepted } from '#service/jobs.ts';
import { callerOf } from './authentication.ts';
import { readBody } from './body.ts';
import type { Handler, RequestContext } from './request-context.ts';
import { warningsHeader } from './warnings.ts';

const KEY = /^[\x20-\x7e]{1,255}$/;
const WARNINGS = 'platen-warnings';

/**
 * Handles a request with a key once; without one as ever.
 *
 * @param limit of the body, bytes
 */
export function idempotent(requests: Idempotency, limit: number, handle: Handler): Handler {
  return async (koa) => {
    const key = koa.req.headers['idempotency-key'];
    if (key === undefined) return handle(koa);
    if (typeof key !== 'string' || !KEY.test(key)) {
      throw new AppError('invalid_request', 'Idempotency-Key must have 1 to 255 ASCII characters.');
    }
    const { accountId, kind } = callerOf(koa);
    const fingerprint = fingerprintOf(koa, await readBody(koa, limit));

    let mine = false;
    const { status, body, warnings } = await requests.once({ accountId, kind, key, fingerprint }, async (record) => {
      mine = true;
      koa.state.recordAnswer = record;
      await handle(koa);
      return {
        status: koa.status,
        body: JSON.stringify(koa.body),
        warnings: koa.response.get(WARNINGS) || null,
      };
    });
    if (mine) return;
    koa.status = status;
    koa.type = 'application/json; charset=utf-8';
    koa.body = body;
    if (warnings !== null) koa.set(WARNINGS, warnings);
    koa.set('idempotent-replayed', 'true');
  };
}

/** Has a 202 recorded together with its job: a client that never saw it gets it again, and no second job. */
export function recordAccepted(koa: RequestContext): OnAccepted {
  return async (stores, { accepted, diagnostics }) => {
    const warnings = diagnostics.length > 0 ? warningsHeader(diagnostics) : null;
    await koa.state.recordAnswer?.(stores, { status: 202, body: JSON.stringify(accepted), warnings });
  };
}

/** What makes two requests the same: where they go and every byte of what they say. */
function fingerprintOf({ method, url }: RequestContext, body: Buffer): string {
  return createHash('sha256').update(`${method} ${url}\n`).update(body).digest('hex');
}
