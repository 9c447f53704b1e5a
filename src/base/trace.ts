// Keeps track of the current request and its trace, and reports how long its steps take.
//
// The trace travels with the asynchronous context (AsyncLocalStorage), so that every log line and step has it without
// passing it along. It is stored with a job's row and with a webhook's delivery, so that another process can continue
// it.

import { AsyncLocalStorage } from 'node:async_hooks';

/** Plain JSON, stored with jobs and deliveries; at most some 700 characters. */
export interface Trace {
  /** Id of the HTTP request with which it began: our own. */
  readonly requestId: string;
  /** The id that the client gave that request; null = none. */
  readonly clientRequestId: string | null;
  /** W3C Trace Context, as in the header of that name; null = not traced. */
  readonly traceparent: string | null;
  /** As received; kept only together with a `traceparent`. */
  readonly tracestate: string | null;
}

/** Steps of a render, on the main thread and on the drawing thread. */
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

/** An observed operation. A request's name is only known after routing: `end` adds it. */
export type TracedOperation =
  | { readonly kind: 'request'; readonly method: string }
  | { readonly kind: 'job'; readonly job: string; readonly attempt: number }
  | { readonly kind: 'webhook'; readonly delivery: string }
  | { readonly kind: 'stage'; readonly stage: Stage };

/** Properties of an operation that are known only at its end. */
export interface Ending {
  /** The error it failed with; null = it succeeded. */
  readonly error: unknown;
  readonly name?: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
}

/** An operation in progress. */
export interface Observed {
  /** The parent of everything that belongs to the operation. */
  readonly trace: Trace;
  end(ending: Ending): void;
}

/** Receives the durations: metrics, and OpenTelemetry where it is configured. */
export interface Observer {
  begin(operation: TracedOperation, parent: Trace): Observed;
  /** Records a finished stage that was measured where there is no observer. */
  record(stage: StageTime, parent: Trace): void;
}

/** Ignores everything. */
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

/** Runs `work` as an operation, which its log lines and steps belong to. */
export async function observed<T>(
  observer: Observer,
  operation: TracedOperation,
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

/** Runs `work` as a stage of the current operation; outside of one it is not observed. */
export function step<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
  const context = contexts.getStore();
  return context ? observed(context.observer, { kind: 'stage', stage }, context.trace, work) : work();
}

/** Records stages that were measured elsewhere. */
export function recordStages(stages: readonly StageTime[]): void {
  const context = contexts.getStore();
  if (context) for (const stage of stages) context.observer.record(stage, context.trace);
}
