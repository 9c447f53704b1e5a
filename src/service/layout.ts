// What a render would measure: each layer's box, its font size and its lines. Nothing is drawn, kept or counted; hence
// limited in rate, together with previews.

import type { Diagnostic } from '#core/diagnostics.ts';
import { describeLayout, type SceneLayout } from '#core/layout/describe-layout.ts';
import { layOut } from '#core/layout/layout.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { AppError } from '#errors';
import type { PreviewContext } from './preview.ts';
import { withResources } from './render.ts';

export interface LayoutRequest {
  readonly template: string;
  readonly modifications: Modifications;
}

export interface MeasuredLayout {
  readonly layout: SceneLayout;
  readonly diagnostics: readonly Diagnostic[];
}

/** @throws AppError `not_found`, `rate_limited` and what a render throws, except for its quota */
export async function measureLayout(
  ctx: PreviewContext,
  accountId: string,
  request: LayoutRequest,
): Promise<MeasuredLayout> {
  const found = await ctx.templates.find(accountId, request.template);
  const { template } = found;
  if (template.engine === 'html') {
    throw new AppError(
      'invalid_request',
      'An html template is laid out while it is drawn: it has no layout to ask for.',
    );
  }
  const scene = resolve(template, request.modifications);
  ctx.previews.take(accountId);
  const signal = AbortSignal.timeout(ctx.deadline);
  return withResources(ctx, found, scene, 'pixels', signal, async ({ resources, diagnostics }) => {
    const { boxes, diagnostics: odd } = layOut(scene, resources);
    return {
      layout: describeLayout(scene, boxes),
      diagnostics: [...scene.diagnostics, ...odd, ...diagnostics],
    };
  });
}
