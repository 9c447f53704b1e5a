// Captures a web page as an image or PDF, and stores it like a render.

import type { CaptureOptions } from '#chromium/capture-page.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import type { Drawing } from '#renderer/renderer.ts';
import { step } from '../trace.ts';
import { askedOfPage } from './asked.ts';
import type { Assets } from './assets.ts';
import type { OnCommit } from './idempotency.ts';
import { type Acceptance, type EnqueueContext, enqueue } from './jobs.ts';
import type { Caller } from './keys.ts';
import type { PageDrawing } from './pages.ts';
import { noBrowser } from './pages-elsewhere.ts';
import type { Quota } from './quota.ts';
import type { Rendered } from './render.ts';

export interface ScreenshotContext {
  readonly pages: Pick<PageDrawing, 'check' | 'capture'>;
  readonly quota: Quota;
  readonly assets: Assets;
  /** As of `DrawContext`. */
  readonly withoutBrowser?: boolean;
}

/** Complete plain data, which can be stored as a job and run later. */
export type ScreenshotRequest = CaptureOptions;

/**
 * Captures a page and stores the result. A failure costs no quota and leaves no asset.
 *
 * @throws AppError `url_not_allowed`, `quota_exceeded`, `overloaded`, and what drawing the page throws
 */
export async function screenshot(
  ctx: ScreenshotContext,
  caller: Caller,
  request: ScreenshotRequest,
  onCommit: OnCommit<Rendered>,
): Promise<Rendered> {
  // A URL that its text alone rules out is an invalid request, which is reported before the quota.
  ctx.pages.check(request.url);
  if (ctx.withoutBrowser) throw noBrowser();
  const begun = ctx.assets.begin(caller.accountId, request.output, 'screenshot');
  const asset = { ...begun, asked: askedOfPage(request.url) };
  await using ticket = await step('reserve', () => ctx.quota.reserve(caller, asset.id));

  const { bytes, diagnostics } = await captureRequest(ctx, request, caller.accountId);
  const captured = { result: ctx.assets.result(asset), diagnostics };
  await step('store', () => ctx.assets.save(asset, bytes, ticket, captured, onCommit));
  return captured;
}

/**
 * Accepts a screenshot as a job.
 *
 * @throws AppError `url_not_allowed` for the page's address or the webhook's, `quota_exceeded`
 */
export async function enqueueScreenshot(
  ctx: EnqueueContext & Pick<ScreenshotContext, 'pages'>,
  caller: Caller,
  request: ScreenshotRequest,
  webhookUrl: string | null,
  onCommit: OnCommit<Acceptance>,
): Promise<Acceptance> {
  ctx.pages.check(request.url);
  const asked = askedOfPage(request.url);
  const wanted = {
    kind: 'screenshot',
    output: request.output,
    request,
    needsBrowser: true,
    webhookUrl,
    asked,
    diagnostics: [],
  } as const;
  return enqueue(ctx, caller, wanted, onCommit);
}

/**
 * Captures a screenshot's bytes; the caller stores and counts them.
 *
 * @param turn key of the round-robin queue
 */
export async function captureRequest(
  { pages }: Pick<ScreenshotContext, 'pages'>,
  request: ScreenshotRequest,
  turn: string,
): Promise<Drawing> {
  const { bytes, warnings } = await pages.capture(request, turn);
  return {
    bytes,
    diagnostics: warnings.map((message): Diagnostic => ({ code: 'page-cut-short', layer: null, message })),
  };
}
