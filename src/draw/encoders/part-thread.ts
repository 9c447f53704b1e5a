// The worker of part-threads.ts: takes parts of a picture until none is left, and posts the results back.

import { parentPort } from 'node:worker_threads';
import { runToEnd } from '#core/steps.ts';
import { BandEncoder } from './png/band-encoder.ts';
import { type PartJob, type PartReport, takeParts } from './take-parts.ts';
import { type RowJob, type RowReport, takeRows } from './webp/take-rows.ts';

parentPort?.on('message', (job: PartJob | RowJob) => {
  if ('borders' in job) {
    const report = decideRows(job);
    hand(report, report?.rows.map(({ decisions }) => decisions) ?? []);
  } else {
    const report: PartReport = runToEnd(takeParts(new BandEncoder(job.raster, job.form), job));
    hand(
      report,
      report.flatMap(([, part]) => (part ? [part.bytes] : [])),
    );
  }
});
parentPort?.postMessage('ready');

function decideRows(job: RowJob): RowReport | null {
  const steps = takeRows(job);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    value?.sleep();
  }
}

/** Posts a report and transfers its bytes instead of copying them. */
function hand(report: unknown, bytes: readonly Uint8Array[]): void {
  parentPort?.postMessage(
    report,
    bytes.map(({ buffer }) => buffer as ArrayBuffer),
  );
}
