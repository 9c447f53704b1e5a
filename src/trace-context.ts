// The headers that say which request and which trace something belongs to: read, checked, written.
//
// W3C Trace Context, https://www.w3.org/TR/trace-context/ (level 1): what does not fit its grammar is ignored, as it asks.

import { randomBytes } from 'node:crypto';
import type { Trace } from './trace.ts';

/** Letters of UUIDs, ULIDs, base64 and addresses; nothing that a header or a log line would have to escape. */
const REQUEST_ID = /^[A-Za-z0-9_.:+/=@-]{1,128}$/;
/** Version 00, or a later one that begins likewise; ids of zeros alone are none. */
const TRACEPARENT =
  /^(?:00(?=.{53}$)|(?!00|ff)[0-9a-f]{2})(-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(?:$|-)/;
/** Printable ASCII; what it means is its vendor's. */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** The parts of a `traceparent` that was checked. */
export interface TraceParent {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** @param header a request's, by its name in small letters; '' = absent */
export function readTrace(header: (name: string) => string): Trace {
  const requestId = header('x-request-id');
  const known = TRACEPARENT.exec(header('traceparent'));
  // As version 00, which is all that we know of it.
  const traceparent = known ? `00${known[1]}` : null;
  const tracestate = header('tracestate');
  return {
    requestId: REQUEST_ID.test(requestId) ? requestId : newRequestId(),
    traceparent,
    tracestate: traceparent !== null && TRACESTATE.test(tracestate) ? tracestate : null,
  };
}

const PROCESS = randomBytes(9).toString('base64url');
let requests = 0;

/** Unique, and in the order of coming where one process made them; no secret. */
export function newRequestId(): string {
  requests += 1;
  return `req_${PROCESS}${requests.toString(36).padStart(6, '0')}`;
}

export function parseTraceparent(traceparent: string): TraceParent {
  const [, traceId = '', spanId = '', flags = '0'] = traceparent.split('-');
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const formatTraceparent = ({ traceId, spanId, isSampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** What is sent on to whoever is told of the outcome. */
export function traceHeaders(trace: Trace | null): Readonly<Record<string, string>> {
  if (trace === null) return {};
  const { requestId, traceparent, tracestate } = trace;
  return {
    'x-request-id': requestId,
    ...(traceparent === null ? {} : { traceparent }),
    ...(tracestate === null ? {} : { tracestate }),
  };
}

/** What a log line says of it, by the names of OpenTelemetry's log correlation. */
export function traceFields(trace: Trace | null): Readonly<Record<string, string>> {
  if (trace === null) return {};
  const { requestId, traceparent } = trace;
  if (traceparent === null) return { request_id: requestId };
  const { traceId, spanId } = parseTraceparent(traceparent);
  return { request_id: requestId, trace_id: traceId, span_id: spanId };
}
