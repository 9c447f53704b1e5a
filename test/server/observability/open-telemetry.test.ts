// Tests the spans of a request, its stages, a job and its webhook, as an OTLP receiver gets them.

import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { observed, UNOBSERVED } from '#base/trace.ts';
import { openTelemetry } from '#server/observability/open-telemetry.ts';
import { loadConfig } from '../../../src/server/config/config.ts';
import { serve } from '../../listen.ts';
import { receiver } from '../../webhook-receiver.ts';
import { SHAPES, serverUnderTest } from '../http/server-under-test.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: { readonly code?: number };
}

interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly posts: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer }[];
  /** The spans of all posts with a JSON body. */
  readonly spans: () => Span[];
}

async function collector(): Promise<Collector> {
  const posts: Collector['posts'] = [];
  const server = await serve(async (request, response) => {
    posts.push({ path: request.url ?? '', headers: request.headers, body: await buffer(request) });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return {
    ...server,
    posts,
    spans: () =>
      posts
        .map(({ body }) => JSON.parse(body.toString()))
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans),
  };
}

const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

test('a request, its stages, its job and its webhook are one trace', async () => {
  await using collected = await collector();
  await using hook = await receiver();
  const server = await serverUnderTest({
    PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
    OTEL_EXPORTER_OTLP_ENDPOINT: collected.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=a%20b',
    OTEL_SERVICE_NAME: 'pictures',
  });
  {
    await using _server = server;
    const { id: template } = await server.services.templates.create(server.account, SHAPES);
    const headers = { traceparent: `00-${TRACE}-${CALLER}-01`, tracestate: 'a=1', 'x-request-id': 'order-7' };
    const ask = (json: object) => server.ask('/v1/renders', { method: 'POST', headers, json });
    expect((await ask({ template })).status).toBe(200);
    expect((await ask({ template, webhookUrl: hook.url })).status).toBe(202);
    await hook.received(1);
    expect((await server.ask('/healthz', { headers: { traceparent: `00-${TRACE}-${CALLER}-00` } })).status).toBe(200);
    await vi.waitFor(() => expect(server.logged()).toContain('"msg":"webhook"'));
  }
  const [post] = collected.posts;
  expect(post).toMatchObject({ path: '/v1/traces', headers: { 'x-api-key': 'a b' } });
  expect(post?.body.toString()).toContain('"pictures"');

  const spans = collected.spans();
  const named = (name: string) => spans.filter((span) => span.name === name);
  const [sync, accepted] = named('POST /v1/renders');
  // Its caller did not sample it.
  expect(named('GET /healthz')).toEqual([]);
  for (const span of spans) expect([span.traceId, span.status.code ?? 0]).toEqual([TRACE, 0]);
  expect(sync).toMatchObject({ parentSpanId: CALLER, kind: 2 });
  expect(attributesOf(sync as Span)).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/v1/renders',
    'http.response.status_code': 200,
    'platen.request_id': expect.stringMatching(/^req_/),
    'platen.client_request_id': 'order-7',
  });
  const stages = spans.filter(({ parentSpanId }) => parentSpanId === sync?.spanId);
  expect(stages.map(({ name }) => name).sort()).toEqual(
    ['check', 'compose', 'export', 'find', 'load', 'reserve', 'resolve', 'store', 'wait'].sort(),
  );
  for (const { startTimeUnixNano, endTimeUnixNano } of stages) {
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
    // All threads' times refer to one clock; their clocks may differ by 5 ms.
    expect(BigInt(startTimeUnixNano) + 5_000_000n).toBeGreaterThan(BigInt(sync?.startTimeUnixNano ?? 0));
  }
  const [job] = named('job');
  expect(job).toMatchObject({ parentSpanId: accepted?.spanId, kind: 5 });
  const [webhook] = named('webhook');
  expect(webhook).toMatchObject({ parentSpanId: job?.spanId, kind: 3 });
  expect(hook.requests[0]?.headers).toMatchObject({
    traceparent: `00-${TRACE}-${webhook?.spanId}-01`,
    tracestate: 'a=1',
  });
  const ofJob = spans.filter(({ parentSpanId }) => parentSpanId === job?.spanId).map(({ name }) => name);
  expect(ofJob).toEqual(expect.arrayContaining(['find', 'check', 'resolve', 'export']));
});

const environment = (env: Readonly<Record<string, string>>) =>
  loadConfig({ PLATEN_DATA: '/nowhere', ...env }).telemetry;

test('protobuf unless it is asked for JSON; a failure is marked, in no words', async () => {
  await using collected = await collector();
  const problems: string[] = [];
  const telemetry = await openTelemetry(environment({ OTEL_EXPORTER_OTLP_ENDPOINT: collected.url }), (message) =>
    problems.push(message),
  );
  const observer = telemetry.traced(UNOBSERVED);
  const trace = { requestId: 'r', clientRequestId: null, traceparent: null, tracestate: null };
  const failing = observed(observer, { kind: 'stage', stage: 'store' }, trace, async () => {
    throw new Error('a secret');
  });
  await expect(failing).rejects.toThrow('a secret');
  await telemetry[Symbol.asyncDispose]();
  expect(problems).toEqual([]);
  expect(collected.posts[0]?.headers['content-type']).toBe('application/x-protobuf');
  const body = collected.posts[0]?.body.toString('latin1');
  expect(body).toContain('store');
  expect(body).not.toContain('secret');
});

test('a receiver that is not there hinders nobody, at the end neither', async () => {
  const telemetry = await openTelemetry(environment({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }), () => {});
  const trace = { requestId: 'r', clientRequestId: null, traceparent: null, tracestate: null };
  const work = async () => 7;
  expect(await observed(telemetry.traced(UNOBSERVED), { kind: 'request', method: 'GET' }, trace, work)).toBe(7);
  await telemetry[Symbol.asyncDispose]();
});

test('nothing is sent unless an endpoint is set, or where it is disabled', () => {
  expect(environment({})).toBeNull();
  expect(environment({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'true' })).toBeNull();
  expect(environment({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c:4318/spans' })).toMatchObject({
    url: 'http://c:4318/spans',
    protocol: 'http/protobuf',
    serviceName: 'platen',
    sampler: 'parentbased_always_on',
  });
  expect(() => environment({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow(
    'OTEL_EXPORTER_OTLP_PROTOCOL: must be http/',
  );
  expect(() => environment({ OTEL_EXPORTER_OTLP_HEADERS: 'nothing' })).toThrow(
    'OTEL_EXPORTER_OTLP_HEADERS: must be pairs',
  );
});
