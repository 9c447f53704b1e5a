// Serves the OpenAPI contract, of the API for keys and of the studio's. The documentation shows both at /docs/api.

import type { Handler } from '../middleware/request-context.ts';
import { type Contract, openApiDocument } from '../openapi/document.ts';

/**
 * @param address the server's own URL, known once it listens
 */
export function readContract(address: () => string, contract: Contract): Handler {
  let text: string | null = null;
  return (koa) => {
    text ??= JSON.stringify(openApiDocument(address(), contract));
    koa.type = 'application/json; charset=utf-8';
    koa.body = text;
  };
}
