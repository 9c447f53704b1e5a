// What a handler is given: the request as Koa sees it, and what the layers above found out about it.

import type { RouterContext } from '@koa/router';
import type { Progress } from '#service/idempotency.ts';
import type { Caller } from '#service/keys.ts';

export interface State {
  /** Set by `requireKey`. */
  caller?: Caller;
  /** Set by `idempotent`, where the request has a key. */
  progress?: Progress;
  /** Set by `readBody`. */
  body?: Buffer;
}

export type RequestContext = RouterContext<State>;
export type Handler = (koa: RequestContext) => Promise<void> | void;
