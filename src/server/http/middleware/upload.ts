// Reads uploads from a request: a file that is the body itself or the only file of a form, or a whole form.

import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Busboy } from '@fastify/busboy';
import { AppError } from '#base/errors.ts';
import { quoted } from '#core/diagnostics.ts';
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

async function fileOfForm(body: Buffer, type: string): Promise<Uint8Array> {
  const { files } = await parseForm(body, type, { parts: MAX_PARTS, fieldBytes: FORM_ALLOWANCE });
  const [file] = files;
  if (!file || files.length > 1) throw invalid('The form must have exactly one file.');
  return gather(file.chunks);
}

export interface FormLimits {
  /** Of the whole body. */
  readonly bytes: number;
  /** Fields and files. */
  readonly parts: number;
  readonly fieldBytes: number;
}

export interface ReadForm {
  /** Of fields of one name, the last. */
  readonly fields: ReadonlyMap<string, string>;
  /** By file name, without folders. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Reads a form of fields and files. @throws AppError `invalid_request`, `too_large` */
export async function readForm(koa: RequestContext, limits: FormLimits): Promise<ReadForm> {
  const type = koa.get('content-type');
  const body = await readBody(koa, limits.bytes);
  if (!/^multipart\/form-data\b/i.test(type)) throw invalid('The body must be a form: multipart/form-data.');
  const { fields, files } = await parseForm(body, type, limits);
  const named = new Map<string, Buffer>();
  for (const { name, chunks } of files) {
    if (named.has(name)) throw invalid(`The form has two files named ${quoted(name)}.`);
    named.set(name, await gather(chunks));
  }
  return { fields, files: named };
}

interface ParsedForm {
  readonly fields: ReadonlyMap<string, string>;
  readonly files: readonly { readonly name: string; readonly chunks: readonly Buffer[] }[];
}

/** Parses the form in slices: parsing one of 15 MiB at once would block the thread for some 60 ms. */
async function parseForm(body: Buffer, type: string, limits: Omit<FormLimits, 'bytes'>): Promise<ParsedForm> {
  if (!/\bboundary="?[^\s";]{1,70}"?/i.test(type)) throw invalid('The content-type of the form names no boundary.');
  const { parts, fieldBytes } = limits;
  const fields = new Map<string, string>();
  const files: { name: string; chunks: Buffer[] }[] = [];
  let isOver = false;
  let long: string | null = null;
  try {
    const parser = new Busboy({ headers: { 'content-type': type }, limits: { parts, fieldSize: fieldBytes } });
    const ended = once(parser, 'finish');
    // Awaited below, where its error is thrown.
    ended.catch(() => {});
    parser.on('partsLimit', () => {
      isOver = true;
    });
    parser.on('field', (name, value, _nameCut, isCut) => {
      if (isCut) long ??= name;
      fields.set(name, value);
    });
    parser.on('file', (_field, stream, name) => {
      const chunks: Buffer[] = [];
      files.push({ name: name ?? '', chunks });
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
  if (isOver) throw invalid(`A form may have at most ${parts} parts.`);
  if (long !== null) throw invalid(`The field ${quoted(String(long))} is too long.`);
  return { fields, files };
}

const invalid = (message: string) => new AppError('invalid_request', message);
