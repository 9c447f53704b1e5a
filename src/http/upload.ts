// An uploaded file out of a request: the body as it is, or the one file of a form.

import { AppError } from '#errors';
import { readBody } from './body.ts';
import type { RequestContext } from './request-context.ts';

/** What a form adds to the file: boundaries, part headers, a few other fields, bytes. */
const FORM_ALLOWANCE = 64 * 1024;
/** Parts of a form; reading one with a hundred thousand would keep a processor busy. */
const MAX_PARTS = 20;

/** How many bytes the body of an upload of at most `maxBytes` may have. */
export const uploadLimit = (maxBytes: number) => maxBytes + FORM_ALLOWANCE;

/** @throws AppError `invalid_request` when there is no file, `too_large` */
export async function readUpload(koa: RequestContext, maxBytes: number): Promise<Uint8Array> {
  const type = koa.get('content-type');
  const body = await readBody(koa, uploadLimit(maxBytes));
  if (/^application\/json\b/i.test(type)) {
    throw invalid('Send the file itself as the body, with its own content-type, or as the file of a multipart form.');
  }
  const file = /^multipart\/form-data\b/i.test(type) ? await fileOfForm(body, type) : body;
  if (file.length === 0) throw invalid('The file is empty.');
  return file;
}

async function fileOfForm(body: Buffer, type: string): Promise<Uint8Array> {
  const boundary = /\bboundary="?([^\s";]{1,70})"?/i.exec(type)?.[1];
  if (boundary === undefined) throw invalid('The content-type of the form names no boundary.');
  if (occurrences(body, `--${boundary}`, MAX_PARTS + 2) > MAX_PARTS + 1) {
    throw invalid(`A form may have at most ${MAX_PARTS} parts.`);
  }
  const form = await new Response(Uint8Array.from(body), { headers: { 'content-type': type } })
    .formData()
    .catch((cause: unknown) => {
      throw new AppError('invalid_request', 'The body is no valid multipart form.', { cause });
    });
  const files = [...form.values()].filter((value) => typeof value !== 'string');
  const [file] = files;
  if (!file || files.length > 1) throw invalid('The form must have exactly one file.');
  return new Uint8Array(await file.arrayBuffer());
}

/** How often `text` is in the bytes, counted up to `limit`. */
function occurrences(bytes: Buffer, text: string, limit: number): number {
  let count = 0;
  for (let at = bytes.indexOf(text); at >= 0 && count < limit; at = bytes.indexOf(text, at + text.length)) count += 1;
  return count;
}

const invalid = (message: string) => new AppError('invalid_request', message);
