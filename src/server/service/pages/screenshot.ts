// Captures a web page as an image or PDF, and stores it like a render.

import { step } from '#base/trace.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import { scriptWarning } from '#core/resolve/resolve-html.ts';
import type { Drawing } from '#draw/renderer/renderer.ts';
import type { Supplied } from '#server/chromium/capture-page.ts';
import type { PageFiles } from '#server/chromium/html-document.ts';
import type { Caller } from '../accounts/caller.ts';
import type { Quota } from '../accounts/quota.ts';
import type { Assets } from '../files/assets.ts';
import type { OnCommit } from '../idempotency.ts';
import { type Acceptance, type EnqueueContext, enqueue } from '../jobs/jobs.ts';
import { shownMetadata } from '../rendering/metadata.ts';
import type { Rendered } from '../rendering/render.ts';
import { recordOfPage } from '../rendering/render-request-record.ts';
import { noBrowser } from '../rendering/without-browser.ts';
import { withFiles } from './page-files.ts';
import { checkAddress, type PageDrawing } from './pages.ts';
import type { ScreenshotRequest } from './screenshot-options.ts';

export interface ScreenshotContext {
  readonly pages: Pick<PageDrawing, 'check' | 'capture'>;
  readonly quota: Quota;
  readonly assets: Assets;
  /** The files that a page of the account's own markup may use. */
  readonly pageFilesOf: (accountId: string) => Promise<PageFiles>;
  /** As of `DrawContext`. */
  readonly withoutBrowser?: boolean;
}

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
  return (await captureAndStore(ctx, caller, request, onCommit)).rendered;
}

export interface Converted {
  readonly rendered: Rendered;
  readonly bytes: Uint8Array;
}

/**
 * As `screenshot`, for a page that brings files of its own and may do whatever a page by URL may. Returns its bytes as
 * well.
 *
 * @param files by their names, to which the page refers
 */
export async function convert(
  ctx: ScreenshotContext,
  caller: Caller,
  request: ScreenshotRequest,
  files: ReadonlyMap<string, Uint8Array>,
  onCommit: OnCommit<Rendered>,
): Promise<Converted> {
  const supply = async () => ({ files: withFiles(await ctx.pageFilesOf(caller.accountId), files), isFree: true });
  return captureAndStore(ctx, caller, request, onCommit, supply);
}

async function captureAndStore(
  ctx: ScreenshotContext,
  caller: Caller,
  request: ScreenshotRequest,
  onCommit: OnCommit<Rendered>,
  supply?: () => Promise<Supplied>,
): Promise<Converted> {
  // A URL that its text alone rules out is an invalid request, which is reported before the quota.
  if (request.url !== null) checkAddress(ctx.pages, request.url);
  if (ctx.withoutBrowser) throw noBrowser();
  const begun = ctx.assets.begin(caller.accountId, request.output, 'screenshot');
  const asset = { ...begun, asked: recordOfPage(request.url, request.metadata) };
  await using ticket = await step('reserve', () => ctx.quota.reserve(caller, asset.id));

  const marked = { ...request, watermark: caller.kind === 'test' };
  const drawing = await captureRequest(ctx, caller.accountId, marked, caller.accountId, supply);
  const { bytes, diagnostics } = drawing;
  const rendered = { result: ctx.assets.result(asset), diagnostics, ...shownMetadata(asset.asked.metadata) };
  await step('store', () => ctx.assets.save(asset, drawing, ticket, rendered, onCommit));
  return { rendered, bytes };
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
  if (request.url !== null) checkAddress(ctx.pages, request.url);
  const asked = recordOfPage(request.url, request.metadata);
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
 * @param fairnessKey key of the round-robin queue
 * @param supply what comes with markup of the caller; by default the account's files, under the policy of templates
 */
export async function captureRequest(
  { pages, pageFilesOf }: Pick<ScreenshotContext, 'pages' | 'pageFilesOf'>,
  accountId: string,
  request: ScreenshotRequest,
  fairnessKey: string,
  supply = async (): Promise<Supplied> => ({ files: await pageFilesOf(accountId), isFree: false }),
): Promise<Drawing> {
  const supplied = request.html === null ? null : await supply();
  const { bytes, warnings } = await pages.capture(request, fairnessKey, supplied);
  const cutShort = warnings.map((message): Diagnostic => ({ code: 'page-cut-short', layer: null, message }));
  const { html, script } = request;
  const scripts = html === null || supplied?.isFree ? [] : scriptWarning({ html, script, renderer: 'chromium' });
  return { bytes, diagnostics: [...scripts, ...cutShort] };
}
