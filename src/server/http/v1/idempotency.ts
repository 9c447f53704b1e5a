// Handles `Idempotency-Key` around the handlers of POST requests, so that a client may repeat a request whose outcome
// it does not know.

import { createHash } from 'node:crypto';
import { AppError } from '#base/errors.ts';
import type { Idempotency, SentAnswer } from '#server/service/idempotency.ts';
import { callerOf } from '../middleware/authentication.ts';
import { readBody } from '../middleware/body.ts';
import { outputAccepted } from '../middleware/file-answer.ts';
import type { Handler, RequestContext } from '../middleware/request-context.ts';

const KEY = /^[\x20-\x7e]{1,255}$/;
const WARNINGS = 'platen-warnings';

/**
 * Handles a request with an Idempotency-Key once; one without a key as usual.
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
    const fingerprint = await fingerprintOf(koa, await readBody(koa, limit));

    let mine = false;
    const answer = await requests.once({ accountId, kind, key, fingerprint }, async (progress) => {
      mine = true;
      koa.state.progress = progress;
      await handle(koa);
      return given(koa);
    });
    if (!mine) replay(koa, answer);
  };
}

/** The answer that the handler has set. */
function given({ status, body, response }: RequestContext): SentAnswer {
  return {
    status,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    warnings: response.get(WARNINGS) || null,
  };
}

function replay(koa: RequestContext, { status, body, warnings }: SentAnswer): void {
  koa.status = status;
  koa.type = 'application/json; charset=utf-8';
  koa.body = body;
  if (warnings !== null) koa.set(WARNINGS, warnings);
  koa.set('idempotent-replayed', 'true');
}

/** Bytes hashed per turn. */
const SLICE = 2 ** 20;

/** SHA-256 of what identifies a request: method, URL, the file type that Accept asks for, and every byte of the body. */
async function fingerprintOf(koa: RequestContext, body: Buffer): Promise<string> {
  const file = outputAccepted(koa);
  const hash = createHash('sha256').update(`${koa.method} ${koa.url}${file === null ? '' : ` ${file}`}\n`);
  // A key that is limited to some templates does not get what another key has made.
  const { scope } = callerOf(koa);
  if (scope?.templates) hash.update(`${scope.templates.join(' ')}\n`);
  for (let at = 0; at < body.length; at += SLICE) {
    if (at > 0) await new Promise((resolve) => setImmediate(resolve));
    hash.update(body.subarray(at, at + SLICE));
  }
  return hash.digest('hex');
}
