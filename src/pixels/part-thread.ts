// A thread of part-threads.ts: takes parts of a picture until none is left, and hands back what it made of them.

import { parentPort } from 'node:worker_threads';
import { type Part, type PartJob, type PartReport, takeParts } from './take-parts.ts';

const bufferOf = (part: Part) => (part instanceof Uint8Array ? part : part.chunk).buffer as ArrayBuffer;

parentPort?.on('message', (job: PartJob) => {
  const report: PartReport = [...takeParts(job)];
  parentPort?.postMessage(
    report,
    report.flatMap(([, part]) => (part ? [bufferOf(part)] : [])),
  );
});
parentPort?.postMessage('ready');
