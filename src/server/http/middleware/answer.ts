// Sends JSON: answers and lists, in the form of whoever asked; and the answer of a request that creates something, after
// recording it together with what was created.
//
// One handler answers a question of both APIs. That for keys names things `created_at` and calls a list by what is in it;
// the studio's, which is private, says `createdAt` and `items`.

import type { Diagnostic } from '#core/diagnostics.ts';
import { type OnCommit, permitted } from '#server/service/idempotency.ts';
import { asciiJson, warningSentences } from '#server/service/rendering/warnings.ts';
import { permitOf } from './authentication.ts';
import type { RequestContext } from './request-context.ts';

export interface JsonAnswer {
  readonly status: 200 | 201 | 202;
  /** The value to send as JSON, or its JSON text. */
  readonly body: object | string;
  /** Warnings for the header `platen-warnings`. */
  readonly diagnostics?: readonly Diagnostic[];
}

/**
 * Does the work, unless its sender has lost the right to it meanwhile, and answers with its result.
 *
 * A client that never received the answer, because the server was killed, gets it again for its Idempotency-Key.
 * Therefore the answer is recorded in the transaction that commits the work.
 *
 * @param show the answer for the result
 * @param work calls `onCommit` in its transaction
 */
export async function answerWith<Made>(
  koa: RequestContext,
  show: (made: Made) => JsonAnswer,
  work: (onCommit: OnCommit<Made>) => Promise<Made>,
): Promise<void> {
  const { progress } = koa.state;
  const onCommit = permitted<Made>(
    permitOf(koa),
    progress &&
      (async (stores, made) => {
        const { status, body, diagnostics = [] } = show(made);
        const warnings = diagnostics.length > 0 ? warningsHeader(diagnostics) : null;
        await progress.answered(stores, { status, body: jsonOf(body), warnings });
      }),
  );
  const made = await work(onCommit);
  const { status, body, diagnostics = [] } = show(made);
  setWarnings(koa, diagnostics);
  koa.status = status;
  sendJson(koa, body);
}

const jsonOf = (body: object | string) => (typeof body === 'string' ? body : JSON.stringify(body));

/**
 * @param body the value to send as JSON, or its JSON text
 */
export function sendJson(koa: RequestContext, body: object | string): void {
  koa.type = 'application/json; charset=utf-8';
  koa.body = jsonOf(body);
}

/** Whether it was asked with an API key; otherwise by the studio, for a person or an embedded editor. */
export const isByKey = ({ state }: RequestContext): boolean => state.caller !== undefined;

/** These lists of the API for keys have no `next` on their last page. */
const WITHOUT_END: readonly string[] = ['templates', 'images', 'brands', 'versions'];

/**
 * Answers with a list.
 *
 * @param name of the list in the API for keys
 * @param items with names as `createdAt`; their moments become ISO 8601
 * @param next of a page; absent where the list has no pages
 */
export function sendList(koa: RequestContext, name: string, items: readonly object[], next?: string | null): void {
  if (!isByKey(koa)) koa.body = { items, next };
  else koa.body = { [name]: items.map(inSnakeCase), next: WITHOUT_END.includes(name) ? (next ?? undefined) : next };
}

const inSnakeCase = (item: object) =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

// Reports warnings, which did not prevent rendering, in the header `platen-warnings`.

/** A JSON array of sentences in ASCII. Entries that do not fit are counted in a last one, `+N more`. */
export const warningsHeader = (diagnostics: readonly Diagnostic[]): string => asciiJson(warningSentences(diagnostics));

export function setWarnings(koa: RequestContext, diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length > 0) koa.set('platen-warnings', warningsHeader(diagnostics));
}
