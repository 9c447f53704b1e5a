// Counts the memory that requests hold, before they hold it: their bodies, and their answers until clients have read
// them.
//
// Two budgets, taken in this order, so that no two requests wait for each other: bodies, then answers.

import { timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Context, Middleware } from 'koa';
import type { Loan } from '#base/concurrency/byte-budget.ts';
import type { ConcurrencyLimit } from '#base/concurrency/concurrency-limit.ts';
import { AppError } from '#base/errors.ts';
import { addressGroup } from '#server/service/accounts/address-group.ts';
import type { RequestContext, RequestMemory, State } from './request-context.ts';

/** Bodies and answers of at most this size are not counted: PLATEN_REQUESTS_AT_ONCE bounds them, bytes. */
export const UNCOUNTED = 64 * 1024;
/** What a file takes while it is streamed: a chunk that is read and one that is written, bytes. */
export const STREAMED = 192 * 1024;

/** What counting needs of a request; middleware before the router has no more. */
type Counted = Pick<RequestContext, 'state' | 'ip' | 'res'>;

/** The header of requests that this process sends to itself, and its value, which nobody else knows. */
export const OWN_REQUEST = 'x-platen-own-request';

/** Marks requests of this process to itself: the message that made them is counted. @param token the header's value */
export function recognizeOwn(token: string): Middleware<State> {
  const expected = Buffer.from(token);
  return async (koa, next) => {
    const given = Buffer.from(koa.get(OWN_REQUEST));
    if (given.length === expected.length && timingSafeEqual(given, expected)) koa.state.isOwn = true;
    await next();
  };
}

/** Lends memory to requests, and takes back what their handlers no longer need. */
export function lendMemory(memory: RequestMemory): Middleware<State> {
  return async (koa, next) => {
    koa.state.memory = memory;
    try {
      await next();
      const size = sizeInMemory(koa.body);
      // A request that has changed something is never refused afterwards: its answer keeps what its body was lent.
      for (const loan of koa.state.bodyLoans ?? []) loan.shrink(size);
      if (size > UNCOUNTED && koa.method === 'GET' && !koa.state.answerLoans) await holdAnswer(koa, size);
      if (size > PIECE) sendInPieces(koa);
    } catch (error) {
      // The answer is an error now, and small.
      for (const loan of loansOf(koa.state)) loan[Symbol.dispose]();
      throw error;
    } finally {
      // Not before the handler has ended, which goes on when its client leaves.
      for (const loan of loansOf(koa.state)) whenSent(koa.res, () => loan[Symbol.dispose]());
    }
  };
}

const loansOf = ({ bodyLoans = [], answerLoans = [] }: RequestContext['state']) => [...bodyLoans, ...answerLoans];

/** Waits for memory for a body. @throws AppError `rate_limited`, `overloaded` */
export async function holdBody(koa: Counted, bytes: number): Promise<Loan | null> {
  const { memory, isOwn = false } = koa.state;
  if (!memory || isOwn) return null;
  const loan = await memory.bodies.take(borrowerOf(koa), bytes);
  koa.state.bodyLoans = [...(koa.state.bodyLoans ?? []), loan];
  return loan;
}

/**
 * Waits for memory for an answer, which is given back when the answer has been sent.
 *
 * @param whose the account; absent = the caller's, or the address of a client without a key
 * @throws AppError `rate_limited`, `overloaded`; `invalid_request` where the client has left meanwhile
 */
export async function holdAnswer(koa: Counted, bytes: number, whose = borrowerOf(koa)): Promise<Loan | null> {
  const { memory } = koa.state;
  if (!memory) return null;
  const loan = await memory.answers.take(whose, bytes);
  koa.state.answerLoans = [...(koa.state.answerLoans ?? []), loan];
  // Nothing is drawn for nobody.
  if (koa.res.destroyed || koa.res.closed) throw new AppError('invalid_request', 'The client has left.');
  return loan;
}

/** Takes memory for an answer if it can be had at once. */
export function holdNow(koa: Counted, bytes: number): boolean {
  if (bytes <= UNCOUNTED) return true;
  const loan = koa.state.memory?.answers.takeNow(borrowerOf(koa), bytes);
  if (!loan) return false;
  koa.state.answerLoans = [...(koa.state.answerLoans ?? []), loan];
  return true;
}

/** Counts a request until its answer is sent, which may be long after its handler has ended. */
export async function countUntilSent(
  res: ServerResponse,
  atOnce: ConcurrencyLimit,
  key: string,
  work: () => Promise<void>,
): Promise<void> {
  const leave = atOnce.enter(key);
  try {
    await work();
  } finally {
    whenSent(res, leave);
  }
}

/** Calls back once the answer is sent, or its connection has ended. */
function whenSent(res: ServerResponse, then: () => void): void {
  if (res.destroyed || res.writableFinished || res.closed) then();
  else res.once('close', then);
}

/** What memory and turns are counted by: the account, or the address of a client without one. */
export const borrowerOf = ({ state, ip }: Counted): string =>
  state.caller?.accountId ?? state.member?.accountId ?? addressGroup(ip);

/** Bytes of an answer that is wholly in memory; 0 for a stream. JSON is measured by Koa only when it is sent. */
function sizeInMemory(body: unknown): number {
  if (typeof body === 'string') return body.length;
  return Buffer.isBuffer(body) ? body.length : 0;
}

/**
 * Units per write, of which there is one a turn. A single write of a large answer would hold the thread, and hide how
 * much of it was sent, which slow-readers.ts checks every 10 s; a piece of this size takes 8 s at the slowest rate that
 * is accepted.
 */
const PIECE = 256 * 1024;

function sendInPieces(koa: Pick<Context, 'body' | 'length'>): void {
  const body = koa.body as string | Buffer;
  koa.body = Readable.from(pieces(body), { objectMode: false });
  koa.length = Buffer.byteLength(body);
}

async function* pieces(body: string | Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; ) {
    // Not between two halves of a character.
    const isCut = typeof body === 'string' && (body.codePointAt(at + PIECE - 1) ?? 0) > 0xffff;
    const end = at + PIECE + (isCut ? 1 : 0);
    yield typeof body === 'string' ? Buffer.from(body.slice(at, end)) : body.subarray(at, end);
    at = end;
    await setImmediate();
  }
}
