// Measures a layout as a render would: each layer's box, its font size and its lines. Nothing is drawn, stored or
// counted, so it shares the rate limit of previews.

import { AppError } from '#base/errors.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import type { Choice } from '#design/choice.ts';
import type { MeasuredLayout } from '#draw/renderer/renderer.ts';
import type { Caller } from '../accounts/caller.ts';
import { asPreview, type PreviewContext } from './preview.ts';
import { fitTemplate, oddities, supplied } from './render.ts';

export interface LayoutRequest {
  readonly template: string;
  readonly modifications: Modifications;
  readonly choice?: Choice;
}

/**
 * @throws AppError `not_found`, `rate_limited` and what a render throws, except for quota errors
 */
export async function measureLayout(
  ctx: PreviewContext,
  { accountId, asOf }: Pick<Caller, 'accountId' | 'asOf'>,
  request: LayoutRequest,
): Promise<MeasuredLayout> {
  return asPreview(ctx, accountId, async () => {
    const found = await ctx.templates.find(accountId, request.template, request.choice, asOf);
    if ((await ctx.templates.checks.summaryOf(found)).engine === 'html') {
      throw new AppError(
        'invalid_request',
        'An html template is laid out while it is drawn: it has no layout to ask for.',
      );
    }
    const fitted = await fitTemplate(ctx.templates.checks, found, request.modifications, 'preview');
    ctx.previews.take(accountId);
    const { layout, diagnostics } = await supplied(ctx, fitted, (subject, supplies, signal) =>
      ctx.renderer.measure(subject, supplies, signal),
    );
    return { layout, diagnostics: [...oddities(fitted), ...diagnostics] };
  });
}
