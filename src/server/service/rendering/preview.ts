// Previews: draws a template with modifications without storing or counting the result; hence limits on their rate, on
// how many of one account are worked on at once, and on the memory of pictures that are drawn and not yet read.

import { withDeadline } from '#base/concurrency/deadline.ts';
import type { Gate } from '#base/concurrency/gate.ts';
import type { ExportOptions, Output } from '#draw/output/formats.ts';
import type { Drawing } from '#draw/renderer/renderer.ts';
import type { Caller } from '../accounts/caller.ts';
import type { RateLimit } from '../accounts/rate-limit.ts';
import type { FoundTemplate } from '../templates/templates.ts';
import { checkOutput, draw, type FittedTemplate, fitTemplate, type RenderContext } from './render.ts';
import type { RenderRequest } from './render-request.ts';

/** Waits for the memory of an answer; what it returns gives back what the answer does not take. */
export type HoldAnswer = (bytes: number) => Promise<{ shrink(bytes: number): void } | null>;

export interface PreviewContext extends RenderContext {
  readonly previews: RateLimit;
  /** Previews and layouts that are worked on at once, of one account. */
  readonly previewsAtOnce: Gate;
}

/** How long a preview waits until others of its account are done, ms. */
const PATIENCE = 30_000;

/**
 * Runs a preview, or measures a layout, when few others of the account are worked on. One beyond the rate limit is
 * refused before it costs anything.
 *
 * @throws AppError `rate_limited`, `overloaded`; what `work` throws
 */
export async function asPreview<T>(ctx: PreviewContext, accountId: string, work: () => Promise<T>): Promise<T> {
  ctx.previews.check(accountId);
  return withDeadline(PATIENCE, (signal) =>
    ctx.previewsAtOnce.pass(
      signal,
      async () => {
        ctx.previews.check(accountId);
        return work();
      },
      accountId,
    ),
  );
}

/**
 * @throws AppError `not_found`, `rate_limited` and what a render throws, except for quota errors
 */
export async function preview(
  ctx: PreviewContext,
  { accountId, asOf }: Pick<Caller, 'accountId' | 'asOf'>,
  request: RenderRequest,
  hold: HoldAnswer,
): Promise<Drawing> {
  return asPreview(ctx, accountId, async () => {
    const found = await ctx.templates.open(accountId, request.template, request.choice, asOf);
    const fitted = await fitTemplate(ctx.templates.checks, found, request.modifications, 'preview');
    checkOutput(fitted.checked, request);
    ctx.previews.take(accountId);
    return drawHeld(ctx, fitted, request, hold);
  });
}

/** Bytes per pixel of the largest file: a PNG of noise. */
const PIXEL = 4;
/** What a PDF is assumed to take, whose size its canvas does not tell, bytes. */
const PDF = 16 * 1024 * 1024;

/** The most that a template's file is assumed to take, bytes. */
export async function largestFile(
  { templates }: Pick<PreviewContext, 'templates'>,
  found: FoundTemplate,
  output: Output,
  { scale }: Pick<ExportOptions, 'scale'>,
): Promise<number> {
  if (output === 'pdf') return PDF;
  const { width, height } = await templates.checks.summaryOf(found);
  return width * height * scale ** 2 * PIXEL;
}

/** Draws a file that stays in memory until its client has read it. @throws what `draw` and `hold` throw */
export async function drawHeld(
  ctx: PreviewContext,
  fitted: FittedTemplate,
  { output, options }: Pick<RenderRequest, 'output' | 'options'>,
  hold: HoldAnswer,
): Promise<Drawing> {
  const loan = await hold(await largestFile(ctx, fitted.found, output, options));
  const drawing = await draw(ctx, fitted, output, { ...options, isPreview: true });
  loan?.shrink(drawing.bytes.length);
  return drawing;
}
