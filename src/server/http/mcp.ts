// `/mcp`: the Model Context Protocol. The caller is authenticated before; each tool calls our own API. A message is
// counted once, and its calls are not.

import { AppError } from '#base/errors.ts';
import { apiCalls } from '#server/mcp/call-api.ts';
import type { AnswerMcp } from '#server/mcp/tools.ts';
import { leaveUnread, MAX_VALUES, readJsonObject } from './middleware/body.ts';
import type { Handler, RequestContext } from './middleware/request-context.ts';
import { holdBody, OWN_REQUEST } from './middleware/request-memory.ts';
import { MAX_IMAGE } from './v1/images.ts';

/** An image in base64, and the rest of the message, bytes. */
const MAX_MESSAGE = Math.ceil((MAX_IMAGE * 4) / 3) + 64 * 1024;
/** Values in the message besides those of a template. */
const ENVELOPE_VALUES = 100;

/** What a message takes while it is worked on, as a multiple of its size: it is parsed, decoded and sent on. */
const COPIES = 6;
/** What the smallest message takes, bytes: its answer may hold a picture, in base64. */
const LEAST = 8 * 1024 * 1024;

/**
 * @param local the URL at which this server reaches itself
 * @param token the value of the header OWN_REQUEST in its requests
 */
export function serveMcp(local: () => string, token: string): Handler {
  let answer: AnswerMcp | null = null;
  return async (koa) => {
    // Fetch has no requests of this method, so the protocol's library cannot refuse it as it does all others but POST.
    if (koa.method === 'TRACE') {
      koa.set('allow', 'POST');
      throw new AppError('method_not_allowed', 'method not allowed');
    }
    const message = koa.method === 'POST' ? await readMessage(koa) : null;
    // Its libraries take memory and time to load, and most servers never need them.
    const { mcpOverHttp } = await import('#server/mcp/tools.ts');
    answer ??= mcpOverHttp((authorization) => apiCalls(local(), authorization, { [OWN_REQUEST]: token }));
    // One message is sent, which can be had as either.
    const type = koa.accepts(JSON_TYPE, STREAM_TYPE);
    const accept = type === false ? koa.get('accept') : `${JSON_TYPE}, ${STREAM_TYPE}`;
    const headers = Object.entries({ ...koa.headers, accept }).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    // Without its body, which is handed over as it was parsed.
    const request = new Request(`${local()}/mcp`, { method: koa.method, headers });
    const response = await answer(request, message);
    koa.status = response.status;
    for (const [name, value] of response.headers) if (name !== 'content-length') koa.set(name, value);
    koa.body = inType(koa, String(response.headers.get('content-type')), await response.text());
  };
}

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';

/** The body of an answer, in the other of the two types if the client takes only that. */
function inType(koa: RequestContext, type: string, text: string): string {
  const [, wrapped] = /^data: ?(.*)$/m.exec(text) ?? [];
  if (type.startsWith(STREAM_TYPE) && wrapped !== undefined && koa.accepts(STREAM_TYPE) === false) {
    koa.type = JSON_TYPE;
    return wrapped;
  }
  if (type.startsWith(JSON_TYPE) && koa.accepts(JSON_TYPE) === false && koa.accepts(STREAM_TYPE) !== false) {
    koa.type = STREAM_TYPE;
    return `event: message\ndata: ${text}\n\n`;
  }
  return text;
}

async function readMessage(koa: RequestContext): Promise<unknown> {
  const size = Number(koa.get('content-length') || MAX_MESSAGE);
  try {
    if (size <= MAX_MESSAGE) await holdBody(koa, Math.max(LEAST, size * COPIES));
  } catch (error) {
    await leaveUnread(koa);
    throw error;
  }
  const message = await readJsonObject(koa, MAX_MESSAGE, MAX_VALUES + ENVELOPE_VALUES);
  // Nobody reads its bytes again, and the call that it makes may take long: a large one's are freed now.
  const { body } = koa.state;
  delete koa.state.body;
  if (body && body.length === body.buffer.byteLength && body.buffer instanceof ArrayBuffer) body.buffer.transfer(0);
  return message;
}
