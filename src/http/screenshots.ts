// `POST /v1/screenshots`.

import type { EnqueueContext } from '#service/jobs.ts';
import { enqueueScreenshot, type ScreenshotContext, screenshot } from '#service/screenshot.ts';
import { readScreenshotRequest } from '#service/screenshot-options.ts';
import { callerOf } from './authentication.ts';
import { readJsonObject } from './body.ts';
import { recordAccepted } from './idempotency.ts';
import { readDelivery, sendAccepted } from './renders.ts';
import type { Handler } from './request-context.ts';
import { setWarnings } from './warnings.ts';

/** Of the body, bytes: there is nothing long to say about a page. */
export const MAX_SCREENSHOT_BODY = 64 * 1024;

export function createScreenshot(ctx: ScreenshotContext & EnqueueContext): Handler {
  return async (koa) => {
    const caller = callerOf(koa);
    const body = await readJsonObject(koa, MAX_SCREENSHOT_BODY);
    const request = readScreenshotRequest(body);
    const delivery = readDelivery(body);
    if (delivery.async || delivery.webhookUrl !== null) {
      sendAccepted(koa, await enqueueScreenshot(ctx, caller, request, delivery.webhookUrl, recordAccepted(koa)));
      return;
    }

    const { result, diagnostics } = await screenshot(ctx, caller, request);
    setWarnings(koa, diagnostics);
    koa.body = result;
  };
}
