// Tests which trace headers of a request are accepted (W3C Trace Context, section 3), and what they lead to.

import { expect, test } from 'vitest';
import {
  formatTraceparent,
  parseTraceparent,
  readTrace,
  traceFields,
  traceHeaders,
} from '#server/observability/trace-context.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const read = (headers: Readonly<Record<string, string>>) => readTrace((name) => headers[name] ?? '');

test.each([
  ['a1', 'a1'],
  ['01HZX3K9Q2M4N5P6R7S8T9V0W1', '01HZX3K9Q2M4N5P6R7S8T9V0W1'],
  ['Root=1-67891233-abcdef012345678912345678', 'Root=1-67891233-abcdef012345678912345678'],
  ['a'.repeat(128), 'a'.repeat(128)],
])('the client’s request id %j is kept beside ours', (sent, kept) => {
  const { requestId, clientRequestId } = read({ 'x-request-id': sent });
  expect(clientRequestId).toBe(kept);
  expect(requestId).toMatch(/^req_[\w-]{18}$/);
});

test.each(['', 'a b', 'a"b', '<script>', 'é', 'a'.repeat(129), 'a\nb', '{}', 'a,b'])(
  'the request id %j is not',
  (sent) => expect(read({ 'x-request-id': sent }).clientRequestId).toBeNull(),
);

test('ids that are made differ', () => {
  expect(new Set(Array.from({ length: 1_000 }, () => read({}).requestId)).size).toBe(1_000);
});

function checkParent(sent: string, expected: string | null): void {
  expect(read({ traceparent: sent }).traceparent).toBe(expected);
}

test('a traceparent is kept', () => checkParent(`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`));
test('not sampled', () => checkParent(`00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`));
test('of a later version: what we know of it', () =>
  checkParent(`cc-${TRACE}-${SPAN}-01-what`, `00-${TRACE}-${SPAN}-01`));
test('of a later version, no longer than ours', () => checkParent(`cc-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`));
test('version 00 ends where it ends', () => checkParent(`00-${TRACE}-${SPAN}-01-what`, null));
test('version ff is none', () => checkParent(`ff-${TRACE}-${SPAN}-01`, null));
test('a trace of zeros is none', () => checkParent(`00-${'0'.repeat(32)}-${SPAN}-01`, null));
test('a span of zeros is none', () => checkParent(`00-${TRACE}-${'0'.repeat(16)}-01`, null));
test('capitals are none', () => checkParent(`00-${TRACE.toUpperCase()}-${SPAN}-01`, null));
test('too short', () => checkParent(`00-${TRACE}-${SPAN}-1`, null));
test('a later version that goes on without a dash', () => checkParent(`cc-${TRACE}-${SPAN}-01what`, null));

test('a tracestate is kept beside a traceparent alone, up to 512 characters', () => {
  const traceparent = `00-${TRACE}-${SPAN}-01`;
  expect(read({ traceparent, tracestate: 'a=1,b=2' }).tracestate).toBe('a=1,b=2');
  expect(read({ tracestate: 'a=1' }).tracestate).toBeNull();
  expect(read({ traceparent, tracestate: 'a'.repeat(513) }).tracestate).toBeNull();
  expect(read({ traceparent, tracestate: 'é' }).tracestate).toBeNull();
});

test('sent on, and told in log lines', () => {
  const trace = read({ 'x-request-id': 'r', traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'a=1' });
  const { requestId } = trace;
  expect(traceHeaders(trace)).toEqual({
    'x-request-id': requestId,
    'x-client-request-id': 'r',
    traceparent: `00-${TRACE}-${SPAN}-01`,
    tracestate: 'a=1',
  });
  const ids = { request_id: requestId, client_request_id: 'r' };
  expect(traceFields(trace)).toEqual({ ...ids, trace_id: TRACE, span_id: SPAN });
  expect(traceFields({ ...trace, traceparent: null })).toEqual(ids);
  expect(traceFields({ ...trace, traceparent: null, clientRequestId: null })).toEqual({ request_id: requestId });
  expect([traceHeaders(null), traceFields(null)]).toEqual([{}, {}]);
});

test('taken apart and put together', () => {
  for (const flags of ['00', '01']) {
    const traceparent = `00-${TRACE}-${SPAN}-${flags}`;
    expect(formatTraceparent(parseTraceparent(traceparent))).toBe(traceparent);
  }
});
