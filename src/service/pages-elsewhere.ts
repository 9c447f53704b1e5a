// Pages on a server without the role "browser": what can be said of an address is said, and nothing is drawn.
//
// Its requests that need a browser go to servers that have one (http/forward-pages.ts), its jobs wait for one that has.

import type { CheckedAny } from '#core/resolve/resolve-any.ts';
import { AppError } from '#errors';
import { type OutsideOptions, outboundGuard } from './outbound-guard.ts';
import { isPageSource } from './page-source.ts';
import type { PageDrawing } from './pages.ts';

export function pagesElsewhere(config: OutsideOptions): PageDrawing {
  const guard = outboundGuard(config);
  return {
    check: (url) => guard.check(url),
    drawHtml: async () => {
      throw noBrowser();
    },
    capture: async () => {
      throw noBrowser();
    },
  };
}

/** Whether drawing it takes a browser. */
export const needsBrowser = ({ page, sources }: Pick<CheckedAny, 'page' | 'sources'>): boolean =>
  page !== null || sources.some(isPageSource);

/** To be thrown before anything is set aside or drawn: somebody else is then asked for all of it. */
export const noBrowser = () =>
  new AppError(
    'no_browser',
    'This needs a browser, and this server lacks the role "browser" (PLATEN_ROLES). PLATEN_BROWSER_URL names servers that have it.',
  );
