// Reads an uploaded file from a request: the body itself, or the only file of a form.

import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Busboy } from '@fastify/busboy';
import { AppError } from '#errors';
import { gather, readBody } from './body.ts';
import type { RequestContext } from './request-context.ts';

/** Bytes that a form adds to the file: boundaries, part headers, a few other fields. */
const FORM_ALLOWANCE = 64 * 1024;
const MAX_PARTS = 20;
/** Bytes of a form parsed per turn of the event loop. */
const SLICE = 256 * 1024;

/** Maximum body of an upload of at most `maxBytes`. */
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

/** Parses the form in slices: parsing one of 15 MiB at once would block the thread for some 60 ms. */
async function fileOfForm(body: Buffer, type: string): Promise<Uint8Array> {
  if (!/\bboundary="?[^\s";]{1,70}"?/i.test(type)) throw invalid('The content-type of the form names no boundary.');
  const files: Buffer[][] = [];
  let isOver = false;
  try {
    const parser = new Busboy({ headers: { 'content-type': type }, limits: { parts: MAX_PARTS } });
    const ended = once(parser, 'finish');
    // Awaited below, where its error is thrown.
    ended.catch(() => {});
    parser.on('partsLimit', () => {
      isOver = true;
    });
    parser.on('file', (_field, stream) => {
      const chunks: Buffer[] = [];
      files.push(chunks);
      // A form that ends inside a file is an error of this stream too, which would end the server without a listener.
      stream.on('error', () => {});
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    });
    for (let at = 0; at < body.length; at += SLICE) {
      parser.write(body.subarray(at, at + SLICE));
      await setImmediate();
    }
    parser.end();
    await ended;
  } catch (cause) {
    throw new AppError('invalid_request', 'The body is no valid multipart form.', { cause });
  }
  if (isOver) throw invalid(`A form may have at most ${MAX_PARTS} parts.`);
  const [file] = files;
  if (!file || files.length > 1) throw invalid('The form must have exactly one file.');
  return gather(file);
}

const invalid = (message: string) => new AppError('invalid_request', message);
