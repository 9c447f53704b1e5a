// `GET /`: the start page, with links to the documentation and the studio.

import type { Handler } from './request-context.ts';

const WORDS =
  'Platen renders stored templates to PNG, JPEG, WebP and PDF. The API lives under /v1; read about it at /docs.';

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Platen</title>
<h1>Platen</h1>
<p>Renders stored templates to PNG, JPEG, WebP and PDF.</p>
<ul>
<li><a href="/studio/">The studio</a>, where templates are designed
<li><a href="/docs">The documentation</a>
<li><a href="/docs/api">The API</a>, under /v1
</ul>
</html>
`;

/** HTML for browsers, plain text for all other clients. */
export const showStart: Handler = (koa) => {
  koa.set('vary', 'accept');
  if (koa.accepts('text', 'html') === 'html') {
    koa.set('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    koa.type = 'text/html; charset=utf-8';
    koa.body = PAGE;
  } else {
    koa.body = `${WORDS} The studio is at /studio/.\n`;
  }
};
