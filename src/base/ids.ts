// Generates random names (ids, API keys, secrets), and checks whether a text has the form of one.
//
// Every id carries 130 random bits, so none can be guessed; its characters are safe in URLs and file names.

import { randomBytes, randomFillSync } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * The object that an id names: account, key, template, render (a job and its asset), uploaded image and font, webhook
 * message; person, session, one-time link, batch of renders, passkey; review link and a comment on it.
 */
export type IdPrefix =
  | 'acc'
  | 'key'
  | 'tpl'
  | 'rnd'
  | 'img'
  | 'fnt'
  | 'msg'
  | 'per'
  | 'ses'
  | 'lnk'
  | 'blk'
  | 'psk'
  | 'rvw'
  | 'cmt';

/** Base62 digits: 22 × log2 62 = 130.99 bits, more than a UUID has. */
const ID_DIGITS = 22;
const ID = new RegExp(`^(?:acc|key|tpl|rnd|img|fnt|msg|per|ses|lnk|blk|psk|rvw|cmt)_[0-9A-Za-z]{${ID_DIGITS}}$`);

export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomBase62(ID_DIGITS)}`;
}

/** Whether `text` has the form of an id of this kind. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && ID.test(text);
}

/** A name for a process that works on jobs: unique, never reused. */
export function newWorkerName(): string {
  return `${process.pid}-${randomBase62(12)}`;
}

/** A live key is metered against the plan, a test key is neither metered nor blocked. */
export const KEY_KINDS = ['live', 'test'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

const API_KEY = /^plt_(?:live|test)_[0-9A-Za-z]{38}$/;
const CHECKSUM_DIGITS = 6;

/** `plt_live_` or `plt_test_`, 32 random base62 characters (190 bits), and a checksum over all that. */
export function newApiKey(kind: KeyKind): string {
  const body = `plt_${kind}_${randomBase62(32)}`;
  return body + checksum(body);
}

/** Whether form and checksum are right: detects a mistyped key without querying the database. */
export function isApiKey(text: string): boolean {
  return API_KEY.test(text) && checksum(text.slice(0, -CHECKSUM_DIGITS)) === text.slice(-CHECKSUM_DIGITS);
}

const TOKEN = /^(?:pls|pll|plc|plb|plr)_[0-9A-Za-z]{43}$/;

type TokenKind = 'pls' | 'pll' | 'plc' | 'plb' | 'plr';

/**
 * Tokens of 256 random bits for a session's cookie (`pls_`), a one-time link (`pll_`), a ceremony (`plc_`), the cookie of a
 * known browser (`plb_`) and a review link (`plr_`).
 */
export function newToken(kind: TokenKind): string {
  return `${kind}_${random256()}`;
}

/** Whether `text` has the form of such a token. */
export function isToken(kind: TokenKind, text: string): boolean {
  return text.startsWith(`${kind}_`) && TOKEN.test(text);
}

/** The secret that signs render URLs: 256 random bits. */
export function newSigningSecret(): string {
  return `sgn_${random256()}`;
}

/** The secret that signs webhooks, in the form of Standard Webhooks: `whsec_` and 32 bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** 256 random bits in base 62. */
const random256 = () => base62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43);

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_DIGITS);
}

/** `value` in base 62, padded to `digits`. */
function base62(value: bigint, digits: number): string {
  let text = '';
  for (let rest = value; text.length < digits; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text;
  return text;
}

/** Random bytes, each used once and then forgotten: a call of the generator costs as much for a thousand as for one. */
const supply = new Uint8Array(1024);
let used = supply.length;

function randomByte(): number {
  if (used === supply.length) {
    randomFillSync(supply);
    used = 0;
  }
  const byte = supply[used] ?? 0;
  supply[used] = 0;
  used += 1;
  return byte;
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    const byte = randomByte();
    // 248 = 4 × 62: using the bytes above would favour the first letters of the alphabet.
    if (byte < 248) text += ALPHABET[byte % 62];
  }
  return text;
}
