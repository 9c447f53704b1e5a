// A JSON answer to a request that makes something: recorded together with what was made, then sent.

import type { Diagnostic } from '#core/diagnostics.ts';
import { nothingMore, type OnCommit, type Progress } from '#service/idempotency.ts';
import type { RequestContext } from './request-context.ts';
import { setWarnings, warningsHeader } from './warnings.ts';

export interface JsonAnswer {
  readonly status: 200 | 201 | 202;
  /** What is sent as JSON, or its text. */
  readonly body: object | string;
  /** What was odd and is told in `platen-warnings`. */
  readonly diagnostics?: readonly Diagnostic[];
}

/**
 * Does the work, and answers with what it made.
 *
 * A client that never saw the answer, because the server was killed, gets it again for its Idempotency-Key: hence it is
 * recorded in the transaction that the work commits.
 *
 * @param show what the answer is, given what was made
 * @param work calls what it is handed in its transaction
 */
export async function answerWith<Made>(
  koa: RequestContext,
  show: (made: Made) => JsonAnswer,
  work: (onCommit: OnCommit<Made>) => Promise<Made>,
): Promise<void> {
  const { progress } = koa.state;
  const record = (progress: Progress): OnCommit<Made> => {
    return async (stores, made) => {
      const { status, body, diagnostics = [] } = show(made);
      const warnings = diagnostics.length > 0 ? warningsHeader(diagnostics) : null;
      await progress.answered(stores, { status, body: jsonOf(body), warnings });
    };
  };
  const made = await work(progress ? record(progress) : nothingMore);
  const { status, body, diagnostics = [] } = show(made);
  setWarnings(koa, diagnostics);
  koa.status = status;
  sendJson(koa, body);
}

const jsonOf = (body: object | string) => (typeof body === 'string' ? body : JSON.stringify(body));

/** @param body what is sent as JSON, or its text */
export function sendJson(koa: RequestContext, body: object | string): void {
  koa.type = 'application/json; charset=utf-8';
  koa.body = jsonOf(body);
}
