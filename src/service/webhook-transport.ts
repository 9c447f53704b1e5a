// Webhooks out through the guard: every attempt resolves and judges its host anew, and no redirect is followed.

import { OutboundClient } from '#net/outbound-client.ts';
import { type OutsideOptions, outboundGuard } from './outbound-guard.ts';
import type { WebhookTransport } from './webhooks.ts';

/** How long an attempt may take in all, ms; of these the guard gives a connection 5 s. */
const TIMEOUT = 15_000;
/** How long a job's acceptance waits to learn where its webhook's name leads, ms. */
const NAME_PATIENCE = 1_000;

/** Disposing closes its connections. */
export function openWebhookTransport(options: OutsideOptions): WebhookTransport & AsyncDisposable {
  const guard = outboundGuard(options);
  const client = new OutboundClient(guard, { userAgent: 'Platen' });
  return {
    check: (url) => guard.foresee(url, NAME_PATIENCE),
    async post(url, body, headers) {
      const { status } = await client.post(url, Buffer.from(body), {
        headers: { 'content-type': 'application/json', ...headers },
        timeout: TIMEOUT,
      });
      return status;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
