// Reads a request's body as JSON. Limits on size, depth and number of values are checked before parsing.
//
// The cost of parsing and checking JSON depends on its values, not its bytes: four megabytes of empty objects take a
// hundred times as long as four of an image. So values are counted first, and a large body is processed in several
// turns of the event loop. Of a body with many values, the lists in `modifications`, such as the rows of a table, stay
// text, which is parsed where it is checked and drawn: on other threads.

import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Loan } from '#base/concurrency/byte-budget.ts';
import { NEVER } from '#base/concurrency/deadline.ts';
import { Gate } from '#base/concurrency/gate.ts';
import { RoundRobin } from '#base/concurrency/round-robin.ts';
import { AppError } from '#base/errors.ts';
import { ValidationError } from '#core/diagnostics.ts';
import { findJsonFault, placeOf } from './json-fault.ts';
import type { RequestContext } from './request-context.ts';
import { borrowerOf, holdBody, UNCOUNTED } from './request-memory.ts';

/** Maximum body of renders and templates, bytes. */
export const MAX_BODY = 4 * 1024 * 1024;
const MAX_DEPTH = 32;
/** Maximum list entries and object members: parsing and checking more would block other requests for too long. */
export const MAX_VALUES = 10_000;
/** The same for those in lists of `modifications`: the largest table has 300,000 cells in 50,000 rows. */
const MAX_LISTED = 400_000;
/** Maximum escapes in strings, such as `\\u00e9`: each is decoded separately. */
const MAX_ESCAPES = 500_000;
/** Size from which a body is decoded, counted and parsed in several turns of the event loop, bytes. */
const LARGE = 64 * 1024;
/** Bytes decoded per turn. */
const DECODED = 2 ** 21;
/** Characters counted per turn. */
const SLICE = 2 ** 19;
/** After this many characters of a string without a quote or escape, `indexOf` searches for the next one. */
const PLAIN = 64;
/** Length from which a string without escapes stays a part of the text. */
const LONG_STRING = 256 * 1024;
/**
 * One large body is parsed at a time, accounts in turn: fifty at once would take fifty slices in each turn of the loop. The
 * memory for bodies limits how many wait.
 */
const LARGE_BODIES = new Gate({ concurrency: 1, waiting: Number.POSITIVE_INFINITY });
/** How much of an oversized body is read and discarded so that the client sees the answer, bytes. */
const MAX_DISCARDED = 256 * 1024 * 1024;

/**
 * Reads the body as a JSON object.
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
  const value = await parseInTurn(koa, bytes, () => parseJson(bytes, maxValues));
  if (Array.isArray(value)) throw invalid(`The body must be a JSON object, not a list. ${forList(koa.path)}`.trim());
  if (typeof value !== 'object' || value === null) throw invalid('The body must be a JSON object.');
  return value as Record<string, unknown>;
}

/** Parses a body, a large one when no other is parsed. */
export const parseInTurn = <T>(koa: RequestContext, bytes: Buffer, parse: () => Promise<T>): Promise<T> =>
  bytes.length < LARGE ? parse() : LARGE_BODIES.pass(NEVER, parse, borrowerOf(koa));

/** What a list as the body was meant for. */
const forList = (path: string) =>
  path.startsWith('/v1/renders')
    ? 'Several renders are one request: POST /v1/renders/batch with {"renders": […]}, or {"template": "tpl_…", "items": […]}.'
    : '';

/** What reading a body needs of a request; middleware before the router has no more. */
type Incoming = Pick<RequestContext, 'req' | 'res' | 'ip' | 'state' | 'get' | 'set'>;

/**
 * The raw body, read once. It may take half a minute to arrive, so the request's turn comes, and the sender's right is
 * checked again, once it has.
 *
 * @throws AppError `too_large`, or `invalid_request` when it is cut off; what the sender's `recheck` throws
 */
export async function readBody(koa: Incoming, limit: number): Promise<Buffer> {
  if (koa.state.body) return koa.state.body;
  const body = await readBytes(koa, limit);
  await koa.state.turn?.();
  await koa.state.recheck?.();
  koa.state.body = body;
  return body;
}

/**
 * What a body takes in memory while it is worked on, as a multiple of its size: JSON is also decoded and parsed, a file
 * is also copied out of its form.
 */
const COPIES = { json: 4, file: 3 } as const;

