// Emulates the visitor's environment for a captured page.

import { AppError } from '#base/errors.ts';
import { quoted } from '#core/diagnostics.ts';
import type { GuardedPage } from './guarded-page.ts';

export interface Emulation {
  readonly darkMode: boolean;
  readonly reducedMotion: boolean;
  /** Null = Chromium's own, without "Headless". */
  readonly userAgent: string | null;
  /** IANA, in any case; null = the server's. */
  readonly timezone: string | null;
  /** BCP 47; null = en-US. */
  readonly locale: string | null;
}

/** @throws AppError `invalid_request` when Chromium does not know the time zone */
export async function emulate(
  { cdp, page }: GuardedPage,
  options: Emulation & { readonly media: 'screen' | 'print' | undefined },
): Promise<void> {
  const { darkMode, reducedMotion, timezone, media } = options;
  const locale = options.locale ?? 'en-US';
  const userAgent = options.userAgent ?? (await page.browser().userAgent()).replace('HeadlessChrome', 'Chrome');
  await Promise.all([
    cdp.send('Emulation.setEmulatedMedia', {
      // Printed pages look as on the screen, too, unless the caller wants otherwise.
      media: media ?? 'screen',
      features: [
        { name: 'prefers-color-scheme', value: darkMode ? 'dark' : 'light' },
        { name: 'prefers-reduced-motion', value: reducedMotion ? 'reduce' : 'no-preference' },
      ],
    }),
    cdp.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: locale }),
    cdp.send('Emulation.setLocaleOverride', { locale: locale.replaceAll('-', '_') }),
    ...(timezone === null ? [] : [setTimezone(cdp, timezone)]),
  ]);
}

async function setTimezone(cdp: GuardedPage['cdp'], timezone: string): Promise<void> {
  // Chromium knows each name only as it is written in the database.
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions();
  await cdp.send('Emulation.setTimezoneOverride', { timezoneId: timeZone }).catch((cause: Error) => {
    if (!/Invalid timezone/i.test(cause.message)) throw cause;
    throw new AppError('invalid_request', `timezone: Chromium does not know ${quoted(timezone)}.`, { cause });
  });
}
