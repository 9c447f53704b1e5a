// Sends webhooks through the outbound guard: every attempt resolves and checks its host anew, and no redirect is
// followed.

import { OutboundClient } from '#server/net/outbound-client.ts';
import { type OutsideOptions, outboundGuard } from '../pages/outbound-guard.ts';
import type { WebhookTransport } from './webhooks.ts';

/** Total timeout of an attempt, ms; the guard allows 5 s of it for connecting. */
const TIMEOUT = 15_000;
/** How long accepting a job waits for the webhook's host to resolve, ms. */
const NAME_PATIENCE = 1_000;

/** Its connections are closed on disposal. */
export function openWebhookTransport(options: OutsideOptions): WebhookTransport & AsyncDisposable {
  const guard = outboundGuard(options);
  const client = new OutboundClient(guard, { userAgent: 'Platen' });
  return {
    check: (url) => guard.foresee(url, NAME_PATIENCE),
    async post(url, body, headers) {
      const answer = await client.post(url, Buffer.from(body), {
        headers: { 'content-type': 'application/json', ...headers },
        timeout: TIMEOUT,
      });
      return { status: answer.status, location: answer.location };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
