// Verifies that a webhook comes from the server that shares its secret, by either of its signature headers.

import type { CompletionEvent } from './contract.generated.ts';
import { hmacKey, isHmac } from './hmac.ts';

/** Why a delivery was not accepted. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

export interface WebhookDelivery {
  /** The account's `whsec_…`; several during a rotation. */
  readonly secret: string | readonly string[];
  /** The raw body, before any parsing. */
  readonly body: string;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Seconds that `webhook-timestamp` may differ from now; 0 = any. Default: 300. */
  readonly tolerance?: number;
}

/**
 * Verifies a delivery and returns its event. Uses the Standard Webhooks headers if present, which protect against
 * replays; otherwise `x-platen-signature`.
 *
 * @throws WebhookError if no signature matches, the delivery is too old, or no secret can be one
 */
export async function verifyWebhook(delivery: WebhookDelivery): Promise<CompletionEvent> {
  const { body, tolerance = 300 } = delivery;
  const secrets = [delivery.secret].flat();
  // As of a variable that is not set.
  if (secrets.includes('')) throw new WebhookError('The secret is empty.');
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    header(delivery.headers, name),
  );
  if (id !== undefined && timestamp !== undefined && signatures !== undefined) {
    const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
    if (tolerance > 0 && !(age <= tolerance)) throw new WebhookError('The webhook is too old, or from the future.');
    const given = signatures.split(' ').flatMap((one) => fromBase64(/^v1,([\w+/=]{1,100})$/.exec(one)?.[1]));
    const keys = secrets.flatMap(standardKey);
    if (keys.length === 0) throw new WebhookError('The secret is not a whsec_… secret.');
    const fits = await someFits(keys.map(hmacKey), given, `${id}.${timestamp}.${body}`);
    if (!fits) throw new WebhookError('No webhook-signature fits.');
  } else {
    const hex = /^sha256=([0-9a-f]{64})$/.exec(header(delivery.headers, 'x-platen-signature') ?? '')?.[1];
    if (hex === undefined) throw new WebhookError('The webhook has no signature.');
    const fits = await someFits(secrets.map(hmacKey), [fromHex(hex)], body);
    if (!fits) throw new WebhookError('The x-platen-signature does not fit.');
  }
  return JSON.parse(body) as CompletionEvent;
}

async function someFits(
  keys: readonly Promise<CryptoKey>[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
  message: string,
): Promise<boolean> {
  const checks = (await Promise.all(keys)).flatMap((key) => signatures.map((one) => isHmac(key, one, message)));
  return (await Promise.all(checks)).includes(true);
}

/** The key of Standard Webhooks is the part after `whsec_`, decoded from base64. None if there is no such part. */
const standardKey = (secret: string) => fromBase64(secret.replace(/^whsec_/, '')).filter(({ length }) => length > 0);

function header(headers: WebhookDelivery['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const key = Object.keys(headers).find((one) => one.toLowerCase() === name);
  const value = key === undefined ? undefined : headers[key];
  return typeof value === 'string' ? value : value?.[0];
}

/** The decoded bytes as a list of one; empty if the text is not base64. */
function fromBase64(text: string | undefined): readonly Uint8Array<ArrayBuffer>[] {
  if (text === undefined) return [];
  try {
    return [Uint8Array.from(atob(text), (char) => char.charCodeAt(0))];
  } catch {
    return [];
  }
}

const fromHex = (hex: string) =>
  Uint8Array.from({ length: 32 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
