// What a handler is given: the request as Koa sees it, and what the layers above found out about it.

import type { RouterContext } from '@koa/router';
import type { Progress } from '#service/idempotency.ts';
import type { Caller } from '#service/keys.ts';
import type { Membership, SessionHolder } from '#service/studio-names.ts';

export interface State {
  /** Set by `requireKey`. */
  caller?: Caller;
  /** Set by `idempotent`, where the request has a key. */
  progress?: Progress;
  /** Set by `readBody`. */
  body?: Buffer;
  /** Of the studio: set by `guarded`, where somebody is signed in. */
  session?: SessionHolder;
  /** Likewise, where the path names an account. */
  member?: Membership;
}

export type RequestContext = RouterContext<State>;
export type Handler = (koa: RequestContext) => Promise<void> | void;
