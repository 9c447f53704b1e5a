// Serves the built studio: the files of one folder, and its page for every other path below /studio/.
//
// The policy allows only our own scripts and requests to our own server, and no other site may frame it, but the
// embedded editor: that an account's allowed origins may.

import { AppError } from '#base/errors.ts';
import type { EditorTokens } from '#server/service/accounts/editor-tokens.ts';
import type { Handler } from '../middleware/request-context.ts';
import { STUDIO } from '../paths.ts';
import { isFileName, sendSiteFile, setSiteHeaders, siteFiles } from '../static-site.ts';

/**
 * WebAssembly is compiled in the page; workers and PDF previews are blobs. Trusted Types: the bundle has the policies
 * `platen` and `default`, and nothing else turns text into code or markup.
 */
const policy = (ancestors: readonly string[]) =>
  [
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
    `frame-ancestors ${ancestors.join(' ') || "'none'"}`,
    "require-trusted-types-for 'script'",
    'trusted-types platen default',
  ].join('; ');
const POLICY = policy([]);

/** `GET /studio/…`. @param folder with the build, read on first demand; `base` the path of the public URL, or '' */
export function serveStudio(folder: string, base = ''): Handler {
  const files = siteFiles(folder, base);
  return async (koa) => {
    setSiteHeaders(koa, POLICY);
    koa.set('x-robots-tag', 'noindex');
    const found = await files();
    const name = koa.path.slice(STUDIO.length + 1);
    const file = found.get(name) ?? (isFileName(name) ? null : found.get('index.html'));
    if (file === undefined) throw notBuilt();
    if (file === null) throw new AppError('not_found', 'not found');
    await sendSiteFile(koa, file, false);
  };
}

/**
 * `GET /studio/embed/{accountId}`: the editor alone, which only pages of the account's allowed origins may frame. For an
 * account that there is not, none may.
 */
export function serveEmbeddedEditor(folder: string, base: string, tokens: EditorTokens): Handler {
  const files = siteFiles(folder, base);
  return async (koa) => {
    setSiteHeaders(koa, policy(await tokens.origins(koa.params.accountId ?? '')));
    koa.remove('x-frame-options');
    // For pages that isolate themselves with Cross-Origin-Embedder-Policy.
    koa.set('cross-origin-embedder-policy', 'require-corp');
    koa.set('cross-origin-resource-policy', 'cross-origin');
    const file = (await files()).get('embed.html');
    if (!file) throw notBuilt();
    await sendSiteFile(koa, file, false);
  };
}

/** `GET /studio/platen-editor.js`: the custom element, a module that pages of any origin may load. */
export function serveEditorElement(folder: string): Handler {
  const files = siteFiles(folder);
  return async (koa) => {
    koa.set('access-control-allow-origin', '*');
    koa.set('cross-origin-resource-policy', 'cross-origin');
    const file = (await files()).get('platen-editor.js');
    if (!file) throw notBuilt();
    await sendSiteFile(koa, file, false);
  };
}

const notBuilt = () =>
  new AppError('not_found', 'The studio is not built here: run "npm run build:studio", then load this again.');
