// A request's body as JSON, within limits of size, depth and number that hold before anything is parsed.
//
// What JSON costs to parse and to check is its values, not its bytes: four megabytes of empty objects take a hundred
// times as long as four of a picture. So values are counted first, and a large body is read in several turns.

import type { Readable } from 'node:stream';
import { ValidationError } from '#core/diagnostics.ts';
import { AppError } from '#errors';
import type { RequestContext } from './request-context.ts';

/** Renders and templates, bytes. */
export const MAX_BODY = 4 * 1024 * 1024;
const MAX_DEPTH = 32;
/** Entries of lists and members of objects: more take longer to parse and check than anybody else may wait. */
export const MAX_VALUES = 10_000;
/** Escapes in strings, such as `\\u00e9`: each is decoded by itself. */
const MAX_ESCAPES = 500_000;
/** Bodies from this size on are decoded, counted and parsed in turns of their own, bytes. */
const LARGE = 64 * 1024;
/** What is decoded in one turn, bytes. */
const DECODED = 2 ** 21;
/** What is counted in one turn, characters. */
const SLICE = 2 ** 19;
/** So many characters of a string without a quote or an escape, and the next of these is searched for at once. */
const PLAIN = 64;
/** How much of an oversized body is still read, and thrown away, so that the client gets to see the answer, bytes. */
const MAX_DISCARDED = 16 * 1024 * 1024;

/**
 * The body as a JSON object.
 *
 * @param limit bytes
 * @throws AppError `too_large`, or `invalid_request` for anything but UTF-8 JSON sent as application/json
 */
export async function readJsonObject(
  koa: RequestContext,
  limit = MAX_BODY,
  maxValues = MAX_VALUES,
): Promise<Readonly<Record<string, unknown>>> {
  const encoding = koa.get('content-encoding');
  if (encoding !== '' && encoding !== 'identity') throw invalid('The body must not be compressed.');
  const bytes = await readBody(koa, limit);
  if (bytes.length === 0) throw invalid('The request needs a JSON body.');
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(koa.get('content-type'))) {
    throw invalid('The body must be sent as content-type application/json.');
  }
  const value = await parseJson(bytes, maxValues);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('The body must be a JSON object.');
  }
  return value as Record<string, unknown>;
}

/** The body as it came, read once. @throws AppError `too_large`, or `invalid_request` when it is broken off */
export async function readBody(koa: RequestContext, limit: number): Promise<Buffer> {
  koa.state.body ??= await readBytes(koa, limit);
  return koa.state.body;
}

async function readBytes(koa: RequestContext, limit: number): Promise<Buffer> {
  if (Number(koa.get('content-length') || 0) > limit) throw tooLarge(koa, limit);
  const chunks: Buffer[] = [];
  let length = 0;
  // No `for await`: leaving it would destroy the socket before the answer is sent.
  await new Promise<void>((resolve, reject) => {
    koa.req.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) reject(tooLarge(koa, limit));
      else chunks.push(chunk);
    });
    koa.req.on('end', resolve);
    koa.req.on('close', () => {
      // A request is closed when it was read to its end, too.
      if (!koa.req.readableEnded) reject(invalid('The request ended before its body did.'));
    });
    koa.req.on('error', () => reject(invalid('The body could not be read.')));
  });
  return gather(chunks);
}

/** What is copied in one turn, bytes. */
const COPIED = 2 ** 20;

/**
 * The chunks as one. Large ones are copied a part at a time, into memory that other threads read where it is: to post
 * them a copy of 15 MiB would hold this one for 15 ms.
 */
export async function gather(chunks: readonly Buffer[]): Promise<Buffer> {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (length <= COPIED) return Buffer.concat(chunks);
  const all = Buffer.from(new SharedArrayBuffer(length));
  let [at, paused] = [0, 0];
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
    if (at - paused < COPIED) continue;
    paused = at;
    await nextTurn();
  }
  return all;
}

