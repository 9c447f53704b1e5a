// Signs webhooks in two schemes on the same delivery, so that a receiver can verify the sender.
//
// Platen's own: hex HMAC-SHA256 of the body, keyed with the whole secret string. Standard Webhooks 1.0: `v1,` and the
// base64 HMAC of `id.timestamp.body`, keyed with the bytes that the secret encodes. The latter protects against replays
// and has one signature for each active secret, so that a receiver may switch at any time during a rotation.

import { createHmac } from 'node:crypto';

/**
 * @param secrets `whsec_…`, newest first; at least one
 * @param id the same for every attempt to send a message
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
