// Headers and cookies for one origin in, nothing of them for any other.
//
// Headers are put on each request by itself, since a redirect must not carry them elsewhere; cookies are bound to host,
// scheme and port.

import type { CDPSession } from 'puppeteer-core';

interface OriginSecrets {
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
}

/** From now on, with every request that the page of `cdp` makes to the origin, whatever makes it. */
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
