// Brings all of a page, or all of an element, into view before it is drawn.
//
// Chromium paints some things only near the viewport, and puts fixed boxes where the viewport is. So the viewport is
// made as high as what is to be drawn, where that changes nothing else: boxes that are as high as the screen would grow
// with it. A page that scrolls in a box is the exception: there the box is meant to grow.

import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession } from 'puppeteer-core';
import { AppError } from '#base/errors.ts';
import { quoted } from '#core/diagnostics.ts';
import type { Rect, Size } from '#core/geometry.ts';
import type { PageOutput } from '#draw/output/formats.ts';
import { holdStill, NOTICE_TIME } from './animations.ts';
import type { GuardedPage } from './guarded-page.ts';
import type { IsolatedWorld } from './isolated-world.ts';
import { boxOf, cutTexts, hiddenInBox, scrollToTop, settle, showUnseen, uncover } from './page-scripts.ts';
import { checkArea } from './picture.ts';
import { cutTextWarning } from './print.ts';

export interface WholeOptions {
  /** Of the viewport, CSS px. */
  readonly width: number;
  readonly height: number;
  /** Device px per CSS px. */
  readonly scale: number;
  /** Whether the page is wanted in its full height, otherwise its first screen. */
  readonly fullPage: boolean;
  /** CSS px at which a full page is cut off; null = nowhere. */
  readonly maxHeight: number | null;
  /** An element that is wanted instead. */
  readonly selector: string | null;
  readonly output: PageOutput;
}

export interface ShownPart {
  /** What to draw, CSS px of the page. */
  readonly area: Rect;
  /** Public sentences. */
  readonly warnings: readonly string[];
}

/** Maximum size of a viewport, device px. */
const MAX_VIEWPORT_HEIGHT = 16_000;
const MAX_VIEWPORT_PIXELS = 32_000_000;
/** How long images may take that the larger viewport brought in, ms. */
const SETTLE_TIME = 1_000;

/**
 * @param settled waits for what scrolling to an element has made the page load
 * @throws AppError `invalid_request` when the page has no such element
 */
export async function showWhole(
  guarded: GuardedPage,
  world: IsolatedWorld,
  options: WholeOptions,
  settled: () => Promise<void>,
): Promise<ShownPart> {
  const { width, height, fullPage, selector } = options;
  if (selector !== null) return showElement(guarded, world, { ...options, selector }, settled);
  if (fullPage) return showPage(guarded, world, options);
  const area = { x: 0, y: 0, width, height };
  checkSize(area, options);
  return { area, warnings: [] };
}

/** Pictures only: a PDF has bounds of its own. */
function checkSize(area: Size, { scale, output, fullPage }: WholeOptions): void {
  const remedy = fullPage ? 'Set maxHeight, or a smaller scale.' : 'Set a smaller scale.';
  if (output !== 'pdf') checkArea(area, scale, output, remedy);
}

async function showPage(guarded: GuardedPage, world: IsolatedWorld, options: WholeOptions): Promise<ShownPart> {
  const { width, maxHeight, output } = options;
  const isPrinted = output === 'pdf';
  const cutOff = (height: number) => Math.max(1, Math.min(height, maxHeight ?? height));
  await world.call(showUnseen, true);
  const height = cutOff((await contentOf(guarded.cdp)).height);
  checkSize({ width, height }, options);
  await growTo(guarded, world, options, height);
  const content = await contentOf(guarded.cdp);
  const bottom = cutOff(content.height);
  const area = { x: 0, y: 0, width, height: bottom };
  checkSize(area, options);
  const warnings: string[] = [];
  if (bottom < content.height) {
    const what = isPrinted ? 'PDF' : 'picture';
    warnings.push(
      `The page is ${content.height} px high, and the ${what} shows the first ${bottom} px of it (maxHeight).`,
    );
  }
  // The PDF has sentences of its own for these.
  if (isPrinted) return { area, warnings };
  if (content.width > width) {
    warnings.push(
      `The page is ${content.width} px wide, and the picture shows the first ${width} px of it. Set width to show more.`,
    );
  }
  warnings.push(...cutTextWarning(await world.call(cutTexts, null, true), 'picture'));
  return { area, warnings };
}

async function showElement(
  guarded: GuardedPage,
  world: IsolatedWorld,
  options: WholeOptions & { readonly selector: string },
  settled: () => Promise<void>,
): Promise<ShownPart> {
  const { width, height, selector } = options;
  const { cdp } = guarded;
  const measure = async () => {
    const box = readBox(await world.call(boxOf, selector));
    if (box !== null) return box;
    const message = `The page has no element that matches ${quoted(selector)} (selector), or it has no size.`;
    throw new AppError('invalid_request', message);
  };
  await measure();
  const { cssVisualViewport: view } = await cdp.send('Page.getLayoutMetrics');
  if (view.pageX > 0 || view.pageY > 0) await settled();
  let area = await measure();
  const isCut = cutTextWarning(await world.call(cutTexts, selector, true), 'picture').length > 0;
  if (isCut || area.width > width || area.height > height) {
    await world.call(showUnseen, true);
    area = await measure();
    checkSize(area, options);
    await world.call(scrollToTop);
    await growTo(guarded, world, options, area.y + area.height);
    area = await measure();
  }
  await world.call(uncover, selector);
  return { area, warnings: cutTextWarning(await world.call(cutTexts, selector, true), 'picture') };
}

/**
 * Makes the viewport higher, so that the page can be seen down to `bottom`, CSS px, where nothing else changes.
 *
 * Otherwise its own background becomes an ordinary one, too, as Chromium draws a fixed one on the first screen alone.
 */
async function growTo(
  guarded: GuardedPage,
  world: IsolatedWorld,
  { width, height, scale, maxHeight, output }: WholeOptions,
  bottom: number,
): Promise<void> {
  const { cdp } = guarded;
  const before = await contentOf(cdp);
  const hidden = before.height <= height ? Number(await world.call(hiddenInBox, 0, false)) || 0 : 0;
  const wanted = Math.min(hidden > 0 ? height + hidden : bottom, maxHeight ?? Number.POSITIVE_INFINITY);
  // On paper only boxes need to grow.
  if (wanted <= height || (output === 'pdf' && hidden === 0)) return;
  const show = async (viewport: number) => {
    const size = { width, height: Math.ceil(viewport), deviceScaleFactor: scale, mobile: false };
    await cdp.send('Emulation.setDeviceMetricsOverride', size);
    await pause(NOTICE_TIME);
  };
  if (wanted * scale <= MAX_VIEWPORT_HEIGHT && width * wanted * scale ** 2 <= MAX_VIEWPORT_PIXELS) {
    await show(wanted);
    const after = await contentOf(cdp);
    const isSame =
      hidden > 0
        ? Number(await world.call(hiddenInBox, 0, true)) <= 1 && after.height <= wanted
        : after.width === before.width && after.height === before.height;
    if (isSame) {
      await holdStill(guarded, world);
      await world.call(settle, SETTLE_TIME);
      return;
    }
    await show(height);
  }
  await world.call(showUnseen, false);
  await holdStill(guarded, world);
}

/** The size of the page, whole CSS px. */
async function contentOf(cdp: CDPSession): Promise<Size> {
  const { cssContentSize } = await cdp.send('Page.getLayoutMetrics');
  return { width: Math.ceil(cssContentSize.width), height: Math.ceil(cssContentSize.height) };
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
