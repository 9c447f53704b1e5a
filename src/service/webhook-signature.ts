// The headers that prove where a webhook comes from, in two schemes on the same delivery.
//
// Ours: hex HMAC-SHA256 of the body under the whole secret string. Standard Webhooks 1.0: `v1,` and base64 of the HMAC
// of `id.timestamp.body` under the bytes that the secret encodes, which protects against replays; one for each secret
// in force, so that a receiver may change over at any time during a rotation.

import { createHmac } from 'node:crypto';

/**
 * @param secrets `whsec_…`, the newest first; at least one
 * @param id the same for every attempt at a message
 * @param timestamp of this attempt, whole seconds since 1970
 */
export function webhookHeaders(
  secrets: readonly [string, ...string[]],
  id: string,
  timestamp: number,
  body: string,
): Readonly<Record<string, string>> {
  const [newest] = secrets;
  return {
    'x-platen-signature': `sha256=${createHmac('sha256', newest).update(body).digest('hex')}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => standardSignature(secret, `${id}.${timestamp}.${body}`)).join(' '),
  };
}

function standardSignature(secret: string, message: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(message).digest('base64')}`;
}
