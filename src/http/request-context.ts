// The context of a handler: Koa's request, and what earlier middleware found out about it.

import type { RouterContext } from '@koa/router';
import type { Progress } from '#service/idempotency.ts';
import type { Caller } from '#service/keys.ts';
import type { Membership, SessionHolder } from '#service/studio-names.ts';

export interface State {
  /** Set by `requireKey`. */
  caller?: Caller;
  /** Set by `idempotent`, if the request has a key. */
  progress?: Progress;
  /** Set by `readBody`. */
  body?: Buffer;
  /** Studio only: set by `guarded`, if somebody is signed in. */
  session?: SessionHolder;
  /** Studio only: set by `guarded`, if the path names an account. */
  member?: Membership;
}

export type RequestContext = RouterContext<State>;
export type Handler = (koa: RequestContext) => Promise<void> | void;
