// Serves the OpenAPI contract at /v1/openapi.json. The documentation shows it at /docs/api.

import type { Handler } from '../middleware/request-context.ts';
import { openApiDocument } from '../openapi/document.ts';

/**
 * @param address the server's own URL, known once it listens
 */
export function readContract(address: () => string): Handler {
  let text: string | null = null;
  return (koa) => {
    text ??= JSON.stringify(openApiDocument(address()));
    koa.type = 'application/json; charset=utf-8';
    koa.body = text;
  };
}
