// `POST /v1/screenshots`.

import type { EnqueueContext } from '#service/jobs.ts';
import { enqueueScreenshot, type ScreenshotContext, screenshot } from '#service/screenshot.ts';
import { readScreenshotRequest, ScreenshotBody } from '#service/screenshot-options.ts';
import { answerWith } from './answer.ts';
import { callerOf } from './authentication.ts';
import { readJsonObject } from './body.ts';
import { also, Delivery, isJob, readDelivery, showAccepted, showRendered } from './renders.ts';
import type { Handler } from './request-context.ts';
import { unknownFields } from './unknown-fields.ts';

/** Maximum body, bytes; requests for screenshots are short. */
export const MAX_SCREENSHOT_BODY = 64 * 1024;

const SCREENSHOT_FIELDS = [...Object.keys(ScreenshotBody.shape), ...Object.keys(Delivery.shape)];

export function createScreenshot(ctx: ScreenshotContext & EnqueueContext): Handler {
  return async (koa) => {
    const caller = callerOf(koa);
    const body = await readJsonObject(koa, MAX_SCREENSHOT_BODY);
    const request = readScreenshotRequest(body);
    const delivery = readDelivery(body);
    const ignored = unknownFields(body, SCREENSHOT_FIELDS);
    if (isJob(delivery)) {
      await answerWith(koa, also(ignored, showAccepted), (onCommit) =>
        enqueueScreenshot(ctx, caller, request, delivery.webhookUrl, onCommit),
      );
    } else {
      await answerWith(koa, also(ignored, showRendered), (onCommit) => screenshot(ctx, caller, request, onCommit));
    }
  };
}
