// Hashes passwords with argon2id, off the main thread, in PHC string format.
//
// 19 MiB and two passes are OWASP's minimum (Password Storage Cheat Sheet, 2025). Each hash carries its own parameters,
// so that they can be raised without locking anybody out.

import * as crypto from 'node:crypto';
import { promisify } from 'node:util';
import { Gate } from '#base/concurrency/gate.ts';
import { AppError } from '#base/errors.ts';

/** Characters. */
export const MIN_PASSWORD = 12;
const MAX_PASSWORD = 256;

/** KiB */
const MEMORY = 19_456;
const PASSES = 2;
const LANES = 1;
const TAG_BYTES = 32;

/**
 * Each hash takes 19 MiB and a thread of libuv's pool. Strangers' networks take turns; people who are signed in, or use
 * a browser that they are known by, do not wait for strangers.
 */
const STRANGERS = new Gate({ concurrency: 2, waiting: 100 });
const KNOWN = new Gate({ concurrency: 2, waiting: 100 });

/** Available since Node 24.7; on older versions everything but passwords works. */
const derive = crypto.argon2 === undefined ? null : promisify(crypto.argon2);

interface Parameters {
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
  readonly salt: Buffer;
}

/** @throws AppError `invalid_request` naming the field */
export function requireGoodPassword(password: string, email: string): void {
  const { length } = [...password];
  const refuse = (problem: string) => new AppError('invalid_request', `password: ${problem}`);
  if (length < MIN_PASSWORD) throw refuse(`must have at least ${MIN_PASSWORD} characters`);
  if (length > MAX_PASSWORD) throw refuse(`must have at most ${MAX_PASSWORD} characters`);
  if (new Set(password).size < 4) throw refuse('must have at least 4 different characters');
  if (password.toLowerCase() === email.toLowerCase()) throw refuse('must not be the e-mail address');
}

/** @throws AppError `overloaded` when too many wait */
export async function hashPassword(password: string): Promise<string> {
  const parameters = { memory: MEMORY, passes: PASSES, lanes: LANES, salt: crypto.randomBytes(16) };
  const tag = await tagOf(password, parameters);
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${MEMORY},t=${PASSES},p=${LANES}$${text(parameters.salt)}$${text(tag)}`;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Compared with when there is no password: takes as long, and never matches. */
const NO_HASH = `$argon2id$v=19$m=${MEMORY},t=${PASSES},p=${LANES}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * @param hash null = no such person: returns false after the same time
 * @param fairnessKey key of a stranger in the round robin; null = of somebody known
 * @throws AppError `overloaded` when too many wait
 */
export async function isPassword(
  password: string,
  hash: string | null,
  fairnessKey: string | null = null,
): Promise<boolean> {
  const [, memory, passes, lanes, salt = '', tag = ''] = PHC.exec(hash ?? NO_HASH) ?? [];
  const expected = Buffer.from(tag, 'base64');
  if (password.length > MAX_PASSWORD * 2 || expected.length !== TAG_BYTES) return false;
  const parameters = {
    memory: Number(memory),
    passes: Number(passes),
    lanes: Number(lanes),
    salt: Buffer.from(salt, 'base64'),
  };
  const fits = crypto.timingSafeEqual(await tagOf(password, parameters, fairnessKey), expected);
  return fits && hash !== null;
}

async function tagOf(
  password: string,
  { memory, passes, lanes, salt }: Parameters,
  fairnessKey: string | null = null,
): Promise<Buffer> {
  if (derive === null) {
    const problem = `The studio's passwords need Node 24.7 or newer; this server runs on ${process.versions.node}.`;
    throw new AppError('render_failed', problem);
  }
  const compute = () =>
    derive('argon2id', {
      // The same password may be composed differently by different keyboards.
      message: Buffer.from(password.normalize('NFKC')),
      nonce: salt,
      parallelism: lanes,
      tagLength: TAG_BYTES,
      memory,
      passes,
    });
  const { signal } = new AbortController();
  return fairnessKey === null ? KNOWN.pass(signal, compute) : STRANGERS.pass(signal, compute, fairnessKey);
}