function tooLarge(koa: RequestContext, limit: number): AppError {
  koa.set('connection', 'close');
  discard(koa.req);
  return new AppError('too_large', `The body may have at most ${limit} bytes.`);
}

/** A connection that is closed while the client still writes would lose it the answer. */
function discard(request: Readable): void {
  let length = 0;
  request.removeAllListeners('data');
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_DISCARDED) request.destroy();
  });
}

async function parseJson(bytes: Buffer, maxValues: number): Promise<unknown> {
  const pause = bytes.length >= LARGE ? nextTurn : async () => {};
  let text: string;
  await pause();
  try {
    // A byte order mark stays, and is then no JSON (RFC 8259, section 8.1).
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const parts: string[] = [];
    for (let at = 0; at < bytes.length; at += DECODED) {
      const isLast = at + DECODED >= bytes.length;
      parts.push(decoder.decode(bytes.subarray(at, at + DECODED), { stream: !isLast }));
      if (!isLast) await pause();
    }
    text = parts.join('');
  } catch {
    throw invalid('The body is not valid UTF-8.');
  }
  await pause();
  const structure = new Structure(maxValues);
  for (let at = 0; at < text.length; ) {
    at = structure.read(text, at, Math.min(text.length, at + SLICE));
    await pause();
  }
  await pause();
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('The body is not valid JSON.');
  } finally {
    await pause();
  }
}

/** Lets others be answered. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What of a JSON text is counted before it is parsed: brackets and values outside of strings, and escapes in them. */
class Structure {
  readonly #maxValues: number;
  #isInString = false;
  #isEscaped = false;
  #open = 0;
  #values = 0;
  #escapes = 0;
  /** The first behind the last search for one. */
  #backslash = -1;

  constructor(maxValues: number) {
    this.#maxValues = maxValues;
  }

  /**
   * Reads on; returns where it ended, which may be behind `to` where a long string is.
   *
   * @throws AppError `invalid_request` where it nests too deep or is too much
   */
  read(text: string, from: number, to: number): number {
    let at = from;
    for (let plain = 0; at < to; at += 1) {
      const unit = text.charCodeAt(at);
      if (this.#isInString) {
        plain += 1;
        if (this.#isEscaped) this.#isEscaped = false;
        else if (unit === QUOTE) this.#isInString = false;
        else if (unit === BACKSLASH) this.#escape();
        else if (plain > PLAIN) at = this.#endOfPlain(text, at) - 1;
        else continue;
        plain = 0;
      } else if (unit === QUOTE) this.#isInString = true;
      else if (unit === COMMA) this.#value();
      else if (unit === BRACE || unit === BRACKET) this.#enter();
      else if (unit === BRACE_END || unit === BRACKET_END) this.#open -= 1;
    }
    return at;
  }

  #endOfPlain(text: string, at: number): number {
    const find = (mark: string) => (text.indexOf(mark, at) + 1 || text.length + 1) - 1;
    if (this.#backslash < at) this.#backslash = find('\\');
    return Math.min(this.#backslash, find('"'));
  }

  #escape(): void {
    this.#isEscaped = true;
    this.#escapes += 1;
    if (this.#escapes > MAX_ESCAPES) throw invalid(`The body has more than ${MAX_ESCAPES} escapes; send UTF-8.`);
  }

  #enter(): void {
    this.#value();
    this.#open += 1;
    if (this.#open > MAX_DEPTH) throw invalid(`The body nests deeper than ${MAX_DEPTH} levels.`);
  }

  #value(): void {
    this.#values += 1;
    if (this.#values > this.#maxValues) throw invalid(`The body has more than ${this.#maxValues} values; send fewer.`);
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [BRACE, BRACE_END, BRACKET, BRACKET_END] = [0x7b, 0x7d, 0x5b, 0x5d];

const invalid = (message: string) => new AppError('invalid_request', message);

/** An object of the caller's own keys, `__proto__` among them; a schema would drop that one. */
export function requireObject(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new ValidationError(path, 'must be an object');
}
