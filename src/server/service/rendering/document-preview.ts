// Previews and measures a document that is not stored, as if it were: for an editor.
//
// The renderer caches it under a hash of its text, so that the same document is parsed once.

import { AppError } from '#base/errors.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import type { Choice } from '#design/choice.ts';
import type { Drawing, MeasuredLayout } from '#draw/renderer/renderer.ts';
import type { InlineDocument } from '../templates/templates.ts';
import { asPreview, drawHeld, type HoldAnswer, type PreviewContext } from './preview.ts';
import { fitTemplate, supplied } from './render.ts';
import type { RenderRequest } from './render-request.ts';

interface DocumentRequest extends Pick<RenderRequest, 'modifications' | 'output' | 'options' | 'choice'> {}

/**
 * @throws ValidationError when it is no valid template or the values do not fit; AppError `rate_limited`, and what a
 *   render throws
 */
export async function previewDocument(
  ctx: PreviewContext,
  accountId: string,
  document: InlineDocument,
  { modifications, output, options, choice = {} }: DocumentRequest,
  hold: HoldAnswer,
): Promise<Drawing> {
  return asPreview(ctx, accountId, async () => {
    ctx.previews.take(accountId);
    const found = await ctx.templates.openInline(accountId, document, '', choice);
    const fitted = await fitTemplate(ctx.templates.checks, found, modifications, 'design');
    return drawHeld(ctx, fitted, { output, options }, hold);
  });
}

/** @throws as `previewDocument` */
export async function measureDocument(
  ctx: PreviewContext,
  accountId: string,
  document: InlineDocument,
  modifications: Modifications,
  choice: Choice = {},
): Promise<MeasuredLayout> {
  return asPreview(ctx, accountId, async () => {
    ctx.previews.take(accountId);
    const found = await ctx.templates.openInline(accountId, document, '', choice);
    if ((await ctx.templates.checks.summaryOf(found)).engine === 'html') {
      throw new AppError('invalid_request', 'document: an html template has no layout to ask for');
    }
    const fitted = await fitTemplate(ctx.templates.checks, found, modifications, 'design');
    return supplied(ctx, fitted, (subject, supplies, signal) => ctx.renderer.measure(subject, supplies, signal));
  });
}
