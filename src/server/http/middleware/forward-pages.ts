// Forwards requests that need a browser from a server without one to a server that has one, and returns its answer
// unchanged.
//
// Servers on one database are equal: the server that gets the forwarded request checks its key, counts it and stores
// its result. So nothing may have been reserved or stored here when `no_browser` is thrown.

import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Middleware } from 'koa';
import { AppError } from '#base/errors.ts';
import { currentTrace } from '#base/trace.ts';
import { traceHeaders } from '#server/observability/trace-context.ts';
import { MAX_BODY, readBody } from './body.ts';
import type { State } from './request-context.ts';

/** Marks a forwarded request, which is not forwarded again. */
const FORWARDED = 'x-platen-forwarded';
/** ms: a page may wait for 30 s and take 45 s. */
const TIMEOUT = 90_000;
/** Headers of a single connection (RFC 9110, section 7.6.1), or that are written anew. */
const NOT_PASSED_ON = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'expect', 'te', 'upgrade'];

/**
 * @param target URL of servers with a browser, without a trailing slash; null = none
 */
export function forwardPages(target: string | null): Middleware<State> {
  return async (koa, next) => {
    try {
      await next();
    } catch (error) {
      const isOurs = error instanceof AppError && error.code === 'no_browser';
      if (!isOurs || target === null) throw error;
      if (koa.get(FORWARDED) !== '') {
        throw new AppError('no_browser', 'PLATEN_BROWSER_URL leads to a server without the role "browser".');
      }
      // Overwrites whatever the handler has set in its answer.
      const { req, method, url } = koa;
      // Nobody has checked the size of a body that a GET brings, which means nothing.
      const body = method === 'GET' || method === 'HEAD' ? null : await readBody(koa, MAX_BODY);
      const headers = { ...passedOn(req.headers), ...traceHeaders(currentTrace()), [FORWARDED]: '1' };
      const answer = await ask(`${target}${url}`, method, headers, body);
      koa.status = answer.statusCode ?? 502;
      for (const [name, value] of Object.entries(passedOn(answer.headers))) koa.set(name, value);
      koa.body = answer;
      const length = answer.headers['content-length'];
      if (length !== undefined) koa.length = Number(length);
    }
  };
}

type Headers = Record<string, string | string[]>;

function passedOn(headers: IncomingMessage['headers']): Headers {
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !NOT_PASSED_ON.includes(name));
  return Object.fromEntries(kept) as Headers;
}

function ask(url: string, method: string, headers: Headers, body: Buffer | null): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const length = body ? { 'content-length': String(body.length) } : {};
  const request = (url.startsWith('https:') ? requestHttps : requestHttp)(
    url,
    { method, headers: { ...headers, ...length }, agent: false, signal: AbortSignal.timeout(TIMEOUT) },
    resolve,
  );
  request.on('error', (cause) => {
    const message = 'No server with the role "browser" answers; try again in a few seconds.';
    reject(new AppError('overloaded', message, { cause, retryAfter: 5 }));
  });
  request.end(body ?? undefined);
  return promise;
}
