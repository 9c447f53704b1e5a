// `GET /v1/templates/{id}/render.{ext}?…&sig=…`: renders a template directly from a signed URL, without an API key.

import { AppError } from '#base/errors.ts';
import { EXTENSIONS, isSigned, SIGNED_EXTENSIONS } from '#draw/output/formats.ts';
import { openVariant, type SignedContext } from '#server/service/rendering/signed-render.ts';
import { setWarnings } from '../middleware/answer.ts';
import { clientHas, sendFile, sendNotModified } from '../middleware/file-response.ts';
import type { Handler } from '../middleware/request-context.ts';
import { holdAnswer } from '../middleware/request-memory.ts';

/** Whether a path belongs to signed URLs: they need no key, and their errors are plain text. */
export function isSignedPath(path: string): boolean {
  return /^\/v1\/templates\/[^/]+\/render\.[^/]*$/.test(path);
}

export function renderSigned(ctx: SignedContext): Handler {
  return async (koa) => {
    const { id = '', ext = '' } = koa.params;
    if (!isSigned(ext)) {
      throw new AppError('not_found', `not found: a signed URL ends in ${SIGNED_EXTENSIONS.join(', ')}`);
    }
    const variant = await openVariant(ctx, id, ext, koa.querystring);

    const file = {
      output: EXTENSIONS[ext],
      name: `${variant.templateId}.${ext}`,
      etag: variant.key,
      cacheControl: cacheControl(variant.expires, ctx.clock()),
    };
    // `If-None-Match: *` matches whatever exists, but must not match when nothing exists yet.
    if (clientHas(koa, file.etag) && (await variant.wasDrawn())) {
      sendNotModified(koa, file);
      return;
    }
    // Counted before it is read or drawn, unless it is small: files that wait for their clients are in memory.
    const size = await variant.size();
    const loan = size === null ? null : await holdAnswer(koa, size, variant.accountId);
    const { bytes, diagnostics, lasting } = await variant.file();
    if (loan) loan.shrink(bytes.length);
    else await holdAnswer(koa, bytes.length, variant.accountId);
    setWarnings(koa, diagnostics);
    const answer = lasting ? file : { ...file, etag: null, cacheControl: 'no-store' };
    sendFile(koa, answer, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), bytes.length);
  };
}

/** Limits caching to the lifetime of the signature. */
function cacheControl(expires: Date | null, now: Date): string {
  if (expires === null) return 'public, s-maxage=3600, stale-while-revalidate=86400';
  const seconds = Math.max(0, Math.floor((expires.getTime() - now.getTime()) / 1000));
  return `public, max-age=${Math.min(seconds, 3600)}`;
}
