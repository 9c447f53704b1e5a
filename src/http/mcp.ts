// `/mcp`: the Model Context Protocol. The caller is authenticated before; each tool calls our own API, which counts the
// request.

import { AppError } from '#errors';
import { apiCalls } from '#mcp/call-api.ts';
import type { AnswerMcp } from '#mcp/serve.ts';
import { MAX_VALUES, readJsonObject } from './body.ts';
import { MAX_IMAGE } from './images.ts';
import type { Handler } from './request-context.ts';

/** An image in base64, and the rest of the message, bytes. */
const MAX_MESSAGE = Math.ceil((MAX_IMAGE * 4) / 3) + 64 * 1024;
/** Values in the message besides those of a template. */
const ENVELOPE_VALUES = 100;

/**
 * @param local the URL at which this server reaches itself
 */
export function serveMcp(local: () => string): Handler {
  let answer: AnswerMcp | null = null;
  return async (koa) => {
    // Fetch has no requests of this method, so the protocol's library cannot refuse it as it does all others but POST.
    if (koa.method === 'TRACE') {
      koa.set('allow', 'POST');
      throw new AppError('method_not_allowed', 'method not allowed');
    }
    const message = koa.method === 'POST' ? await readJsonObject(koa, MAX_MESSAGE, MAX_VALUES + ENVELOPE_VALUES) : null;
    // Its libraries take memory and time to load, and most servers never need them.
    const { mcpOverHttp } = await import('#mcp/serve.ts');
    answer ??= mcpOverHttp((authorization) => apiCalls(local(), authorization));
    const headers = Object.entries(koa.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const body = message === null ? {} : { body: JSON.stringify(message) };
    const request = new Request(`${local()}/mcp`, { method: koa.method, headers, ...body });
    const response = await answer(request, message);
    koa.status = response.status;
    for (const [name, value] of response.headers) if (name !== 'content-length') koa.set(name, value);
    koa.body = Buffer.from(await response.arrayBuffer());
  };
}
