// Captures the page at a URL, or of given markup, as an image or PDF.
//
// Everything happens within the caller's deadline. Sizes reported by the page are checked before they are used.

import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, CDPSession } from 'puppeteer-core';
import { AppError } from '#base/errors.ts';
import { quoted, shortened } from '#core/diagnostics.ts';
import type { Rect } from '#core/geometry.ts';
import { hasSheets } from '#core/template/page-setup.ts';
import type { PageOutput } from '#draw/output/formats.ts';
import type { Guard } from '#server/net/guard.ts';
import { holdStill } from './animations.ts';
import { HIDE_CONSENT_BANNERS } from './consent-banners.ts';
import { GuardedPage, type PageEvent } from './guarded-page.ts';
import { documentOf, type PageFiles, policyFor, setFontFamilies } from './html-document.ts';
import { IsolatedWorld, isDocumentLost } from './isolated-world.ts';
import { leaveOut, requireFiles } from './missing-files.ts';
import { addStyle, hasScripts, hiddenInBox, hide, isSelector, isShown, scrollThrough, settle } from './page-scripts.ts';
import { markedPdf } from './pdf-update.ts';
import { takePicture } from './picture.ts';
import { findCutText, type PrintSetup, printPage } from './print.ts';
import { type Unwanted, unwantedHosts } from './unwanted-hosts.ts';
import { showWhole } from './whole-page.ts';

/** No field is optional: the caller sets the defaults. */
export interface CaptureOptions extends Emulation, Unwanted {
  /** Null where `html` is given. */
  readonly url: string | null;
  /** The page itself, instead of its address. */
  readonly html: string | null;
  /** Whether scripts of `html` run. Those of a page by URL always do. */
  readonly script: boolean;
  /** CSS px. */
  readonly width: number;
  readonly height: number;
  /** Device px per CSS px. */
  readonly scale: number;
  /** Captures the full scroll height instead of the first screen. */
  readonly fullPage: boolean;
  /** CSS px at which a full page is cut off; null = nowhere. */
  readonly maxHeight: number | null;
  /** Captures the box of the first matching element instead of the screen. */
  readonly selector: string | null;
  readonly output: PageOutput;
  /** 0 to 100, for JPEG, WebP and AVIF. */
  readonly quality: number;
  readonly omitBackground: boolean;
  readonly waitUntil: PageEvent;
  /** An element to wait for until it is visible. */
  readonly waitForSelector: string | null;
  /** An expression of JavaScript to wait for until it is true. */
  readonly waitForExpression: string | null;
  /** Wait after everything else, ms. */
  readonly delay: number;
  /** Total timeout, ms. */
  readonly timeout: number;
  readonly hideSelectors: readonly string[];
  readonly css: string | null;
  /** Whether a status of 400 to 599 is a failure. */
  readonly failOnStatus: boolean;
  /** Whether an image, style sheet or font that cannot be loaded is a failure. */
  readonly failOnMissingFiles: boolean;
  /** Sent only to the origin of `url`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
  /** Whether each page is marked as that of a test key. */
  readonly watermark: boolean;
  /** How a PDF is printed; without a size, on one sheet of the picture's size. */
  readonly pdf: PrintSetup;
}

/** What comes with a page whose markup is given. */
export interface Supplied {
  readonly files: PageFiles;
  /** Whether it may do whatever a page by URL may: without a policy of ours, its scripts may ask public servers. */
  readonly isFree: boolean;
}

export interface Captured {
  readonly bytes: Uint8Array;
  /** Public sentences. */
  readonly warnings: readonly string[];
}

/** Poll interval for `waitForSelector`, ms. */
const LOOK_INTERVAL = 50;
/** Time limits for scrolling, and then for images and fonts, ms. */
const SCROLL_TIME = 8_000;
const SETTLE_TIME = 3_000;
/** How many successive documents a capture follows, and how long it waits for each, ms. */
const MAX_DOCUMENTS = 4;
const NEXT_DOCUMENT_TIME = 250;
/** How long nothing may be loaded for a page to count as done with what it was scrolled to, ms. */
const QUIET_TIME = 1_250;
/** Pause at each screen of a box that is scrolled through, ms. */
const LOOK_TIME = 60;
/** Scrolling goes no further than this, CSS px: no picture reaches beyond. */
const MAX_SCROLL = 100_000;

const EXHAUSTED = {
  bytes: 'The page loads more than 100 MiB; the rest was left out.',
  requests: 'The page makes more than 500 requests; the rest was left out.',
} as const;

/**
 * @param supplied for a page whose markup is given
 * @param onDenied called with the reason when a connection of the page was refused, for the operator's log
 * @throws AppError `url_not_allowed`; `invalid_request` when the page does not load, or does not fit the options
 */
