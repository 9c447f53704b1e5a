// Reads, checks and writes the headers that identify a request and its trace.
//
// W3C Trace Context, https://www.w3.org/TR/trace-context/ (level 1): as it demands, values that do not match its
// grammar are ignored.

import { randomBytes } from 'node:crypto';
import type { Trace } from '#base/trace.ts';

/** Characters of UUIDs, ULIDs, base64 and addresses; none that needs escaping in a header or log line. */
const REQUEST_ID = /^[A-Za-z0-9_.:+/=@-]{1,128}$/;
/** Version 00, or a later one with the same beginning; ids of only zeros are invalid. */
const TRACEPARENT =
  /^(?:00(?=.{53}$)|(?!00|ff)[0-9a-f]{2})(-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(?:$|-)/;
/** Printable ASCII; its meaning is up to the vendor. */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** The parts of a valid `traceparent`. */
export interface TraceParent {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

/**
 * @param header returns a request's header by its lower-case name; '' = absent
 */
export function readTrace(header: (name: string) => string): Trace {
  const given = header('x-request-id');
  const known = TRACEPARENT.exec(header('traceparent'));
  // Reduced to version 00, the only version known here.
  const traceparent = known ? `00${known[1]}` : null;
  const tracestate = header('tracestate');
  return {
    // Never the client's: it could file its acts under another request.
    requestId: newRequestId(),
    clientRequestId: REQUEST_ID.test(given) ? given : null,
    traceparent,
    tracestate: traceparent !== null && TRACESTATE.test(tracestate) ? tracestate : null,
  };
}

const PROCESS = randomBytes(9).toString('base64url');
let requests = 0;

/** Unique, and ascending within one process; not secret. */
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

/** Headers for requests that belong to the trace. */
export function traceHeaders(trace: Trace | null): Readonly<Record<string, string>> {
  if (trace === null) return {};
  const { requestId, clientRequestId, traceparent, tracestate } = trace;
  return {
    'x-request-id': requestId,
    ...(clientRequestId === null ? {} : { 'x-client-request-id': clientRequestId }),
    ...(traceparent === null ? {} : { traceparent }),
    ...(tracestate === null ? {} : { tracestate }),
  };
}

/** Fields of a log line, named as in OpenTelemetry's log correlation. */
export function traceFields(trace: Trace | null): Readonly<Record<string, string>> {
  if (trace === null) return {};
  const { requestId, clientRequestId, traceparent } = trace;
  const ids = { request_id: requestId, ...(clientRequestId === null ? {} : { client_request_id: clientRequestId }) };
  if (traceparent === null) return ids;
  const { traceId, spanId } = parseTraceparent(traceparent);
  return { ...ids, trace_id: traceId, span_id: spanId };
}
