// Renders many items in one call. Each item is charged and fails on its own.

import { setImmediate } from 'node:timers/promises';
import { limiter } from '#base/concurrency/limiter.ts';
import { AppError, OUR_FAULT } from '#base/errors.ts';
import { type Diagnostic, ValidationError } from '#core/diagnostics.ts';
import type { Choice } from '#design/choice.ts';
import type { Log } from '#server/observability/log.ts';
import type { Caller } from '../accounts/caller.ts';
import { requireTemplate } from '../accounts/key-scope.ts';
import type { RenderResult } from '../files/assets.ts';
import type { OnCommit } from '../idempotency.ts';
import { fitTemplate, type RenderContext, type Rendered, render, requireBrowser } from '../rendering/render.ts';
import type { RenderRequest } from '../rendering/render-request.ts';
import { shownWarnings, warningSentences } from '../rendering/warnings.ts';

export interface InstantBatchContext extends RenderContext {
  /** How many items of one batch are rendered at the same time. */
  readonly batchConcurrency: number;
  readonly log: Log;
}

/** The result of an item, with what was chosen for it, its metadata if some was given, and its warnings if there are any. */
interface ItemResult extends Choice, RenderResult, Pick<Rendered, 'metadata'> {
  /** Warnings about it; absent where there are none. */
  readonly warnings?: readonly string[];
}

/** Takes the place of a failed item's result. */
interface ItemError extends Choice, Pick<Rendered, 'metadata'> {
  readonly error: string;
}

export interface InstantBatch {
  /** In the order of the items. */
  readonly results: readonly (ItemResult | ItemError)[];
  /** Of all items; each message begins with its item's index. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The items that an earlier run of the same batch completed, and a callback that records each one of this run. */
export interface InstantBatchProgress {
  /** Items that are rendered already, by index. */
  readonly rendered: ReadonlyMap<number, Rendered>;
  /** What the transaction that saves an item does besides. */
  readonly onCommit: (index: number) => OnCommit<Rendered>;
}

/**
 * Each item is as of its own time, which may be minutes after the request's.
 *
 * @param items return the request of an item, or throw why it cannot be read, when the item is processed
 */
export async function renderInstantBatch(
  ctx: InstantBatchContext,
  { asOf: _, ...caller }: Caller,
  items: readonly (() => RenderRequest)[],
  progress: InstantBatchProgress,
): Promise<InstantBatch> {
  if (ctx.withoutBrowser) await requireNoBrowser(ctx, caller, items);
  const limit = limiter(ctx.batchConcurrency);
  // Checking an item may take milliseconds of the event loop: one item per turn, also for items that start together.
  let turn = Promise.resolve();
  const nextTurn = () => {
    turn = turn.then(() => setImmediate());
    return turn;
  };
  const rendered = await Promise.all(
    items.map((read, index) =>
      limit(async () => {
        await nextTurn();
        return renderItem(ctx, caller, read, index, progress);
      }),
    ),
  );
  return {
    results: rendered.map(({ result }) => result),
    diagnostics: rendered.flatMap(({ diagnostics }) => diagnostics),
  };
}

/**
 * Runs before any item is rendered or charged. @throws AppError `no_browser` when an item needs a browser, so that
 * another server does the whole batch
 */
async function requireNoBrowser(ctx: InstantBatchContext, caller: Caller, items: readonly (() => RenderRequest)[]) {
  for (const read of items) {
    try {
      const { template, modifications, choice } = read();
      requireTemplate(caller, template);
      const found = await ctx.templates.open(caller.accountId, template, choice);
      requireBrowser(ctx, (await fitTemplate(ctx.templates.checks, found, modifications)).checked);
    } catch (error) {
      // Other errors of an item are reported in its result.
      if (error instanceof AppError && error.code === 'no_browser') throw error;
    }
  }
}

async function renderItem(
  ctx: InstantBatchContext,
  caller: Caller,
  read: () => RenderRequest,
  index: number,
  { rendered, onCommit }: InstantBatchProgress,
) {
  let asked: Pick<RenderRequest, 'choice' | 'metadata'> = {};
  const given = () => ({ ...asked.choice, ...(asked.metadata !== undefined && { metadata: asked.metadata }) });
  try {
    const request = read();
    asked = request;
    const { result, diagnostics } = rendered.get(index) ?? (await render(ctx, caller, request, onCommit(index)));
    const placed = diagnostics.map((one) => ({ ...one, message: `Item ${index}: ${one.message}` }));
    const warnings = shownWarnings(warningSentences(diagnostics));
    return { result: { ...result, ...given(), ...warnings }, diagnostics: placed };
  } catch (error) {
    if (error instanceof AppError || error instanceof ValidationError) {
      return { result: { error: error.message, ...given() }, diagnostics: [] };
    }
    ctx.log.error({ err: error, item: index }, 'an item of a batch failed');
    return { result: { error: OUR_FAULT, ...given() }, diagnostics: [] };
  }
}
