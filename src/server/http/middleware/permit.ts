// Gives services a check of the sender's right, to be repeated in the transaction that does the work.

import { AppError } from '#base/errors.ts';
import type { Permit } from '#server/service/stored-names.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Throws, in the transaction that does what the request asks, unless its sender may still do it.
 *
 * @throws AppError `unauthorized` where nobody's right was checked, so that a mistake in the routes grants no access
 */
export function permitOf(koa: RequestContext): Permit {
  if (koa.state.permit) return koa.state.permit;
  throw new AppError('unauthorized', 'Nobody is signed in here, and no API key was sent.');
}
