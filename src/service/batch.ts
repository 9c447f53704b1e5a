// Many renders in one call. Each item stands for itself: in what it costs, and in how it fails.

import PQueue from 'p-queue';
import { type Diagnostic, ValidationError } from '#core/diagnostics.ts';
import { AppError, OUR_FAULT } from '#errors';
import type { Log } from '../log.ts';
import type { RenderResult } from './assets.ts';
import type { Caller } from './keys.ts';
import { type RenderContext, type RenderRequest, render } from './render.ts';

export interface BatchContext extends RenderContext {
  /** How many items of one batch are rendered at the same time. */
  readonly batchConcurrency: number;
  readonly log: Log;
}

/** Where a failed item's result would be. */
export interface ItemError {
  readonly error: string;
}

export interface Batch {
  /** In the order of the items. */
  readonly results: readonly (RenderResult | ItemError)[];
  /** Of all items; each message begins with its item's place. */
  readonly diagnostics: readonly Diagnostic[];
}

/** @param items what to render, or why an item cannot be read: thrown when its turn comes */
export async function renderBatch(
  ctx: BatchContext,
  caller: Caller,
  items: readonly (() => RenderRequest)[],
): Promise<Batch> {
  const queue = new PQueue({ concurrency: ctx.batchConcurrency });
  const rendered = await queue.addAll(items.map((read, index) => () => renderItem(ctx, caller, read, index)));
  return {
    results: rendered.map(({ result }) => result),
    diagnostics: rendered.flatMap(({ diagnostics }) => diagnostics),
  };
}

async function renderItem(ctx: BatchContext, caller: Caller, read: () => RenderRequest, index: number) {
  try {
    const { result, diagnostics } = await render(ctx, caller, read());
    const placed = diagnostics.map((one) => ({ ...one, message: `Item ${index}: ${one.message}` }));
    return { result, diagnostics: placed };
  } catch (error) {
    if (error instanceof AppError || error instanceof ValidationError) {
      return { result: { error: error.message }, diagnostics: [] };
    }
    ctx.log.error({ err: error, item: index }, 'an item of a batch failed');
    return { result: { error: OUR_FAULT }, diagnostics: [] };
  }
}
