// The context of a handler: Koa's request, and what earlier middleware found out about it.

import type { RouterContext } from '@koa/router';
import type { ByteBudget, Loan } from '#base/concurrency/byte-budget.ts';
import type { Caller } from '#server/service/accounts/caller.ts';
import type { EditorToken } from '#server/service/accounts/editor-tokens.ts';
import type { Progress } from '#server/service/idempotency.ts';
import type { Membership, Permit, SessionHolder } from '#server/service/stored-names.ts';

export interface State {
  /** Set by `requireKey`. */
  caller?: Caller;
  /**
   * Set by `requireKey` and `guarded`: throws unless the sender may still do what the request asks. Called once the
   * body has arrived.
   */
  recheck?: () => Promise<unknown>;
  /** Studio only: set by `guarded`, waits for the turn of a request whose body has arrived. */
  turn?: () => Promise<void>;
  /** Set with `recheck`: the same, in the transaction that does it. */
  permit?: Permit;
  /** Set by `idempotent`, if the request has a key. */
  progress?: Progress;
  /** Whether a render is answered with its file; set by `chooseForm`. */
  form?: 'json' | 'bytes';
  /** The file of a render that is answered with it, set by its handler if there is memory for it: else it is read again. */
  file?: Uint8Array;
  /** Set by `readBody`. */
  body?: Buffer;
  /** Set by `lendMemory`. */
  memory?: RequestMemory;
  /** What the body was lent of it. */
  bodyLoans?: readonly Loan[];
  /** What the answer was lent of it. */
  answerLoans?: readonly Loan[];
  /** Set by `recognizeOwn`, for a request of this process to itself. */
  isOwn?: boolean;
  /** Studio only: set by `guarded`, if somebody is signed in. */
  session?: SessionHolder;
  /** Studio only: set by `guarded`, if the path names an account. */
  member?: Membership;
  /** Studio only: set by `admitEmbedded`, for a request of an editor in another site's page. */
  embedded?: EditorToken;
}

export type RequestContext = RouterContext<State>;
/** What a path names beside the account: the id of a template, the name of a brand; '' for one that names nothing. */
export function idOf({ params }: RequestContext): string {
  const [, id = ''] =
    Object.entries(params).find(([name]) => name !== 'accountId' && /^id$|^name$|Id$|Name$/.test(name)) ?? [];
  return id;
}

export type Handler = (koa: RequestContext) => Promise<void> | void;

export interface RequestMemory {
  readonly bodies: ByteBudget;
  readonly answers: ByteBudget;
}
