// Sends headers and cookies only with requests to one origin.
//
// Headers are added to each request separately, since a redirect must not carry them to another origin. Cookies are
// bound to host, scheme and port.

import type { CDPSession } from 'puppeteer-core';

interface OriginSecrets {
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
}

/** Applies from now on to every request of the page of `cdp` to the origin, whatever its initiator. */
export async function sendToOwnOrigin(
  cdp: CDPSession,
  { origin, protocol, port }: URL,
  { headers, cookies }: OriginSecrets,
): Promise<void> {
  const isSecure = protocol === 'https:';
  if (cookies.length > 0) {
    await cdp.send('Network.setCookies', {
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
