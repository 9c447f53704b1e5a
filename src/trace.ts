// Which request the running code belongs to, which trace that request is part of, and who is told how long its steps take.
//
// It travels with the asynchronous context (AsyncLocalStorage), so that every log line and every step knows it without
// being handed it. A job keeps it with its row, and a webhook with its delivery: another process goes on with it.

import { AsyncLocalStorage } from 'node:async_hooks';

/** Plain JSON, kept with jobs and deliveries; at most some 700 characters. */
export interface Trace {
  /** Of the HTTP request that it began with. */
  readonly requestId: string;
  /** W3C Trace Context, as in the header of that name; null = nobody traces. */
  readonly traceparent: string | null;
  /** As it came; kept only beside a `traceparent`. */
  readonly tracestate: string | null;
}

/** Steps of a render, in the thread that answers and in the one that draws. */
export const STAGES = [
  'find',
  'check',
  'reserve',
  'wait',
  'resolve',
  'load',
  'compose',
  'export',
  'page',
  'store',
] as const;
export type Stage = (typeof STAGES)[number];

/** What is observed. A request's name is not known before it is routed: `end` says more. */
export type Operation =
  | { readonly kind: 'request'; readonly method: string }
  | { readonly kind: 'job'; readonly job: string; readonly attempt: number }
  | { readonly kind: 'webhook'; readonly delivery: string }
  | { readonly kind: 'stage'; readonly stage: Stage };

/** What is known of an operation only at its end. */
export interface Ending {
  /** What it failed with; null = it did not. */
  readonly error: unknown;
  readonly name?: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
}

/** An operation that has begun. */
export interface Observed {
  /** What belongs to it has this as its parent. */
  readonly trace: Trace;
  end(ending: Ending): void;
}

/** Who is told what takes how long: metrics, and OpenTelemetry where it is set up. */
export interface Observer {
  begin(operation: Operation, parent: Trace): Observed;
  /** A stage that is over: where it was measured nobody could be told. */
  record(stage: StageTime, parent: Trace): void;
}

/** Tells nobody. */
export const UNOBSERVED: Observer = {
  begin: (_, trace) => ({ trace, end() {} }),
  record() {},
};

export interface StageTime {
  readonly stage: Stage;
  /** ms since 1970 */
  readonly start: number;
  /** ms */
  readonly took: number;
}

interface Context {
  readonly trace: Trace;
  readonly observer: Observer;
}

const contexts = new AsyncLocalStorage<Context>();

/** Null outside of any request, job and webhook. */
export const currentTrace = (): Trace | null => contexts.getStore()?.trace ?? null;

/** Does `work` as an operation of its own, with all that it logs and does belonging to it. */
export async function observed<T>(
  observer: Observer,
  operation: Operation,
  parent: Trace,
  work: () => Promise<T>,
  ending: (error: unknown) => Omit<Ending, 'error'> = () => ({}),
): Promise<T> {
  const { trace, end } = observer.begin(operation, parent);
  let problem: unknown = null;
  try {
    return await contexts.run({ trace, observer }, work);
  } catch (error) {
    problem = error;
    throw error;
  } finally {
    end({ error: problem, ...ending(problem) });
  }
}

/** Does `work` as a step of what is under way; outside of it, nobody is told. */
export function step<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
  const context = contexts.getStore();
  return context ? observed(context.observer, { kind: 'stage', stage }, context.trace, work) : work();
}

/** Tells of steps that were measured elsewhere. */
export function recordStages(stages: readonly StageTime[]): void {
  const context = contexts.getStore();
  if (context) for (const stage of stages) context.observer.record(stage, context.trace);
}
