// A thread of part-threads.ts: takes parts of a picture until none is left, and hands back what it made of them.

import { parentPort } from 'node:worker_threads';
import { encoderOf, type PartJob, type PartReport, takeParts } from './take-parts.ts';

parentPort?.on('message', (job: PartJob) => {
  const report: PartReport = [...takeParts(encoderOf(job.wish), job)];
  parentPort?.postMessage(
    report,
    report.flatMap(([, part]) => (part ? [part.bytes.buffer as ArrayBuffer] : [])),
  );
});
parentPort?.postMessage('ready');
