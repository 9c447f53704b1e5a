// The contract, for machines at /v1/openapi.json and for people at /docs.

import { openApiDocument } from './openapi/document.ts';
import { documentPage, type Page } from './openapi/page.ts';
import type { Handler } from './request-context.ts';

/** @param address the server's own; known once it listens */
export function readContract(address: () => string): Handler {
  let text: string | null = null;
  return (koa) => {
    text ??= JSON.stringify(openApiDocument(address()));
    koa.type = 'application/json; charset=utf-8';
    koa.body = text;
  };
}

export function showDocs(address: () => string): Handler {
  let page: Page | null = null;
  return (koa) => {
    page ??= documentPage(openApiDocument(address()));
    koa.set('content-security-policy', page.policy);
    koa.set('referrer-policy', 'no-referrer');
    koa.type = 'text/html; charset=utf-8';
    koa.body = page.html;
  };
}