async function readBytes(koa: Incoming, limit: number): Promise<Buffer> {
  const header = koa.get('content-length');
  const declared = header === '' ? null : Number(header);
  if ((declared ?? 0) > limit) throw await tooLarge(koa, limit);
  const copies = /json/i.test(koa.get('content-type')) ? COPIES.json : COPIES.file;
  if ((declared ?? 0) > UNCOUNTED) await hold(koa, (declared ?? 0) * copies);
  // The key check comes first, and a client that leaves meanwhile has had its `close` already: waiting would never end.
  if (koa.req.destroyed && !koa.req.readableEnded) throw cutOff();
  // Filled as it arrives. The system gives a large buffer memory only where it is written to. Not shared with other
  // threads: V8 does not count shared memory, and collects none of it before something else makes it collect.
  const whole = declared !== null && declared > COPIED ? Buffer.allocUnsafeSlow(declared) : null;
  const chunks: Buffer[] = [];
  let length = 0;
  let loan: Promise<Loan | null> | null = null;
  // `for await` would destroy the socket when left early, before the answer is sent.
  await new Promise<void>((resolve, reject) => {
    koa.req.on('data', (chunk: Buffer) => {
      if (length + chunk.length > limit) {
        koa.req.off('end', resolve);
        return void tooLarge(koa, limit).then(reject);
      }
      if (whole) whole.set(chunk, length);
      else chunks.push(chunk);
      length += chunk.length;
      if (length <= UNCOUNTED) return;
      if (declared !== null || loan) return readOnInTurn(koa);
      // How long it will be is unknown: it takes what the longest one would. Bodies that took more and more as they
      // arrive could all wait for each other.
      koa.req.pause();
      loan = hold(koa, limit * copies);
      loan.then(() => koa.req.resume(), reject);
    });
    koa.req.on('end', resolve);
    koa.req.on('close', () => {
      // `close` also follows a request that was read to its end.
      if (!koa.req.readableEnded) reject(cutOff());
    });
    koa.req.on('error', () => reject(invalid('The body could not be read.')));
  });
  (await (loan as Promise<Loan | null> | null))?.shrink(length * copies);
  return whole ?? gather(chunks);
}

/** Waits for the memory of a body. One that has to wait too long is not read. @throws as `holdBody` */
async function hold(koa: Incoming, bytes: number): Promise<Loan | null> {
  // Taken for the whole request already.
  if (koa.state.bodyLoans) return null;
  try {
    return await holdBody(koa, bytes);
  } catch (error) {
    await leaveUnread(koa);
    throw error;
  }
}

const cutOff = () => invalid('The request ended before its body did.');

/** Bytes copied per turn. */
const COPIED = 2 ** 20;

/** Joins the chunks, large ones over several turns: copying 15 MiB would block this thread for 15 ms. */
export async function gather(chunks: readonly Buffer[]): Promise<Buffer> {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (length <= COPIED) return Buffer.concat(chunks);
  const all = Buffer.allocUnsafeSlow(length);
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

/** Requests whose bodies are read on in one turn of the event loop; each has a chunk of 64 KiB, at most two. */
const READ_ON = 4;
const unread = new RoundRobin<Readable>();
let isReadingOn = false;

/**
 * Stops reading a body until its sender's turn comes. Otherwise one turn of the event loop would read two megabytes of
 * every body that arrives.
 */
function readOnInTurn(koa: Incoming): void {
  koa.req.pause();
  unread.push(borrowerOf(koa), koa.req);
  if (isReadingOn) return;
  isReadingOn = true;
  setImmediate(readOn);
}

function readOn(): void {
  for (let count = 0; count < READ_ON; count += 1) unread.shift()?.resume();
  isReadingOn = !unread.isEmpty;
  if (isReadingOn) setImmediate(readOn);
}

/** Discards the body; resolves once the request may be answered. */
export async function leaveUnread(koa: Incoming): Promise<void> {
  discard(koa);
  const isLast = !koa.res.shouldKeepAlive || koa.res.getHeader('connection') === 'close';
  // After its last answer Node closes the connection at once, and a client that still sends would not see the answer.
  if (isLast) await finished(koa.req).catch(() => {});
}

async function tooLarge(koa: Incoming, limit: number): Promise<AppError> {
  await leaveUnread(koa);
  return new AppError('too_large', `The body may have at most ${limit} bytes.`);
}

/**
 * Reads the rest of the body, for at most the server's `requestTimeout`. Many clients read nothing until they have sent
 * everything, and closing the connection earlier would lose them the answer: hence no `connection: close` either.
 */
function discard(koa: Incoming): void {
  let length = 0;
  koa.req.removeAllListeners('data');
  koa.req.resume();
  koa.req.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_DISCARDED) koa.req.destroy();
    else readOnInTurn(koa);
  });
}

