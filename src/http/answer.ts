// A JSON answer to a request that makes something: recorded together with what was made, then sent.

import type { Diagnostic } from '#core/diagnostics.ts';
import { nothingMore, type OnCommit, type Progress } from '#service/idempotency.ts';
import type { RequestContext } from './request-context.ts';
import { setWarnings, warningsHeader } from './warnings.ts';

export interface JsonAnswer {
  readonly status: 200 | 201 | 202;
  readonly body: object;
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
      await progress.answered(stores, { status, body: JSON.stringify(body), warnings });
    };
  };
  const made = await work(progress ? record(progress) : nothingMore);
  const { status, body, diagnostics = [] } = show(made);
  setWarnings(koa, diagnostics);
  koa.status = status;
  koa.body = body;
}
