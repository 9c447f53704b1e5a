// Defines the server's metrics and their sources.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Gate } from '#base/concurrency/gate.ts';
import { type Observed, type Observer, recordStages, step, type Trace, type TracedOperation } from '#base/trace.ts';
import type { Output } from '#draw/output/formats.ts';
import type { Renderer } from '#draw/renderer/renderer.ts';
import { type MetricCounter, Metrics } from '#server/observability/metrics.ts';
import type { PageDrawing } from '#server/service/pages/pages.ts';
import type { Variants } from '#server/service/rendering/variants.ts';
import type { Storage } from '#server/storage/storage.ts';

interface MetricSources {
  readonly renderer: Renderer;
  readonly storage: Storage;
  readonly variants: Variants;
  /** By name. */
  readonly gates: Readonly<Record<string, Gate>>;
  /** For jobs. */
  readonly slots: { readonly free: () => number };
  readonly clock: () => Date;
}

export interface ServerMetrics extends Disposable {
  readonly metrics: Metrics;
  readonly requests: MetricCounter;
  /** Measures the duration of requests, jobs and stages. */
  readonly observer: Observer;
  /** Records how long something waited for its turn, ms. */
  readonly waited: (queue: Queue, ms: number) => void;
  /** Wraps a renderer to count its drawings. */
  readonly countedRenderer: (renderer: Renderer) => Renderer;
  /** Wraps pages to count those of html templates and of the web. */
  readonly countedPages: (pages: PageDrawing) => PageDrawing;
  /** Adds metrics of parts that are created later. */
  readonly watch: (sources: MetricSources) => void;
}

/** A layers template, an html template, or a web page. */
type DrawingKind = 'layers' | 'html' | 'screenshot';

/** The queues where work waits: for a place among renders, for a browser, as a job. */
type Queue = 'admission' | 'pages' | 'jobs';

/** Upper bounds, s. Requests: from a cached image to the longest screenshot. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** A stage of a simple template takes 0.1 to 5 ms; one with a slow external image takes seconds. */
const STAGE_BUCKETS = [0.0005, 0.001, 0.0025, ...REQUEST_BUCKETS];
/** Waiting at a gate ends after 30 s; jobs may wait for an hour. */
const WAIT_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];

/** Resolution of the event loop delay measurement, ms. */
const RESOLUTION = 20;

