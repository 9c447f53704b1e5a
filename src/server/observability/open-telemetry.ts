// Sends requests, stages, jobs and webhooks as spans by OTLP over HTTP. The only module that uses OpenTelemetry.
//
// Its packages are installed by the user; none is loaded unless an endpoint is set. Spans are given their parents
// explicitly (trace.ts carries them), so neither its context manager nor its instrumentations are needed.

import type { Attributes, Context, Span, SpanContext } from '@opentelemetry/api';
import type { Sampler } from '@opentelemetry/sdk-trace';
import { endsWithin } from '#base/concurrency/deadline.ts';
import type { Observed, Observer, Trace, TracedOperation } from '#base/trace.ts';
import type { SamplerName } from '#server/config/forms.ts';
import { formatTraceparent, parseTraceparent } from './trace-context.ts';

/** The configuration of OpenTelemetry. */
export interface TelemetryConfig {
  /** The full URL that spans are posted to. */
  readonly url: string;
  readonly protocol: 'http/protobuf' | 'http/json';
  /** Headers sent along, such as the receiver's API key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly sampler: SamplerName;
  /** For the samplers by ratio, 0 to 1. */
  readonly ratio: number;
}

/** The packages that a user who wants spans installs. */
const PACKAGES = [
  '@opentelemetry/api',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/resources',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/exporter-trace-otlp-http',
];
/** How long a stop waits until the last spans are sent, ms. */
const FAREWELL = 3_000;

export interface Telemetry extends AsyncDisposable {
  /** Wraps an observer so that everything it observes also becomes a span. */
  readonly traced: (observer: Observer) => Observer;
}

const NONE: Telemetry = { traced: (observer) => observer, async [Symbol.asyncDispose]() {} };

/**
 * @param warn called when spans are configured but unavailable: the server runs all the same
 */
export async function openTelemetry(
  config: TelemetryConfig | null,
  warn: (message: string, error: unknown) => void,
): Promise<Telemetry> {
  if (config === null) return NONE;
  try {
    return await start(config);
  } catch (error) {
    warn(`no spans are sent: OpenTelemetry cannot be loaded. npm install ${PACKAGES.join(' ')}`, error);
    return NONE;
  }
}

async function start(config: TelemetryConfig): Promise<Telemetry> {
  const [
    api,
    sdk,
    { defaultResource, detectResources, resourceAttributesEnvDetector, resourceFromAttributes },
    exporter,
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    config.protocol === 'http/json'
      ? import('@opentelemetry/exporter-trace-otlp-http')
      : import('@opentelemetry/exporter-trace-otlp-proto'),
  ]);
  const { url, headers, serviceName } = config;
  const provider = new sdk.TracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector] }))
      .merge(resourceFromAttributes({ 'service.name': serviceName })),
    sampler: samplerOf(sdk, config),
    spanProcessors: [
      new sdk.BatchSpanProcessor({ exporter: new exporter.OTLPTraceExporter({ url, headers: { ...headers } }) }),
    ],
  });
  const tracer = provider.getTracer('platen');
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace: spans } = api;

  const contextOf = ({ traceparent, tracestate }: Trace): Context => {
    if (traceparent === null) return ROOT_CONTEXT;
    const { traceId, spanId, isSampled } = parseTraceparent(traceparent);
    const traceState = tracestate === null ? {} : { traceState: api.createTraceState(tracestate) };
    const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
    return spans.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true, ...traceState });
  };
  const kinds = {
    request: SpanKind.SERVER,
    job: SpanKind.CONSUMER,
    webhook: SpanKind.CLIENT,
    stage: SpanKind.INTERNAL,
  } as const;
  const begin = (operation: TracedOperation, parent: Trace): Span => {
    const { requestId, clientRequestId } = parent;
    const client = clientRequestId === null ? {} : { 'platen.client_request_id': clientRequestId };
    const attributes = { ...attributesOf(operation), 'platen.request_id': requestId, ...client };
    return tracer.startSpan(nameOf(operation), { kind: kinds[operation.kind], attributes }, contextOf(parent));
  };

  return {
    traced: (observer) => ({
      begin(operation, parent): Observed {
        const counted = observer.begin(operation, parent);
        const span = begin(operation, parent);
        return {
          trace: { ...parent, traceparent: traceparentOf(span.spanContext()) },
          end(ending) {
            counted.end(ending);
            const { error, name, attributes = {} } = ending;
            if (name !== undefined) span.updateName(name);
            span.setAttributes(attributes as Attributes);
            const isFailed = error !== null || Number(attributes['http.response.status_code'] ?? 0) >= 500;
            // An error's message may quote the caller's input, so only its type is sent; the log has the rest.
            if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
            if (error instanceof Error) span.setAttribute('error.type', codeOf(error));
            span.end();
          },
        };
      },
      record(stage, parent) {
        observer.record(stage, parent);
        const startTime = stage.start;
        tracer.startSpan(stage.stage, { startTime }, contextOf(parent)).end(startTime + stage.took);
      },
    }),
    async [Symbol.asyncDispose]() {
      // A receiver that does not accept the last spans is no failure.
      await endsWithin(
        FAREWELL,
        provider.shutdown().catch(() => {}),
      );
    },
  };
}

function samplerOf(sdk: typeof import('@opentelemetry/sdk-trace'), { sampler, ratio }: TelemetryConfig): Sampler {
  const root = sampler.endsWith('always_on')
    ? new sdk.AlwaysOnSampler()
    : sampler.endsWith('always_off')
      ? new sdk.AlwaysOffSampler()
      : new sdk.TraceIdRatioBasedSampler(ratio);
  return sampler.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root;
}

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext) =>
  formatTraceparent({ traceId, spanId, isSampled: (traceFlags & 1) === 1 });

const codeOf = (error: Error) => ('code' in error ? String(error.code) : error.name);

function nameOf(operation: TracedOperation): string {
  if (operation.kind === 'request') return operation.method;
  return operation.kind === 'stage' ? operation.stage : operation.kind;
}

function attributesOf(operation: TracedOperation): Readonly<Record<string, string | number>> {
  switch (operation.kind) {
    case 'job':
      return { 'platen.job': operation.job, 'platen.attempt': operation.attempt };
    case 'webhook':
      return { 'platen.delivery': operation.delivery };
    default:
      return {};
  }
}
