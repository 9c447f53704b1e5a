// Serves the Model Context Protocol in two ways: over HTTP without sessions, and over standard input and output.

import { createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { CallApi } from './call-api.ts';
import { createMcp } from './tools.ts';

export type AnswerMcp = (request: Request, message: unknown) => Promise<Response>;

/**
 * @param callAs calls the API with the caller's `authorization`
 */
export function mcpOverHttp(callAs: (authorization: string) => CallApi): AnswerMcp {
  // The server sends no notifications, so no stream is kept open.
  const { fetch } = createMcpHandler(
    ({ requestInfo }) => createMcp(callAs(requestInfo?.headers.get('authorization') ?? '')),
    { maxSubscriptions: 0 },
  );
  return (request, parsedBody) => fetch(request, { parsedBody });
}

/** Serves until standard input ends. */
export async function mcpOverStdio(call: CallApi): Promise<void> {
  const ended = new Promise((resolve) => process.stdin.once('end', resolve).once('close', resolve));
  const connection = serveStdio(() => createMcp(call));
  await ended;
  await connection.close();
}
