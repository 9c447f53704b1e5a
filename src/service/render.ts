// One render from end to end: the file to read first.
//
// template → scene → resources → display list → bytes → asset. Each value is finished before the next begins, and the
// only waiting on the outside world is for resources.

import { hash } from 'node:crypto';
import { compose } from '#core/compose.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import { type Drawable, isHtmlPage, resolveAny } from '#core/resolve/resolve-any.ts';
import type { HtmlPage } from '#core/resolve/resolve-html.ts';
import type { Needs, Scene } from '#core/resolve/scene.ts';
import { AppError } from '#errors';
import { composeHtml } from '#html/compose-html.ts';
import type { exportAs } from '#output/export.ts';
import { DEFAULT_EXPORT, type ExportOptions, type Output } from '#output/formats.ts';
import type { Look } from '#pixels/inspect.ts';
import { DamagedImage } from '#pixels/scale.ts';
import type { Assets, RenderResult } from './assets.ts';
import type { Gate } from './gate.ts';
import { nothingMore, type OnCommit } from './idempotency.ts';
import type { Caller } from './keys.ts';
import type { Owner } from './owner.ts';
import type { Quota } from './quota.ts';
import type { LoadedResources } from './resources.ts';
import type { SharedWork } from './shared-work.ts';
import type { FoundTemplate, TemplateLibrary } from './templates.ts';

export interface RenderContext extends DrawContext {
  readonly templates: TemplateLibrary;
  readonly quota: Quota;
  readonly assets: Assets;
  /** Drawings under way: of simultaneous equal requests, each has an id and a unit of its own, and one is drawn. */
  readonly underWay: SharedWork<Drawing>;
}

/** What drawing alone needs. */
export interface DrawContext {
  /** Fonts and images for an owner's scene. */
  readonly load: (owner: Owner, needs: Needs, signal: AbortSignal, look: Look) => Promise<LoadedResources>;
  readonly exportAs: typeof exportAs;
  /** A page of an owner's html template. */
  readonly drawHtml: (owner: Owner, page: HtmlPage, output: Output, options: ExportOptions) => Promise<Drawing>;
  /** Renders that hold resources in memory, and those that wait to. */
  readonly admission: Gate;
  /** Renders that use a processor. */
  readonly drawing: Gate;
  /** How long one render may take, ms. */
  readonly deadline: number;
}

export interface RenderRequest {
  /** `tpl_…`, or `tpl_…@3` for a version. */
  readonly template: string;
  readonly modifications: Modifications;
  readonly output: Output;
}

export interface Rendered {
  readonly result: RenderResult;
  readonly diagnostics: readonly Diagnostic[];
}

/** Renders a stored template and stores the result. A failure costs no quota and leaves no asset. */
export async function render(
  ctx: RenderContext,
  caller: Caller,
  request: RenderRequest,
  onCommit: OnCommit<Rendered> = nothingMore,
): Promise<Rendered> {
  const found = await ctx.templates.find(caller.accountId, request.template);
  const drawable = resolveAny(found.template, request.modifications);

  const asset = ctx.assets.begin(caller.accountId, request.output);
  await using ticket = await ctx.quota.reserve(caller, asset.id);

  const { bytes, diagnostics } = await drawShared(ctx, found, drawable, request);
  const rendered = { result: ctx.assets.result(asset), diagnostics };
  await ctx.assets.save(asset, bytes, ticket, (stores) => onCommit(stores, rendered));
  return rendered;
}

/** A render's bytes, stored and counted by whoever asks for them. @throws what `render` throws but for the quota */
export async function drawRequest(ctx: RenderContext, accountId: string, request: RenderRequest): Promise<Drawing> {
  const found = await ctx.templates.find(accountId, request.template);
  return drawShared(ctx, found, resolveAny(found.template, request.modifications), request);
}

function drawShared(
  ctx: RenderContext,
  found: FoundTemplate,
  drawable: Drawable,
  { modifications, output }: RenderRequest,
): Promise<Drawing> {
  const { accountId, id, version } = found;
  const key = hash('sha256', JSON.stringify([accountId, id, version, output, modifications]), 'base64');
  return ctx.underWay.run(key, () => draw(ctx, found, drawable, output, DEFAULT_EXPORT));
}

export interface Drawing {
  readonly bytes: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
}

/** A scene, or a page, to a file's bytes: what a render, a preview and a signed URL have in common. */
export async function draw(
  ctx: DrawContext,
  owner: Owner,
  drawable: Drawable,
  output: Output,
  options: ExportOptions,
): Promise<Drawing> {
  if (isHtmlPage(drawable)) {
    const { renderer } = drawable.template;
    if (renderer === 'chromium') return ctx.drawHtml(owner, drawable, output, options);
    return decodedOnce(output, ctx.deadline, (look, signal) =>
      drawWithoutBrowser(ctx, owner, drawable, output, options, look, signal),
    );
  }
  return decodedOnce(output, ctx.deadline, (look, signal) =>
    withResources(ctx, owner, drawable, look, signal, async ({ resources, diagnostics: found }) => {
      const { list, diagnostics } = compose(drawable, resources);
      const bytes = await ctx.exportAs(output, list, resources, options);
      return { bytes, diagnostics: [...diagnostics, ...found] };
    }),
  );
}

/**
 * Draws with images of which no more was decoded than had to be, so that a new photo is decoded once: by whoever scales
 * it. Where that fails, once more with every image decoded first: then the layer is named, left out, or falls back. Both
 * share one deadline, ms.
 */
async function decodedOnce<T>(
  output: Output,
  deadline: number,
  drawWith: (look: Look, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(deadline);
  // A JPEG may go into a PDF as it is, with nobody decoding it.
  if (output === 'pdf') return drawWith('pixels', signal);
  try {
    return await drawWith('header', signal);
  } catch (error) {
    if (!(error instanceof DamagedImage)) throw error;
    return drawWith('pixels', signal);
  }
}

/** As `draw`, for a page whose layout is satori's. */
function drawWithoutBrowser(
  ctx: DrawContext,
  owner: Owner,
  page: HtmlPage,
  output: Output,
  options: ExportOptions,
  look: Look,
  signal: AbortSignal,
): Promise<Drawing> {
  return ctx.admission.pass(signal, async () => {
    const load = (needs: Needs) => ctx.load(owner, needs, signal, look);
    const { list, resources, diagnostics } = await inTime(signal, composeHtml(page, load));
    const bytes = await ctx.drawing.pass(signal, () => inTime(signal, ctx.exportAs(output, list, resources, options)));
    return { bytes, diagnostics };
  });
}

/** Loads what a scene needs, waits for a processor, and then uses it: before the signal, or not at all. */
export async function withResources<T>(
  ctx: DrawContext,
  owner: Owner,
  scene: Scene,
  look: Look,
  signal: AbortSignal,
  use: (loaded: LoadedResources) => Promise<T>,
): Promise<T> {
  return ctx.admission.pass(signal, async () => {
    const loaded = await inTime(signal, ctx.load(owner, scene.needs, signal, look));
    return ctx.drawing.pass(signal, () => inTime(signal, use(loaded)));
  });
}

/** Waits for `work` until the deadline; work that does not heed the signal is left behind. */
async function inTime<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    return await Promise.race([late, work]);
  } catch (cause) {
    if (!signal.aborted || cause instanceof AppError) throw cause;
    throw new AppError('render_failed', 'The render took too long and was stopped.', { cause });
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