export function openServerMetrics(): ServerMetrics {
  const metrics = new Metrics();
  const requests = metrics.counter('platen_http_requests_total', 'Answers by their status.');
  const renders = metrics.counter('platen_renders_total', 'Drawings by kind, output and outcome.');
  const seconds = metrics.counter(
    'platen_render_seconds_total',
    'Time that drawings took, their images included; of those that succeeded.',
  );
  const requestSeconds = metrics.histogram(
    'platen_http_request_seconds',
    'Time from a request to the head of its answer, by class of routes and of status.',
    REQUEST_BUCKETS,
  );
  const stageSeconds = metrics.histogram('platen_stage_seconds', 'Time that stages of renders took.', STAGE_BUCKETS);
  const jobSeconds = metrics.histogram('platen_job_seconds', 'Time that attempts at jobs took.', REQUEST_BUCKETS);
  const waitSeconds = metrics.histogram(
    'platen_queue_wait_seconds',
    'Time for which work waited for its turn, by what for; jobs from their acceptance to their first attempt.',
    WAIT_BUCKETS,
  );
  const observer: Observer = {
    begin: (operation, trace) => begun(operation, trace),
    record: ({ stage, took }) => stageSeconds.observe({ stage }, took / 1_000),
  };
  const begun = (operation: TracedOperation, trace: Trace): Observed => {
    const start = performance.now();
    return {
      trace,
      end({ attributes = {} }) {
        const seconds = (performance.now() - start) / 1_000;
        if (operation.kind === 'stage') stageSeconds.observe({ stage: operation.stage }, seconds);
        if (operation.kind === 'job') jobSeconds.observe({}, seconds);
        if (operation.kind !== 'request') return;
        const code = `${Math.floor(Number(attributes['http.response.status_code'] ?? 500) / 100)}xx`;
        requestSeconds.observe({ route: attributes['platen.route_class'] ?? 'other', code }, seconds);
      },
    };
  };
  const count = async <T>(kind: DrawingKind, output: Output, draw: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      const drawn = await draw();
      renders.add({ kind, output, outcome: 'done' });
      seconds.add({ kind, output }, (performance.now() - start) / 1_000);
      return drawn;
    } catch (error) {
      renders.add({ kind, output, outcome: 'failed' });
      throw error;
    }
  };
  metrics.gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  delay.enable();
  metrics.gauge('nodejs_eventloop_delay_seconds', 'How late timers were since the last look.', () => quantiles(delay));

  return {
    metrics,
    requests,
    observer,
    waited: (queue, ms) => {
      waitSeconds.observe({ queue }, ms / 1_000);
      if (ms > 0 && queue !== 'jobs') {
        recordStages([{ stage: 'wait', start: performance.timeOrigin + performance.now() - ms, took: ms }]);
      }
    },
    countedRenderer: (renderer) => ({
      draw: (job, supplies, signal) =>
        count('layers', job.output, async () => {
          const { stages = [], ...drawing } = await renderer.draw(job, supplies, signal);
          recordStages(stages);
          return drawing;
        }),
      measure: (subject, supplies, signal) => renderer.measure(subject, supplies, signal),
      inspect: (file) => renderer.inspect(file),
      warmUp: () => renderer.warmUp(),
      status: () => renderer.status(),
      [Symbol.asyncDispose]: () => renderer[Symbol.asyncDispose](),
    }),
    countedPages: (pages) => ({
      check: (url) => pages.check(url),
      drawHtml: (page, output, options, files, fairnessKey) =>
        count('html', output, () => step('page', () => pages.drawHtml(page, output, options, files, fairnessKey))),
      capture: (options, fairnessKey, supplied) =>
        count('screenshot', options.output, () => step('page', () => pages.capture(options, fairnessKey, supplied))),
    }),
    watch: ({ renderer, storage, variants, gates, slots, clock }) => {
      const waitedFor = (oldest: Date | null) =>
        oldest === null ? 0 : Math.max(0, (clock().getTime() - oldest.getTime()) / 1_000);
      const ofRenderer = async (what: 'running' | 'waiting') => {
        const { [what]: count } = await renderer.status();
        return [...byGate(gates, what), [{ gate: 'drawing' }, count] as const];
      };
      metrics.gauge('platen_cache_bytes', 'Caches and reused memory of the main drawing thread, by kind.', async () => {
        const { keptBytes } = await renderer.status();
        return keptBytes.map(([kind, bytes]) => [{ kind }, bytes] as const);
      });
      metrics.gauge('platen_cached_templates', 'Parsed templates that are kept between renders.', async () => [
        [{}, (await renderer.status()).templates],
      ]);
      metrics.gauge(
        'platen_variant_cache_bytes',
        'Files of signed URLs that are kept; servers that share a database all say the same.',
        async () => [[{}, await variants.bytes()]],
      );
      metrics.gauge('platen_gate_running', 'Pieces of work under way, by gate.', () => ofRenderer('running'));
      metrics.gauge('platen_gate_waiting', 'Pieces of work that wait, by gate.', () => ofRenderer('waiting'));
      metrics.gauge(
        'platen_queue_oldest_seconds',
        'How long the oldest job of the whole database has waited for its turn; 0 when none waits.',
        async () => [[{}, waitedFor(await storage.renders.oldestQueued())]],
      );
      metrics.gauge('platen_page_queue_oldest_seconds', 'The same of jobs that need a browser.', async () => [
        [{}, waitedFor(await storage.renders.oldestQueued(true))],
      ]);
      metrics.gauge('platen_job_slots_free', 'Jobs that this server could begin at once.', slots.free);
      metrics.gauge(
        'platen_jobs',
        'Jobs of the whole database that are not over, by status: every server says the same, so take the maximum.',
        async () => {
          const open = await storage.renders.countOpen();
          return Object.entries(open).map(([status, count]) => [{ status }, count] as const);
        },
      );
    },
    [Symbol.dispose]: () => delay.disable(),
  };
}

function quantiles(delay: ReturnType<typeof monitorEventLoopDelay>) {
  const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0);
  const samples = [0.5, 0.99].map((quantile) => [{ quantile }, seconds(delay.percentile(quantile * 100))] as const);
  delay.reset();
  return samples;
}

function byGate(gates: MetricSources['gates'], what: 'running' | 'waiting') {
  return Object.entries(gates).map(([gate, { [what]: count }]) => [{ gate }, count] as const);
}