export async function capturePage(
  browser: Browser,
  guard: Guard,
  options: CaptureOptions,
  onDenied?: (reason: unknown) => void,
  supplied: Supplied | null = null,
): Promise<Captured> {
  const ends = performance.now() + options.timeout;
  const left = () => Math.max(1, Math.round(ends - performance.now()));
  await using guarded = await GuardedPage.open(browser, guard, {
    viewport: options,
    scripts: options.html === null || options.script,
    isUnwanted: await unwantedHosts(options.url ?? 'about:blank', options),
    onDenied,
    localFiles: supplied?.files.read,
  });
  await emulate(guarded, { ...options, media: options.output === 'pdf' ? options.pdf.media : 'screen' });
  await open(guarded, options, supplied, left());
  const refuseStatus = () => {
    if (options.failOnStatus && (guarded.status ?? 0) >= 400) throw new AppError('invalid_request', answered(guarded));
  };
  refuseStatus();

  const { bytes, warnings } = await settledAndDrawn(guarded, options, left);
  // It may have gone to another page by itself.
  refuseStatus();
  const { exhausted, status } = guarded;
  return {
    bytes,
    warnings: [
      ...((status ?? 0) >= 400 ? [answered(guarded)] : []),
      ...(exhausted === null ? [] : [EXHAUSTED[exhausted]]),
      ...warnings,
    ],
  };
}

const answered = ({ status }: GuardedPage) => `The page answered ${status}.`;

async function open(
  guarded: GuardedPage,
  options: CaptureOptions,
  supplied: Supplied | null,
  timeout: number,
): Promise<void> {
  const { url, html, script, waitUntil } = options;
  if (url !== null) {
    await sendToOwnOrigin(guarded.cdp, new URL(url), options);
    return guarded.goto(url, waitUntil, timeout);
  }
  const files = supplied?.files ?? null;
  if (files) await setFontFamilies(guarded.cdp, files);
  const policy = supplied?.isFree ? null : policyFor(script);
  await guarded.show(documentOf(html ?? '', policy, files), waitUntil, timeout);
}

/** A page may navigate to another document by itself: then everything is repeated there, a few times. */
async function settledAndDrawn(guarded: GuardedPage, options: CaptureOptions, left: () => number): Promise<Captured> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const world = await IsolatedWorld.open(guarded.cdp);
      const quiet = () => quietened(guarded, world, options, left);
      await prepare(guarded, world, options, quiet, left);
      guarded.check();
      const captured = await draw(guarded, world, options, quiet);
      guarded.check();
      return captured;
    } catch (error) {
      guarded.check();
      if (!isDocumentLost(error)) throw error;
      if (attempt === MAX_DOCUMENTS) {
        throw new AppError('invalid_request', 'The page goes elsewhere again and again.', { cause: error });
      }
      await pause(Math.min(NEXT_DOCUMENT_TIME, left()));
    }
  }
}

/** Brings the page into the state to be captured. */
async function prepare(
  guarded: GuardedPage,
  world: IsolatedWorld,
  options: CaptureOptions,
  quiet: () => Promise<void>,
  left: () => number,
): Promise<void> {
  const { cdp } = guarded;
  for (const [name, selector] of selectorsOf(options)) {
    if ((await world.call(isSelector, selector)) !== true) {
      throw new AppError('invalid_request', `${name}: ${quoted(selector)} is no CSS selector.`);
    }
  }
  const hidden = options.hideSelectors.map((selector) => `${selector} { display: none !important }`);
  const banners = options.blockCookieBanners ? [HIDE_CONSENT_BANNERS] : [];
  const css = [...banners, ...hidden, options.css ?? ''].join('\n').trim();
  if (css !== '') await world.call(addStyle, css);
  if (options.waitForSelector !== null) await waitFor(world, options.waitForSelector, left());
  if (options.waitForExpression !== null) await waitUntilTrue(cdp, options.waitForExpression, left());
  if (options.fullPage && isLazy(options)) {
    await scrollWhole(world, options, left);
    await quiet();
  }
  await world.call(settle, Math.min(SETTLE_TIME, left()));
  if (options.delay > 0) await pause(options.delay);
  await holdStill(guarded, world);
  // The style sheet could not hide elements with an `!important` of their own.
  if (options.hideSelectors.length > 0) await world.call(hide, options.hideSelectors);
}

/** Without scripts timers rest, and images are not lazy either. */
const isLazy = ({ html, script }: CaptureOptions) => html === null || script;

/** Scrolls through the page, or through the box in which it scrolls. */
async function scrollWhole(
  world: IsolatedWorld,
  { height, maxHeight }: CaptureOptions,
  left: () => number,
): Promise<void> {
  const ends = performance.now() + Math.min(SCROLL_TIME, left());
  const most = Math.min(MAX_SCROLL, maxHeight ?? MAX_SCROLL);
  await world.call(scrollThrough, most, ends - performance.now());
  for (let y = 0; performance.now() < ends && y < most; y += height) {
    const hidden = Number(await world.call(hiddenInBox, y, y > 0));
    if (!(hidden > 0)) return;
    await pause(LOOK_TIME);
    if (y >= hidden) break;
  }
  await world.call(hiddenInBox, 0, true);
}

/**
 * Waits until nothing is loaded any more by the scripts of a page that was scrolled, within the time for settling. What
 * they load after a while, without asking for anything meanwhile, is waited for a second and a quarter.
 */
