// `POST /v1/screenshots`.

import { AppError } from '#base/errors.ts';
import type { EnqueueContext } from '#server/service/jobs/jobs.ts';
import { enqueueScreenshot, type ScreenshotContext, screenshot } from '#server/service/pages/screenshot.ts';
import {
  readScreenshotRequest,
  SCREENSHOT_PDF_FIELDS,
  ScreenshotBody,
} from '#server/service/pages/screenshot-options.ts';
import { answerWith } from '../middleware/answer.ts';
import { callerOf } from '../middleware/authentication.ts';
import { readBody, readJsonObject } from '../middleware/body.ts';
import { chooseForm } from '../middleware/file-answer.ts';
import type { Handler } from '../middleware/request-context.ts';
import { unknownFields } from '../middleware/unknown-fields.ts';
import { also, Delivery, isJob, readDelivery, readGiven, showAccepted, showRendered } from './renders.ts';

/** Maximum body, bytes: with `html`, and without, where requests are short. */
export const MAX_SCREENSHOT_BODY = 1024 * 1024;
const MAX_WITHOUT_HTML = 64 * 1024;

const SCREENSHOT_FIELDS = ['metadata', ...Object.keys(ScreenshotBody.shape), ...Object.keys(Delivery.shape)];

export function createScreenshot(ctx: ScreenshotContext & EnqueueContext): Handler {
  return async (koa) => {
    const caller = callerOf(koa);
    const body = await readJsonObject(koa, MAX_SCREENSHOT_BODY);
    if (!Object.hasOwn(body, 'html') && (await readBody(koa, MAX_SCREENSHOT_BODY)).length > MAX_WITHOUT_HTML) {
      throw new AppError('too_large', `The body may have at most ${MAX_WITHOUT_HTML} bytes.`);
    }
    const given = readGiven(body);
    const request = { ...readScreenshotRequest(body), ...given };
    const delivery = readDelivery(body);
    const ignored = [
      ...unknownFields(body, SCREENSHOT_FIELDS),
      ...unknownFields((body.pdf ?? {}) as object as Record<string, unknown>, SCREENSHOT_PDF_FIELDS, 'pdf'),
    ];
    if (isJob(delivery)) {
      await answerWith(koa, also(ignored, showAccepted), (onCommit) =>
        enqueueScreenshot(ctx, caller, request, delivery.webhookUrl, onCommit),
      );
    } else {
      const named = body.output === undefined ? null : request.output;
      const output = chooseForm(koa, delivery.response, named) ?? request.output;
      // Read once more, since what fits a picture may not fit a PDF.
      const wanted = output === request.output ? request : { ...readScreenshotRequest({ ...body, output }), ...given };
      await answerWith(koa, also(ignored, showRendered), (onCommit) => screenshot(ctx, caller, wanted, onCommit));
    }
  };
}
