// What a captured page is to believe about its visitor, and what is sent along to its own origin.

import type { CDPSession } from 'puppeteer-core';
import type { GuardedPage } from './guarded-page.ts';

export interface Emulation {
  readonly darkMode: boolean;
  readonly reducedMotion: boolean;
  /** Null = Chromium's own, without the word that it is headless. */
  readonly userAgent: string | null;
  /** IANA; null = the server's. */
  readonly timezone: string | null;
  /** BCP 47; null = en-US. */
  readonly locale: string | null;
}

export async function emulate({ cdp, page }: GuardedPage, options: Emulation): Promise<void> {
  const { darkMode, reducedMotion, timezone } = options;
  const locale = options.locale ?? 'en-US';
  const userAgent = options.userAgent ?? (await page.browser().userAgent()).replace('HeadlessChrome', 'Chrome');
  await Promise.all([
    cdp.send('Emulation.setEmulatedMedia', {
      // On paper too a page is to look as it does on the screen.
      media: 'screen',
      features: [
        { name: 'prefers-color-scheme', value: darkMode ? 'dark' : 'light' },
        { name: 'prefers-reduced-motion', value: reducedMotion ? 'reduce' : 'no-preference' },
      ],
    }),
    cdp.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: locale }),
    cdp.send('Emulation.setLocaleOverride', { locale: locale.replaceAll('-', '_') }),
    ...(timezone === null ? [] : [cdp.send('Emulation.setTimezoneOverride', { timezoneId: timezone })]),
  ]);
}

export interface OwnOrigin {
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
}

/**
 * Sends headers and cookies to the page's own origin alone. Headers are put on each request by itself, since a redirect
 * must not carry them elsewhere; cookies are bound to host, scheme and port.
 */
export async function sendToOwnOrigin(
  cdp: CDPSession,
  { origin, protocol, port }: URL,
  { headers, cookies }: OwnOrigin,
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
