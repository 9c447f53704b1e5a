// Serves the built studio: the files of one folder, and its page for every other path below /studio/.
//
// The policy allows only our own scripts and requests to our own server, and no other site may frame it.

import { AppError } from '#errors';
import type { Handler } from '../middleware/request-context.ts';
import { isFileName, sendFile, setSiteHeaders, siteFiles } from '../static-site.ts';
import { STUDIO } from './paths.ts';

/**
 * WebAssembly is compiled in the page; workers and PDF previews are blobs. Trusted Types: the bundle has the policies
 * `platen` and `default`, and nothing else turns text into code or markup.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self' data: blob:",
  "connect-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "frame-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types platen default',
].join('; ');

/** `GET /studio/…`. @param folder with the build; read on first demand */
export function serveStudio(folder: string): Handler {
  const files = siteFiles(folder);
  return async (koa) => {
    setSiteHeaders(koa, POLICY);
    const found = await files();
    const name = koa.path.slice(STUDIO.length + 1);
    const file = found.get(name) ?? (isFileName(name) ? null : found.get('index.html'));
    if (file === undefined) {
      throw new AppError(
        'not_found',
        'The studio is not built here: run "npm run build:studio", then load this again.',
      );
    }
    if (file === null) throw new AppError('not_found', 'not found');
    await sendFile(koa, file, false);
  };
}