async function parseJson(bytes: Buffer, maxValues: number): Promise<unknown> {
  const pause = bytes.length >= LARGE ? nextTurn : async () => {};
  let text: string;
  await pause();
  try {
    // A byte order mark is kept, which makes the JSON invalid (RFC 8259, section 8.1).
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
    if (structure.hasLongLists) return withListsAsText(text, structure.lists);
    for (const { from, to } of structure.strings) {
      for (let at = from; at < to; at += SLICE) {
        if (CONTROL.test(text.slice(at, Math.min(to, at + SLICE)))) throw new Error('a control character in a string');
        await pause();
      }
    }
    return withStringsAsParts(text, structure.strings);
  } catch {
    throw invalid(`The body is not valid JSON: ${faultOf(text)}.`);
  } finally {
    await pause();
  }
}

/** Parses a body; the lists directly in its `modifications` are their own JSON text. */
function withListsAsText(text: string, lists: readonly Span[]): unknown {
  const parts: string[] = [];
  let at = 0;
  for (const [index, { from, to }] of lists.entries()) {
    parts.push(text.slice(at, from), `[${index}]`);
    at = to;
  }
  const body = JSON.parse(parts.join('') + text.slice(at)) as { readonly modifications?: Record<string, unknown> };
  // Of two with this name the last one counts, which may be anything.
  const modifications = body.modifications ?? {};
  for (const name of Object.keys(modifications)) {
    const value = modifications[name];
    if (!Array.isArray(value)) continue;
    const { from = 0, to = 0 } = lists[value[0] as number] ?? {};
    modifications[name] = text.slice(from, to);
  }
  return body;
}

/** What JSON allows in strings only as escapes (RFC 8259, section 7). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
const CONTROL = /[\0-\x1f]/;
/** Stands for a long string while the rest is parsed; no caller can know it. */
const STRING = randomUUID();

/** Parses a body; its long strings stay parts of the text, as copying megabytes takes time. */
function withStringsAsParts(text: string, strings: readonly Span[]): unknown {
  if (strings.length === 0) return JSON.parse(text);
  const parts: string[] = [];
  let at = 0;
  for (const [index, { from, to }] of strings.entries()) {
    parts.push(text.slice(at, from), STRING, String(index));
    at = to;
  }
  const whole = (value: unknown): unknown => {
    if (typeof value === 'string' && value.startsWith(STRING)) {
      const { from, to } = strings[Number(value.slice(STRING.length))] ?? { from: 0, to: 0 };
      return text.slice(from, to);
    }
    // Not by assignment, which would take `__proto__` for the prototype.
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) {
        const put = whole(inner);
        if (put !== inner) Object.defineProperty(value, name, { value: put });
      }
    return value;
  };
  return whole(JSON.parse(parts.join('') + text.slice(at)));
}

function faultOf(text: string): string {
  const fault = findJsonFault(text);
  if (fault === null) return 'it cannot be parsed';
  const { line, column } = placeOf(text, fault.at);
  return `line ${line}, column ${column}: ${fault.problem}`;
}

/** Lets the event loop serve other requests. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Counts the structure of a JSON text before it is parsed: brackets and values outside strings, and escapes in strings.
 */
class Structure {
  /** Where the lists directly in `modifications` are. */
  readonly lists: Span[] = [];
  /** Where long strings without escapes are, except names. */
  readonly strings: Span[] = [];
  readonly #maxValues: number;
  #isInString = false;
  #isEscaped = false;
  #open = 0;
  #values = 0;
  /** Of the values, those in the lists. */
  #listed = 0;
  #escapes = 0;
  /** Where the last string begins; -1 if it has an escape. */
  #string = -1;
  /** Where the last string that began directly in the body begins, which is a name if a value follows. */
  #name = 0;
  #isInModifications = false;
  #list = -1;
  /** Index of the first backslash found by the last search. */
  #backslash = -1;

  constructor(maxValues: number) {
    this.#maxValues = maxValues;
  }

