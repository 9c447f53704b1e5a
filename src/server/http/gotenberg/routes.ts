// Routes that are compatible with Gotenberg's Chromium routes: a multipart form is answered with the file.
//
// Each is a screenshot of ours with the same bounds, guard, metering and storage.

import type Router from '@koa/router';
import { AppError } from '#base/errors.ts';
import { CONTENT_TYPE } from '#draw/output/formats.ts';
import { newRequestId } from '#server/observability/trace-context.ts';
import { convert, type ScreenshotContext } from '#server/service/pages/screenshot.ts';
import type { ScreenshotRequest } from '#server/service/pages/screenshot-options.ts';
import { setWarnings } from '../middleware/answer.ts';
import { callerOf, may, permitOf } from '../middleware/authentication.ts';
import type { Handler, RequestContext, State } from '../middleware/request-context.ts';
import { type FormLimits, readForm } from '../middleware/upload.ts';
import { type FormFields, type FormParts, readPdfForm, readScreenshotForm } from './form-fields.ts';

const LIMITS: FormLimits = { bytes: 16 * 1024 * 1024, parts: 200, fieldBytes: 64 * 1024 };

/** @param ready answers when requests may be sent here */
export function addGotenbergRoutes(router: Router<State>, ctx: ScreenshotContext, ready: Handler): void {
  for (const source of ['html', 'url'] as const) {
    router.post(`/forms/chromium/convert/${source}`, may('screenshot', handler(ctx, source, readPdfForm)));
    router.post(`/forms/chromium/screenshot/${source}`, may('screenshot', handler(ctx, source, readScreenshotForm)));
  }
  router.get('/health', async (koa) => {
    await ready(koa);
    koa.body = { status: 'up', details: {} };
  });
}

function handler(
  ctx: ScreenshotContext,
  source: 'html' | 'url',
  read: (fields: FormFields, pages: FormParts) => ScreenshotRequest,
): Handler {
  return async (koa) => {
    const caller = callerOf(koa);
    koa.set('gotenberg-trace', traceOf(koa));
    for (const name of Object.keys(koa.headers).filter((each) => each.startsWith('gotenberg-webhook'))) {
      throw new AppError('invalid_request', `The header ${name} is not supported by Platen; leave it out.`);
    }
    const { fields, files } = await readForm(koa, LIMITS);
    const text = (name: string) => files.get(name)?.toString('utf8') ?? null;
    const index = source === 'html' ? text('index.html') : null;
    if (source === 'html' && index === null) throw missing("form file 'index.html' is required");
    if (source === 'url' && !fields.get('url')) throw missing("form field 'url' is required");
    const request = read(fields, { index, header: text('header.html'), footer: text('footer.html') });
    const { bytes, rendered } = await convert(ctx, caller, { ...request, html: index }, files, permitOf(koa)).catch(
      (error: unknown) => {
        throw asGotenberg(error);
      },
    );
    setWarnings(koa, rendered.diagnostics);
    const { id, url, output } = rendered.result;
    koa.set('platen-render-id', id);
    koa.set('platen-render-url', url);
    koa.type = CONTENT_TYPE[request.output];
    koa.set('content-disposition', `attachment; filename="${nameOf(koa) ?? id}.${output}"`);
    koa.body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  };
}

const missing = (what: string) => new AppError('invalid_request', `Invalid form data: ${what}`);

/** The client's own trace, if it may stand in a header, else a new one. */
function traceOf(koa: RequestContext): string {
  const given = koa.get('gotenberg-trace');
  return /^[\x21-\x7e]{1,200}$/.test(given) ? given : newRequestId();
}

/** The last part of the wanted name, without what a quoted name cannot hold; Gotenberg adds the extension itself. */
function nameOf(koa: RequestContext): string | null {
  const last = koa.get('gotenberg-output-filename').split(/[/\\]/).at(-1) ?? '';
  const name = last.replace(/[^\x20-\x7e]|"/g, '_').slice(0, 200);
  return /^\.*$/.test(name) ? null : name;
}

/** Gotenberg tells a page's own status, and files that it lacks, from other errors by 409. */
function asGotenberg(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const [, status] = /^The page answered (\d+)\.$/.exec(error.message) ?? [];
  const message = status === undefined ? null : `Invalid HTTP status code from the main page: ${status}`;
  if (message === null && !/^The page's file /.test(error.message)) return error;
  return new AppError('conflict', message ?? `Chromium failed to load resources: ${error.message}`, { cause: error });
}
