// A request's body as JSON, within limits of size and depth that hold before anything is parsed.

import type { Readable } from 'node:stream';
import { ValidationError } from '#core/diagnostics.ts';
import { AppError } from '#errors';
import type { RequestContext } from './request-context.ts';

/** Renders and templates, bytes. */
export const MAX_BODY = 4 * 1024 * 1024;
const MAX_DEPTH = 32;
/** How much of an oversized body is still read, and thrown away, so that the client gets to see the answer, bytes. */
const MAX_DISCARDED = 16 * 1024 * 1024;

/**
 * The body as a JSON object.
 *
 * @throws AppError `too_large`, or `invalid_request` for anything but UTF-8 JSON sent as application/json
 */
export async function readJsonObject(
  koa: RequestContext,
  limit = MAX_BODY,
): Promise<Readonly<Record<string, unknown>>> {
  const encoding = koa.get('content-encoding');
  if (encoding !== '' && encoding !== 'identity') throw invalid('The body must not be compressed.');
  const bytes = await readBody(koa, limit);
  if (bytes.length === 0) throw invalid('The request needs a JSON body.');
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(koa.get('content-type'))) {
    throw invalid('The body must be sent as content-type application/json.');
  }
  const value = parseJson(bytes);
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
  return Buffer.concat(chunks);
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

function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    // A byte order mark stays, and is then no JSON (RFC 8259, section 8.1).
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalid('The body is not valid UTF-8.');
  }
  if (depth(text) > MAX_DEPTH) throw invalid(`The body nests deeper than ${MAX_DEPTH} levels.`);
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('The body is not valid JSON.');
  }
}

/** How deep brackets nest, outside of strings. */
function depth(text: string): number {
  let open = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === '{' || char === '[') open += 1;
    else if (char === '}' || char === ']') open -= 1;
    deepest = Math.max(deepest, open);
  }
  return deepest;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

const invalid = (message: string) => new AppError('invalid_request', message);

/** An object of the caller's own keys, `__proto__` among them; a schema would drop that one. */
export function requireObject(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new ValidationError(path, 'must be an object');
}
