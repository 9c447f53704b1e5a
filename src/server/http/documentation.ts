// Serves the documentation under /docs: static pages built from docs/*.md by `npm run build:docs`.

import { AppError } from '#base/errors.ts';
import type { Handler } from './middleware/request-context.ts';
import { isFileName, sendFile, setSiteHeaders, siteFiles } from './static-site.ts';

const DOCS = '/docs';

/** Allows only the site's own script, for the search. Trusted Types: no text becomes markup. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** `GET /docs/…`: `/docs/webhooks` is the page webhooks.html. @param folder with the built site */
export function serveDocs(folder: string): Handler {
  const files = siteFiles(folder);
  return async (koa) => {
    setSiteHeaders(koa, POLICY);
    const found = await files();
    if (found.size === 0) {
      throw new AppError(
        'not_found',
        'The documentation is not built here: run "npm run build:docs", then load this again. Its text is in docs/.',
      );
    }
    const name = koa.path.slice(DOCS.length + 1);
    const file = isFileName(name) ? found.get(name) : found.get(`${name || 'index'}.html`);
    if (!file) throw new AppError('not_found', 'There is no such page; the documentation begins at /docs.');
    await sendFile(koa, file, true);
  };
}
