// Parses the column `trace` of jobs and deliveries: JSON that another node, of any version, may have written.

import type { Trace } from '#base/trace.ts';

export function parseTrace(text: string | null): Trace | null {
  if (text === null) return null;
  const { requestId, clientRequestId, traceparent, tracestate }: Partial<Trace> = JSON.parse(text);
  return {
    requestId: requestId ?? '',
    clientRequestId: clientRequestId ?? null,
    traceparent: traceparent ?? null,
    tracestate: tracestate ?? null,
  };
}
