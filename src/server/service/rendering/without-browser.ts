// Pages on a server without the role "browser": checks addresses but draws nothing.
//
// Requests that need a browser are forwarded to servers that have one (server/http/middleware/forward-pages.ts); jobs wait for such a
// server.

import { AppError } from '#base/errors.ts';
import type { CheckedAny } from '#core/resolve/resolve-any.ts';
import { type OutsideOptions, outboundGuard } from '../pages/outbound-guard.ts';
import { isPageSource } from '../pages/page-source.ts';
import type { PageDrawing } from '../pages/pages.ts';

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

/** Whether drawing needs a browser. */
export const needsBrowser = ({ page, sources }: Pick<CheckedAny, 'page' | 'sources'>): boolean =>
  page !== null || sources.some(isPageSource);

/** Thrown before anything is reserved or drawn: the whole request then goes to another server. */
export const noBrowser = () =>
  new AppError(
    'no_browser',
    'This needs a browser, and this server lacks the role "browser" (PLATEN_ROLES). PLATEN_BROWSER_URL names servers that have it.',
  );
