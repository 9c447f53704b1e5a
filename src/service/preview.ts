// Previews: draws a template with modifications without storing or counting the result; hence a rate limit.

import type { Drawing } from '#renderer/renderer.ts';
import type { RateLimit } from './rate-limit.ts';
import { draw, fitTemplate, type RenderContext, type RenderRequest } from './render.ts';

export interface PreviewContext extends RenderContext {
  readonly previews: RateLimit;
}

/**
 * @throws AppError `not_found`, `rate_limited` and what a render throws, except for quota errors
 */
export async function preview(ctx: PreviewContext, accountId: string, request: RenderRequest): Promise<Drawing> {
  const found = await ctx.templates.find(accountId, request.template);
  const fitted = await fitTemplate(ctx.templates.checks, found, request.modifications);
  ctx.previews.take(accountId);
  return draw(ctx, fitted, request.output, request.options);
}
