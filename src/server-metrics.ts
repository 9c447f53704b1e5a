// Which metrics the server has, and where each comes from.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Output } from '#output/formats.ts';
import type { Renderer } from '#renderer/renderer.ts';
import { type Counter, Metrics } from '#service/metrics.ts';
import type { PageDrawing } from '#service/pages.ts';
import type { Variants } from '#service/variants.ts';
import type { Storage } from '#storage/storage.ts';
import type { Gate } from './gate.ts';

export interface MetricSources {
  readonly renderer: Renderer;
  readonly storage: Storage;
  readonly variants: Variants;
  /** By what they are called. */
  readonly gates: Readonly<Record<string, Gate>>;
}

export interface ServerMetrics extends Disposable {
  readonly metrics: Metrics;
  readonly requests: Counter;
  /** The same renderer, its drawings counted. */
  readonly countedRenderer: (renderer: Renderer) => Renderer;
  /** The same pages, counted: those of html templates, and those of the web. */
  readonly countedPages: (pages: PageDrawing) => PageDrawing;
  /** Adds what can only be asked once it is there. */
  readonly watch: (sources: MetricSources) => void;
}

/** A layers template, an html template, a page of the web. */
type DrawingKind = 'layers' | 'html' | 'screenshot';

/** Of the event loop's delay, in ms. */
const RESOLUTION = 20;

export function openServerMetrics(): ServerMetrics {
  const metrics = new Metrics();
  const requests = metrics.counter('platen_http_requests_total', 'Answers by their status.');
  const renders = metrics.counter('platen_renders_total', 'Drawings by kind, output and outcome.');
  const seconds = metrics.counter(
    'platen_render_seconds_total',
    'Time that drawings took, their images included; of those that succeeded.',
  );
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
    countedRenderer: (renderer) => ({
      draw: (job, supplies, signal) => count('layers', job.output, () => renderer.draw(job, supplies, signal)),
      measure: (subject, supplies, signal) => renderer.measure(subject, supplies, signal),
      inspect: (file) => renderer.inspect(file),
      warmUp: () => renderer.warmUp(),
      status: () => renderer.status(),
      [Symbol.asyncDispose]: () => renderer[Symbol.asyncDispose](),
    }),
    countedPages: (pages) => ({
      check: (url) => pages.check(url),
      drawHtml: (page, output, options, files, turn) =>
        count('html', output, () => pages.drawHtml(page, output, options, files, turn)),
      capture: (options, turn) => count('screenshot', options.output, () => pages.capture(options, turn)),
    }),
    watch: ({ renderer, storage, variants, gates }) => {
      const ofRenderer = async (what: 'running' | 'waiting') => {
        const { [what]: count } = await renderer.status();
        return [...byGate(gates, what), [{ gate: 'drawing' }, count] as const];
      };
      metrics.gauge(
        'platen_cache_bytes',
        'What is kept between renders, bound by PLATEN_CACHE_MB, by kind.',
        async () => {
          const { keptBytes } = await renderer.status();
          return keptBytes.map(([kind, bytes]) => [{ kind }, bytes] as const);
        },
      );
      metrics.gauge(
        'platen_variant_cache_bytes',
        'Files of signed URLs that are kept; servers that share a database all say the same.',
        async () => [[{}, await variants.bytes()]],
      );
      metrics.gauge('platen_gate_running', 'Pieces of work under way, by gate.', () => ofRenderer('running'));
      metrics.gauge('platen_gate_waiting', 'Pieces of work that wait, by gate.', () => ofRenderer('waiting'));
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