async function quietened(
  { page }: GuardedPage,
  world: IsolatedWorld,
  options: CaptureOptions,
  left: () => number,
): Promise<void> {
  if (!isLazy(options) || (await world.call(hasScripts)) !== true) return;
  const timeout = Math.min(SETTLE_TIME, left());
  // Many pages are never idle: they keep asking, or hold a connection.
  await page.waitForNetworkIdle({ idleTime: QUIET_TIME, concurrency: 0, timeout }).catch((error: Error) => {
    if (error.name !== 'TimeoutError') throw error;
  });
}

function* selectorsOf({ waitForSelector, selector, hideSelectors }: CaptureOptions): Generator<[string, string]> {
  if (waitForSelector !== null) yield ['waitForSelector', waitForSelector];
  if (selector !== null) yield ['selector', selector];
  for (const [index, each] of hideSelectors.entries()) yield [`hideSelectors[${index}]`, each];
}

async function waitFor(world: IsolatedWorld, selector: string, timeout: number): Promise<void> {
  const ends = performance.now() + timeout;
  while ((await world.call(isShown, selector)) !== true) {
    if (performance.now() > ends) {
      const message = `No element that matches ${quoted(selector)} (waitForSelector) could be seen in time.`;
      throw new AppError('invalid_request', message);
    }
    await pause(LOOK_INTERVAL);
  }
}

/** Evaluates the expression among the page's own scripts, whose values it is about. */
async function waitUntilTrue(cdp: CDPSession, expression: string, timeout: number): Promise<void> {
  const ends = performance.now() + timeout;
  const failure = (what: string, cause?: unknown) => {
    const message = `waitForExpression: ${quoted(expression)} ${what}`;
    return new AppError('invalid_request', message, { cause });
  };
  const evaluate = () => {
    // The timeout ends a loop that would not end.
    const request = { expression, returnByValue: true, timeout: Math.max(1, ends - performance.now()) };
    return cdp.send('Runtime.evaluate', request).catch((error: Error) => {
      throw /terminated/.test(error.message) ? failure('did not become true in time.', error) : error;
    });
  };
  for (;;) {
    const { result, exceptionDetails } = await evaluate();
    if (result.value === true) return;
    if (exceptionDetails) {
      const [problem = ''] = (exceptionDetails.exception?.description ?? exceptionDetails.text).split('\n');
      throw failure(`fails in the page: ${shortened(problem)}.`);
    }
    if (performance.now() >= ends) throw failure('did not become true in time.');
    await pause(LOOK_INTERVAL);
  }
}

async function draw(
  guarded: GuardedPage,
  world: IsolatedWorld,
  options: CaptureOptions,
  quiet: () => Promise<void>,
): Promise<Captured> {
  const { output, scale, quality, omitBackground, watermark } = options;
  if (options.failOnMissingFiles) requireFiles(guarded);
  // Whoever asks for a page by its address does not have its files in hand.
  const missing = options.html === null ? [] : (await leaveOut(guarded, world)).map(({ message }) => message);
  // On sheets of a size of their own there is no full page.
  const fullPage = options.fullPage && !(output === 'pdf' && hasSheets(options.pdf));
  const { area, warnings } = await showWhole(guarded, world, { ...options, fullPage }, quiet);
  if (output === 'pdf') {
    const printed = await drawPdf(guarded, world, area, { ...options, fullPage });
    return {
      bytes: watermark ? markedPdf(printed.bytes) : printed.bytes,
      warnings: [...missing, ...warnings, ...printed.warnings],
    };
  }
  const bytes = await takePicture(guarded.cdp, area, { scale, format: output, quality, omitBackground, watermark });
  return { bytes, warnings: [...missing, ...warnings] };
}

async function drawPdf(
  { cdp }: GuardedPage,
  world: IsolatedWorld,
  { height }: Rect,
  { width, fullPage, pdf, maxHeight }: CaptureOptions,
): Promise<Captured> {
  const sheet = { size: { width, height }, isWhole: fullPage && height !== maxHeight };
  const printed = await printPage(cdp, world, width, sheet, pdf);
  const { bytes } = printed;
  const warnings = [...printed.warnings, ...(await findCutText(cdp, world, sheet.size, pdf))];
  if (fullPage || hasSheets(pdf)) return { bytes, warnings };
  const { cssContentSize } = await cdp.send('Page.getLayoutMetrics');
  const lost = Math.ceil(cssContentSize.height) - height;
  const message = `The page is ${height + lost} px high, and the PDF shows the first ${height} px of it. Set fullPage for one sheet with all of it, or pdf.format for as many sheets as it needs.`;
  return { bytes, warnings: lost > 0 ? [message, ...warnings] : warnings };
}

// Emulates the visitor's environment for a captured page.

interface Emulation {
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
async function emulate(
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

// Sends headers and cookies only with requests to one origin.
//
// Headers are added to each request separately, since a redirect must not carry them to another origin. Cookies are
// bound to host, scheme and port.

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
async function sendToOwnOrigin(
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
