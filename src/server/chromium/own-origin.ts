// Sends headers and cookies only with requests to one origin.
//
// Headers are added to each request separately, since a redirect must not carry them to another origin. Cookies are
// bound to host, scheme and port.

import type { CDPSession } from 'puppeteer-core';
import { AppError } from '#base/errors.ts';

const COOKIE_REFUSED =
  'cookies: Chromium refuses one of them. A name and its value may have 4,096 characters together, and a name that begins with __Host- or __Secure- needs a page at https:.';

interface OriginSecrets {
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
}

/**
 * Applies from now on to every request of the page of `cdp` to the origin, whatever its initiator.
 *
 * @throws AppError `invalid_request` when Chromium refuses a cookie
 */
export async function sendToOwnOrigin(
  cdp: CDPSession,
  { origin, protocol, port }: URL,
  { headers, cookies }: OriginSecrets,
): Promise<void> {
  const isSecure = protocol === 'https:';
  if (cookies.length > 0) {
    const setting = cdp.send('Network.setCookies', {
      cookies: cookies.map(({ name, value }) => ({
        name,
        value,
        url: `${origin}/`,
        path: '/',
        secure: isSecure,
        sourceScheme: isSecure ? ('Secure' as const) : ('NonSecure' as const),
        sourcePort: Number(port) || (isSecure ? 443 : 80),
        sameSite: 'Lax' as const,
      })),
    });
    await setting.catch((cause: Error) => {
      if (!/Invalid cookie fields/.test(cause.message)) throw cause;
      throw new AppError('invalid_request', COOKIE_REFUSED, { cause });
    });
  }
  const added = Object.entries(headers).map(([name, value]) => ({ name, value }));
  if (added.length === 0) return;
  const names = new Set(added.map(({ name }) => name.toLowerCase()));
  cdp.on('Fetch.requestPaused', ({ requestId, request }) => {
    const own = Object.entries(request.headers)
      .filter(([name]) => !names.has(name.toLowerCase()))
      .map(([name, value]) => ({ name, value: String(value) }));
    const isOwn = URL.parse(request.url)?.origin === origin;
    const sent = isOwn ? { requestId, headers: [...own, ...added] } : { requestId };
    cdp.send('Fetch.continueRequest', sent).catch(() => {});
  });
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: `${origin}/*`, requestStage: 'Request' }] });
}