  /**
   * Continues counting; returns the end position, which may be beyond `to` in a long string.
   *
   * @throws AppError `invalid_request` when it nests too deep or holds too much
   */
  read(text: string, from: number, to: number): number {
    let at = from;
    for (let plain = 0; at < to; at += 1) {
      const unit = text.charCodeAt(at);
      if (this.#isInString) {
        plain += 1;
        if (this.#isEscaped) this.#isEscaped = false;
        else if (unit === QUOTE) this.#endString(text, at);
        else if (unit === BACKSLASH) this.#escape();
        else if (plain > PLAIN) at = this.#endOfPlain(text, at) - 1;
        else continue;
        plain = 0;
      } else if (unit === QUOTE) {
        this.#isInString = true;
        this.#string = at;
        if (this.#open === 1) this.#name = at;
      } else if (unit === COMMA) this.#value();
      else if (unit === BRACE || unit === BRACKET) this.#enter(text, at, unit);
      else if (unit === BRACE_END || unit === BRACKET_END) this.#leave(at);
    }
    return at;
  }

  /** Whether there are so many values that lists are to stay text. */
  get hasLongLists(): boolean {
    return this.#values + this.#listed > this.#maxValues;
  }

  #endOfPlain(text: string, at: number): number {
    const find = (mark: string) => (text.indexOf(mark, at) + 1 || text.length + 1) - 1;
    if (this.#backslash < at) this.#backslash = find('\\');
    return Math.min(this.#backslash, find('"'));
  }

  #endString(text: string, at: number): void {
    this.#isInString = false;
    if (this.#string < 0 || at - this.#string <= LONG_STRING) return;
    const next = text.slice(at + 1, at + 100).trimStart();
    if (next !== '' && !next.startsWith(':')) this.strings.push({ from: this.#string + 1, to: at });
  }

  #escape(): void {
    this.#isEscaped = true;
    this.#string = -1;
    this.#escapes += 1;
    if (this.#escapes > MAX_ESCAPES) throw invalid(`The body has more than ${MAX_ESCAPES} escapes; send UTF-8.`);
  }

  #enter(text: string, at: number, unit: number): void {
    this.#value();
    if (this.#open === 1) this.#isInModifications = unit === BRACE && text.startsWith(MODIFICATIONS, this.#name);
    if (this.#open === 2 && unit === BRACKET && this.#isInModifications) this.#list = at;
    this.#open += 1;
    if (this.#open > MAX_DEPTH) throw invalid(`The body nests deeper than ${MAX_DEPTH} levels.`);
  }

  #leave(at: number): void {
    this.#open -= 1;
    if (this.#open !== 2 || this.#list < 0) return;
    this.lists.push({ from: this.#list, to: at + 1 });
    this.#list = -1;
  }

  #value(): void {
    if (this.#list < 0) this.#values += 1;
    else this.#listed += 1;
    if (this.#values > this.#maxValues) throw invalid(`The body has more than ${this.#maxValues} values; send fewer.`);
    if (this.#listed > MAX_LISTED) throw invalid(`The body's lists have more than ${MAX_LISTED} values; send fewer.`);
  }
}

/** A part of a text. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const MODIFICATIONS = '"modifications"';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [BRACE, BRACE_END, BRACKET, BRACKET_END] = [0x7b, 0x7d, 0x5b, 0x5d];

const invalid = (message: string) => new AppError('invalid_request', message);

/**
 * Requires that a value inside a larger body fits the limits of a body of its own: MAX_BODY characters and MAX_VALUES.
 *
 * @throws ValidationError
 */
export function requireBodySize(value: unknown, path: string): void {
  let [characters, values] = [0, 0];
  const visit = (value: unknown): void => {
    values += 1;
    if (typeof value === 'string') characters += value.length;
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        characters += name.length;
        visit(inner);
      }
    }
    if (values > MAX_VALUES) throw new ValidationError(path, `has more than ${MAX_VALUES} values; send fewer`);
    if (characters > MAX_BODY) throw new ValidationError(path, `has more than ${MAX_BODY} characters; send fewer`);
  };
  visit(value);
}

/**
 * Requires an object with arbitrary keys, including `__proto__`, which a schema would drop.
 *
 * @param like what it looks like, as part of a sentence
 */
export function requireObject(value: unknown, path: string, like = ''): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  const given = Array.isArray(value) ? ', not a list' : typeof value === 'string' ? ', not a string' : '';
  throw new ValidationError(path, `must be an object${given}${like === '' ? '' : `: ${like}`}`);
}
