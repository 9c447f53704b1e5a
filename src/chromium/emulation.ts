// Emulates the visitor's environment for a captured page.

import type { GuardedPage } from './guarded-page.ts';

export interface Emulation {
  readonly darkMode: boolean;
  readonly reducedMotion: boolean;
  /** Null = Chromium's own, without "Headless". */
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
      // Printed pages should look as on the screen, too.
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
