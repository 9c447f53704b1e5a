// Captures the page at a URL, or of given markup, as an image or PDF.
//
// Everything happens within the caller's deadline. Sizes reported by the page are checked before they are used.

import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, CDPSession } from 'puppeteer-core';
import type { Rect } from '#core/geometry.ts';
import { hasSheets } from '#core/template/page-setup.ts';
import { AppError } from '#errors';
import type { Guard } from '#net/guard.ts';
import type { PageOutput } from '#output/formats.ts';
import { HIDE_CONSENT_BANNERS } from './consent-banners.ts';
import { type Emulation, emulate } from './emulation.ts';
import { GuardedPage, type PageEvent } from './guarded-page.ts';
import { documentOf, type PageFiles, policyFor, setFontFamilies } from './html-document.ts';
import { IsolatedWorld, isDocumentLost } from './isolated-world.ts';
import { sendToOwnOrigin } from './own-origin.ts';
import { addStyle, boxOf, hide, isSelector, isShown, scrollThrough, settle } from './page-scripts.ts';
import { checkArea, takePicture } from './picture.ts';
import { findCutText, type PrintSetup, printPage } from './print.ts';
import { type Unwanted, unwantedHosts } from './unwanted-hosts.ts';

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
  /** Sent only to the origin of `url`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
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
  if (options.failOnStatus && (guarded.status ?? 0) >= 400) {
    throw new AppError('invalid_request', `The page answered ${guarded.status}.`);
  }

  const { bytes, warnings } = await settledAndDrawn(guarded, options, left);
  const { exhausted } = guarded;
  return { bytes, warnings: exhausted === null ? warnings : [EXHAUSTED[exhausted], ...warnings] };
}

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
      await prepare(guarded.cdp, world, options, left);
      guarded.check();
      const captured = await draw(guarded, world, options);
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
  cdp: CDPSession,
  world: IsolatedWorld,
  options: CaptureOptions,
  left: () => number,
): Promise<void> {
  for (const [name, selector] of selectorsOf(options)) {
    if ((await world.call(isSelector, selector)) !== true) {
      throw new AppError('invalid_request', `${name}: ${JSON.stringify(selector)} is no CSS selector.`);
    }
  }
  const hidden = options.hideSelectors.map((selector) => `${selector} { display: none !important }`);
  const banners = options.blockCookieBanners ? [HIDE_CONSENT_BANNERS] : [];
  const css = [...banners, ...hidden, options.css ?? ''].join('\n').trim();
  if (css !== '') await world.call(addStyle, css);
  if (options.waitForSelector !== null) await waitFor(world, options.waitForSelector, left());
  if (options.waitForExpression !== null) await waitUntilTrue(cdp, options.waitForExpression, left());
  // Without scripts timers rest, and images are not lazy either.
  const isLazy = options.html === null || options.script;
  if (options.fullPage && isLazy) await world.call(scrollThrough, MAX_SCROLL, Math.min(SCROLL_TIME, left()));
  await world.call(settle, Math.min(SETTLE_TIME, left()));
  if (options.delay > 0) await pause(options.delay);
  // The style sheet could not hide elements with an `!important` of their own.
  if (options.hideSelectors.length > 0) await world.call(hide, options.hideSelectors);
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
      const message = `No element that matches ${JSON.stringify(selector)} (waitForSelector) could be seen in time.`;
      throw new AppError('invalid_request', message);
    }
    await pause(LOOK_INTERVAL);
  }
}

/** Evaluates the expression among the page's own scripts, whose values it is about. */
async function waitUntilTrue(cdp: CDPSession, expression: string, timeout: number): Promise<void> {
  const ends = performance.now() + timeout;
  const failure = (what: string, cause?: unknown) => {
    const message = `waitForExpression: ${JSON.stringify(shortened(expression))} ${what}`;
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

const shortened = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

async function draw(guarded: GuardedPage, world: IsolatedWorld, options: CaptureOptions): Promise<Captured> {
  const { output, scale, quality, omitBackground } = options;
  const area = await areaOf(guarded, world, options);
  if (output === 'pdf') return drawPdf(guarded, world, area, options);
  checkArea(area, scale);
  const bytes = await takePicture(guarded.cdp, area, {
    scale,
    format: output,
    quality,
    omitBackground,
    hasFamilies: options.html !== null,
  });
  return { bytes, warnings: [] };
}

async function drawPdf(
  { cdp }: GuardedPage,
  world: IsolatedWorld,
  { height }: Rect,
  { width, fullPage, pdf }: CaptureOptions,
): Promise<Captured> {
  const sheet = { size: { width, height }, isWhole: fullPage };
  const printed = await printPage(cdp, world, width, sheet, pdf);
  const { bytes } = printed;
  const warnings = [...printed.warnings, ...(await findCutText(cdp, world, sheet.size, pdf))];
  if (fullPage || hasSheets(pdf)) return { bytes, warnings };
  const { cssContentSize } = await cdp.send('Page.getLayoutMetrics');
  const lost = Math.ceil(cssContentSize.height) - height;
  const message = `The page is ${height + lost} px high, and the PDF shows the first ${height} px of it. Set fullPage for one sheet with all of it, or pdf.format for as many sheets as it needs.`;
  return { bytes, warnings: lost > 0 ? [message, ...warnings] : warnings };
}

/** The area to capture, in CSS px of the page. */
async function areaOf({ cdp }: GuardedPage, world: IsolatedWorld, options: CaptureOptions): Promise<Rect> {
  const { width, height, fullPage, selector } = options;
  if (selector !== null) {
    const box = readBox(await world.call(boxOf, selector));
    if (box !== null) return box;
    const message = `The page has no element that matches ${JSON.stringify(selector)} (selector), or it has no size.`;
    throw new AppError('invalid_request', message);
  }
  if (!fullPage) return { x: 0, y: 0, width, height };
  const { cssContentSize } = await cdp.send('Page.getLayoutMetrics');
  return { x: 0, y: 0, width, height: Math.max(1, Math.ceil(cssContentSize.height)) };
}

/** Rounds a box that the page reports outwards to whole px. */
function readBox(value: unknown): Rect | null {
  const { x, y, width, height } = (value ?? {}) as Partial<Record<keyof Rect, unknown>>;
  if (![x, y, width, height].every((each) => typeof each === 'number' && Number.isFinite(each))) return null;
  const left = Math.max(0, Math.floor(x as number));
  const top = Math.max(0, Math.floor(y as number));
  const right = Math.ceil((x as number) + (width as number));
  const bottom = Math.ceil((y as number) + (height as number));
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}
