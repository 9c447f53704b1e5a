// The work for each kind of job, also of jobs that an older version has accepted.

import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import { captureRequest, type ScreenshotContext } from '../pages/screenshot.ts';
import type { ScreenshotRequest } from '../pages/screenshot-options.ts';
import { drawRequest, fairnessKeyOfJobs, type RenderContext, withWatermark } from '../rendering/render.ts';
import type { RenderRequest } from '../rendering/render-request.ts';
import type { RenderStorage } from '../rendering/render-storage.ts';
import type { JobContext } from './do-job.ts';

/** The work for each kind of job. The requests are our own JSON, checked when they were accepted. */
export function jobWork(
  rendering: RenderContext,
  capturing: Pick<ScreenshotContext, 'pages' | 'pageFilesOf'>,
  renderStorage: Pick<RenderStorage, 'checkJob'>,
): JobContext['work'] {
  return {
    render: async ({ accountId, request, metered }) => {
      await renderStorage.checkJob(accountId);
      // A request accepted by an older version has no options.
      const { options = DEFAULT_EXPORT, ...rest } = request as Omit<RenderRequest, 'options'> & Partial<RenderRequest>;
      const complete = { ...rest, options };
      return drawRequest(rendering, accountId, metered ? complete : withWatermark(complete));
    },
    screenshot: async ({ accountId, request, metered }) => {
      await renderStorage.checkJob(accountId);
      // A request accepted by an older version has a URL, and lacks the fields that were added since.
      const older = request as Omit<ScreenshotRequest, Added> & Partial<ScreenshotRequest>;
      const complete = {
        html: null,
        script: false,
        waitForExpression: null,
        maxHeight: null,
        failOnMissingFiles: false,
        ...older,
        watermark: !metered,
      };
      return captureRequest(capturing, accountId, complete, fairnessKeyOfJobs(accountId));
    },
  };
}

/** Fields of screenshots that jobs of older versions may lack. */
type Added = 'html' | 'script' | 'waitForExpression' | 'maxHeight' | 'failOnMissingFiles';
