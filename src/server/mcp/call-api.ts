// Calls a running server's HTTP API with one key.

import { type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '#base/errors.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

const PIECE = 256 * 1024;
async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) {
    yield bytes.subarray(at, at + PIECE);
    await setImmediate();
  }
}

export type CallApi = (
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: { readonly type: string; readonly bytes: Uint8Array },
) => Promise<ApiAnswer>;

/** Renders and screenshots are answered within this time, ms. */
const TIMEOUT = 90_000;
/** Maximum size of an answer, bytes. */
const MAX_ANSWER = 64 * 2 ** 20;

/**
 * @param authorization the caller's Authorization header. @param base without a trailing slash
 * @param more further headers of every request
 */
export function apiCalls(base: string, authorization: string, more: Readonly<Record<string, string>> = {}): CallApi {
  return async (method, path, body) => {
    const headers = {
      ...more,
      authorization,
      ...(body ? { 'content-type': body.type, 'content-length': String(body.bytes.length) } : {}),
    };
    const { promise, resolve, reject } = Promise.withResolvers<ApiAnswer>();
    const request = (base.startsWith('https:') ? requestHttps : requestHttp)(
      `${base}${path}`,
      { method, headers, agent: false, signal: AbortSignal.timeout(TIMEOUT) },
      async (response) => {
        try {
          const chunks: Buffer[] = [];
          let length = 0;
          for await (const chunk of response) {
            length += chunk.length;
            if (length > MAX_ANSWER) throw new AppError('render_failed', 'The answer is too large.');
            chunks.push(chunk);
          }
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) });
        } catch (error) {
          reject(error);
        }
      },
    );
    request.on('error', ({ message }) =>
      reject(new AppError('render_failed', `No Platen server answers at ${base}: ${message}`)),
    );
    // A piece a turn, as one write would copy as many megabytes as the system takes.
    if (body) Readable.from(pieces(body.bytes)).pipe(request);
    else request.end();
    return promise;
  };
}
