// Sends files: content type, caching, and a policy that lets nothing in them run.

import type { Readable } from 'node:stream';
import { AppError } from '#base/errors.ts';
import { CONTENT_TYPE } from '#draw/output/formats.ts';
import type { RequestContext } from './request-context.ts';
import { holdAnswer, STREAMED } from './request-memory.ts';

/** The formats that are served: none that a browser would execute. */
const SERVED_TYPE = { ...CONTENT_TYPE, gif: 'image/gif' } as const;
type ServedFormat = keyof typeof SERVED_TYPE;

export function isServed(format: string): format is ServedFormat {
  return Object.hasOwn(SERVED_TYPE, format);
}

export interface FileResponse {
  readonly output: ServedFormat;
  /** File name for "save as"; made of ids, so it needs no quoting. */
  readonly name: string;
  /** Without quotes; null where two answers may differ. */
  readonly etag: string | null;
  readonly cacheControl: string;
}

/** Answers with the file; for HEAD with its headers only. */
export function sendFile(koa: RequestContext, file: FileResponse, body: Buffer | Readable, size: number): void {
  setHeaders(koa, file);
  koa.status = 200;
  koa.body = body;
  koa.type = SERVED_TYPE[file.output];
  koa.length = size;
}

/** A stored file, of which any range can be read. */
export interface StoredBlob {
  readonly size: number;
  stream(range?: ByteRange): Readable;
}

/** A range of bytes; both ends are inclusive. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Answers with a stored file, or with the requested range of it (RFC 9110, section 14). Supports one range; a request
 * for several gets the whole file.
 *
 * @param whose the account that the file belongs to, whose memory for answers it takes
 * @throws AppError `range_not_satisfiable` for a range that begins beyond the end; what `holdAnswer` throws
 */
export async function sendStored(
  koa: RequestContext,
  file: FileResponse,
  blob: StoredBlob,
  whose?: string,
): Promise<void> {
  await holdAnswer(koa, Math.min(STREAMED, blob.size), whose);
  koa.set('accept-ranges', 'bytes');
  const range = rangeAsked(koa, file, blob.size);
  if (range === null) {
    sendFile(koa, file, blob.stream(), blob.size);
    return;
  }
  sendFile(koa, file, blob.stream(range), range.end - range.start + 1);
  koa.set('content-range', `bytes ${range.start}-${range.end}/${blob.size}`);
  koa.status = 206;
}

/** The requested range; null for the whole file. */
function rangeAsked(koa: RequestContext, { etag }: FileResponse, size: number): ByteRange | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(koa.get('range').trim());
  const [, first = '', last = ''] = match ?? [];
  const condition = koa.get('if-range');
  if ((first === '' && last === '') || koa.method !== 'GET' || (condition !== '' && condition !== `"${etag}"`))
    return null;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < start) return null;
  if (start < size && end >= start) return { start, end };
  koa.set('content-range', `bytes */${size}`);
  throw new AppError('range_not_satisfiable', `The file has ${size} bytes; ask for a range within them.`);
}

/** How long a redirect to the store may be cached, s: half the lifetime of the URL in it (storage/s3). */
const REDIRECT_KEPT = 1_800;

/**
 * Whether a client may be redirected to the store. A client that sends its key would send it there too, and S3 refuses
 * requests with two signatures.
 */
export function mayRedirect(koa: RequestContext): boolean {
  return koa.get('authorization') === '';
}

/** Redirects the client to a URL of the store that is valid for an hour. */
export function redirectToStore(koa: RequestContext, address: string): void {
  koa.set('location', address);
  koa.set('cache-control', `public, max-age=${REDIRECT_KEPT}`);
  koa.set('access-control-allow-origin', '*');
  koa.set('cross-origin-resource-policy', 'cross-origin');
  koa.status = 302;
  koa.body = '';
}

/** Answers 304: the client has the file already. */
export function sendNotModified(koa: RequestContext, file: FileResponse): void {
  setHeaders(koa, file);
  koa.status = 304;
}

function setHeaders(koa: RequestContext, file: FileResponse): void {
  koa.set('cache-control', file.cacheControl);
  koa.set('content-disposition', `inline; filename="${file.name}"`);
  // Images are meant to be shown on other sites.
  koa.set('access-control-allow-origin', '*');
  koa.set('cross-origin-resource-policy', 'cross-origin');
  koa.set('content-security-policy', file.output === 'pdf' ? NOTHING_RUNS : `${NOTHING_RUNS}; sandbox`);
  if (file.etag !== null) koa.etag = file.etag;
}

/** Whether the client has this version of the file (RFC 9110: If-None-Match, weak comparison). */
export function clientHas(koa: RequestContext, etag: string): boolean {
  const held = koa.get('if-none-match');
  return held.trim() === '*' || held.split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${etag}"`);
}

/** A PDF gets no `sandbox`: browsers do not open their PDF viewer in one. */
const NOTHING_RUNS = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** Restricts a file to the studio's own pages: no other site may load it. */
export function ownOnly(koa: RequestContext): void {
  koa.remove('access-control-allow-origin');
  koa.set('cross-origin-resource-policy', 'same-origin');
}
