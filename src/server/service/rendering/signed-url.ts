// Signs render URLs: HMAC-SHA256 over the template, the extension and the canonical parameters.
//
// The parser is stricter than a browser's: a query that two parties could read differently is refused. Values are
// compared as given, without Unicode normalisation, case folding or trimming.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '#base/errors.ts';

/** The content that a signature covers. */
export interface SignedMessage {
  /** The template's id as it stands in the path. */
  readonly template: string;
  /** As in the path: `jpg` and `jpeg` have different signatures. */
  readonly extension: string;
  /** Every parameter but `sig`, decoded, in any order. */
  readonly parameters: readonly NamedValue[];
}

export type NamedValue = readonly [name: string, value: string];

const MAX_QUERY_LENGTH = 8_192;
const MAX_PARAMETERS = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
const CONTROL = /[\u0000-\u001f\u007f]/;
const SIGNATURE = /^(?:(\d{1,12})\.)?([0-9a-f]{64})$/;

export interface SignedQuery {
  readonly parameters: readonly NamedValue[];
  /** Null when the query has no `sig`. */
  readonly signature: string | null;
}

/**
 * Parses a raw query string, without its `?`.
 *
 * @throws AppError `bad_signature` when it is malformed, too long, or names a parameter twice
 */
export function parseSignedQuery(query: string): SignedQuery {
  if (Buffer.byteLength(query) > MAX_QUERY_LENGTH) throw badSignature('is too long');
  const pieces = query.split('&').filter((piece) => piece !== '');
  if (pieces.length > MAX_PARAMETERS) throw badSignature('has too many parameters');

  const values = new Map<string, string>();
  for (const piece of pieces) {
    const equals = piece.includes('=') ? piece.indexOf('=') : piece.length;
    const name = decode(piece.slice(0, equals));
    const value = decode(piece.slice(equals + 1));
    if (name === '' || CONTROL.test(name) || value.includes('\0')) throw badSignature('is malformed');
    // First-wins or last-wins would let the signer, a cache and this server read different values.
    if (values.has(name)) throw badSignature('names a parameter twice');
    values.set(name, value);
  }
  const signature = values.get('sig') ?? null;
  values.delete('sig');
  return { parameters: [...values], signature };
}

/** The value of `sig` for a message. With `expires`, seconds since 1970, it is valid until that moment. */
export function sign(secret: string, message: SignedMessage, expires: number | null = null): string {
  const hex = hmac(secret, message, expires === null ? null : String(expires)).toString('hex');
  return expires === null ? hex : `${expires}.${hex}`;
}

/** The whole query of a signed URL, without its `?`. */
export function signedQuery(secret: string, message: SignedMessage, expires: number | null = null): string {
  const canonical = canonicalQuery(message.parameters);
  return `${canonical}${canonical === '' ? '' : '&'}sig=${sign(secret, message, expires)}`;
}

/**
 * Checks a signature; returns when it expires, or null.
 *
 * @throws AppError `bad_signature` unless one of the secrets made the signature and it has not expired
 */
export function verify(secrets: readonly string[], message: SignedMessage, signature: string, now: Date): Date | null {
  const [, expires = null, hex] = SIGNATURE.exec(signature) ?? [];
  if (hex === undefined) throw badSignature('has no valid signature');
  const given = Buffer.from(hex, 'hex');
  // Every secret is tried, so the time taken does not tell which one fits.
  const fits = secrets.map((secret) => timingSafeEqual(hmac(secret, message, expires), given));
  if (!fits.includes(true)) throw badSignature('has no valid signature');
  if (expires === null) return null;
  const end = new Date(Number(expires) * 1000);
  if (now > end) throw badSignature('has expired');
  return end;
}

/** RFC 3986 with upper-case escapes, sorted by encoded name; an empty value keeps its `=`. */
export function canonicalQuery(parameters: readonly NamedValue[]): string {
  return parameters
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&');
}

function hmac(secret: string, { template, extension, parameters }: SignedMessage, expires: string | null): Buffer {
  const version = expires === null ? 'v1' : `v1.${expires}`;
  return createHmac('sha256', secret)
    .update([version, template, extension, canonicalQuery(parameters)].join('\n'))
    .digest();
}

function decode(text: string): string {
  try {
    // Refuses bad escapes, overlong forms and surrogates, as RFC 3629 asks.
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw badSignature('is malformed');
  }
}

/** encodeURIComponent leaves these five as they are, RFC 3986 does not. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

const badSignature = (problem: string) => new AppError('bad_signature', `This URL ${problem}.`);
