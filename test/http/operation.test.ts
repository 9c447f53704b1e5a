// What an operator sees and sets: readiness, metrics, limits of rate.

import { expect, test } from 'vitest';
import { NOW, SHAPES, serverUnderTest } from './server-under-test.ts';

test('/readyz needs no key, and asks the database', async () => {
  await using server = await serverUnderTest();
  const { status, json } = await server.ask('/readyz', { key: null });
  expect([status, json]).toEqual([200, { status: 'ready' }]);
});

test('there are no metrics unless a port is set, and none on the API’s', async () => {
  await using server = await serverUnderTest();
  expect([server.metricsPort, (await server.ask('/metrics')).status]).toEqual([null, 404]);
});

test('metrics are on a port of their own, in the form of Prometheus', async () => {
  await using server = await serverUnderTest({ PLATEN_METRICS_PORT: '0' });
  const { id } = await server.services.templates.create(server.account, SHAPES);
  await server.ask('/v1/renders', { method: 'POST', json: { template: id, output: 'webp' } });
  await server.ask('/v1/nope');
  const answer = await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`);
  const text = await answer.text();
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  for (const line of [
    'platen_http_requests_total{status="200"} 1',
    'platen_http_requests_total{status="404"} 1',
    'platen_renders_total{output="webp",outcome="done"} 1',
    'platen_jobs{status="queued"} 0',
    'platen_gate_waiting{gate="drawing"} 0',
    'platen_variant_cache_bytes 0',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
  for (const line of text.trim().split('\n')) {
    expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [\d.e+-]+)$/);
  }
  expect(text).toMatch(/^process_resident_memory_bytes \d{8,}$/m);
  expect(text).toMatch(/^nodejs_eventloop_delay_seconds\{quantile="0.99"\} /m);
  expect(text).not.toContain(server.account);
  expect((await fetch(`http://127.0.0.1:${server.metricsPort}/v1/account`)).status).toBe(404);
});

test('429 with Retry-After beyond the limit, an account at a time, where one is set', async () => {
  const clock = { now: NOW };
  await using server = await serverUnderTest({ PLATEN_REQUESTS_PER_MINUTE: '3' }, { clock: () => clock.now });
  for (const status of [200, 200, 200, 429]) expect((await server.ask('/v1/account')).status).toBe(status);
  const { headers, json } = await server.ask('/v1/templates');
  expect([headers['retry-after'], json]).toEqual(['20', { error: 'Too many requests; try again in 20 s.' }]);
  expect((await server.ask('/v1/account', { key: server.otherKey })).status).toBe(200);
  expect((await server.ask('/healthz', { key: null })).status).toBe(200);
  clock.now = new Date(NOW.getTime() + 20_000);
  for (const status of [200, 429]) expect((await server.ask('/v1/account')).status).toBe(status);
});
