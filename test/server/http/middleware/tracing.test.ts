// Tests request ids and traces in answers, log lines, jobs and webhooks, and the histograms of durations.

import { expect, test, vi } from 'vitest';
import { receiver } from '../../../webhook-receiver.ts';
import { SHAPES, serverUnderTest } from '../server-under-test.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const TRACEPARENT = `00-${TRACE}-${SPAN}-01`;

const linesOf = (logged: string) =>
  logged
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('every answer tells the id of its request, which is never the caller’s', async () => {
  await using server = await serverUnderTest();
  const idOf = async (path: string, headers = {}, key: string | null = server.key) =>
    (await server.ask(path, { headers, key })).headers['x-request-id'];
  expect(await idOf('/v1/account', { 'x-request-id': 'abc-1' })).toMatch(/^req_/);
  expect(linesOf(server.logged()).at(-1)).toMatchObject({ client_request_id: 'abc-1' });
  expect(await idOf('/v1/account', { 'x-request-id': 'no good' })).toMatch(/^req_/);
  expect(await idOf('/v1/nothing')).toMatch(/^req_/);
  expect(await idOf('/v1/account', {}, null)).toMatch(/^req_/);
  expect(await idOf('/healthz')).toMatch(/^req_/);
});

test('a job and its webhook belong to the request that asked for it, also after a restart', async () => {
  await using hook = await receiver();
  const env = { PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' };
  await using server = await serverUnderTest(env);
  const { id: template } = await server.services.templates.create(server.account, SHAPES);
  const headers = { 'x-request-id': 'order-7', traceparent: TRACEPARENT, tracestate: 'a=1' };
  const json = { template, webhookUrl: hook.url };
  const { status, json: job, headers: answered } = await server.ask('/v1/renders', { method: 'POST', headers, json });
  expect(status).toBe(202);
  const [sent] = await hook.received(1);
  const ids = { 'x-request-id': answered['x-request-id'], 'x-client-request-id': 'order-7' };
  expect(sent?.headers).toMatchObject({ ...ids, traceparent: TRACEPARENT, tracestate: 'a=1' });
  const about = () => linesOf(server.logged()).filter(({ request_id }) => request_id === ids['x-request-id']);
  await vi.waitFor(() => expect(about().map(({ msg }) => msg)).toEqual(['request', 'job', 'webhook']));
  for (const line of about()) {
    expect(line).toMatchObject({ client_request_id: 'order-7', trace_id: TRACE, span_id: SPAN });
  }
  expect(about()[1]).toMatchObject({ job: job.id, status: 'done' });

  await server.services.deliveries.replay(String(sent?.headers['webhook-id']));
  await server.restart(env);
  const again = await hook.received(2);
  expect(again[1]?.headers).toMatchObject({ ...ids, traceparent: TRACEPARENT });
});

test('histograms by class of routes, stage and queue', async () => {
  await using server = await serverUnderTest({ PLATEN_METRICS_PORT: '0' });
  const { id: template } = await server.services.templates.create(server.account, SHAPES);
  await server.post('/v1/renders', { template });
  const { json: job } = await server.post('/v1/renders', { template, async: true });
  const done = async () => (await server.ask(`/v1/renders/${job.id}`)).json.status;
  await expect.poll(done, { interval: 20, timeout: 10_000 }).toBe('done');
  await server.post('/v1/renders', { template: 'tpl_none' });
  const text = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text();
  const lines = text.split('\n');
  for (const line of [
    '# TYPE platen_http_request_seconds histogram',
    'platen_http_request_seconds_bucket{route="render",code="2xx",le="+Inf"} 1',
    'platen_http_request_seconds_count{route="render",code="4xx"} 1',
    'platen_http_request_seconds_count{route="job",code="2xx"} 1',
    'platen_queue_wait_seconds_count{queue="admission"} 2',
    'platen_queue_wait_seconds_count{queue="jobs"} 1',
    'platen_job_seconds_count 1',
    ...['find', 'check'].map((stage) => `platen_stage_seconds_count{stage="${stage}"} ${stage === 'find' ? 3 : 2}`),
    ...['resolve', 'load', 'compose', 'export'].map((stage) => `platen_stage_seconds_count{stage="${stage}"} 2`),
    'platen_stage_seconds_count{stage="store"} 1',
    'platen_page_queue_oldest_seconds 0',
  ]) {
    expect(lines).toContain(line);
  }
  const buckets = lines.filter((line) =>
    line.startsWith('platen_http_request_seconds_bucket{route="render",code="2xx"'),
  );
  const counts = buckets.map((line) => Number(line.split(' ').at(-1)));
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(buckets.map((line) => /le="([^"]+)"/.exec(line)?.[1])).toEqual([
    ...['0.005', '0.01', '0.025', '0.05', '0.1', '0.25', '0.5', '1', '2.5', '5', '10', '30', '+Inf'],
  ]);
});
