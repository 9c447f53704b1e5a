// The two ways in which the Model Context Protocol reaches us: over HTTP without sessions, and over standard streams.

import { createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { CallApi } from './call-api.ts';
import { createMcp } from './tools.ts';

export type AnswerMcp = (request: Request, message: unknown) => Promise<Response>;

/** @param callAs the API with the `authorization` of whoever asks */
export function mcpOverHttp(callAs: (authorization: string) => CallApi): AnswerMcp {
  // Nothing here is told of later, so no stream is held open.
  const { fetch } = createMcpHandler(
    ({ requestInfo }) => createMcp(callAs(requestInfo?.headers.get('authorization') ?? '')),
    { maxSubscriptions: 0 },
  );
  return (request, parsedBody) => fetch(request, { parsedBody });
}

/** Until standard input ends. */
export async function mcpOverStdio(call: CallApi): Promise<void> {
  const ended = new Promise((resolve) => process.stdin.once('end', resolve).once('close', resolve));
  const connection = serveStdio(() => createMcp(call));
  await ended;
  await connection.close();
}
