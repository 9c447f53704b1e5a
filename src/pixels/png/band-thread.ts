// A thread of band-threads.ts: takes bands of a picture until none is left, and hands back what it made of them.

import { parentPort } from 'node:worker_threads';
import { type BandJob, type BandReport, takeBands } from './take-bands.ts';

parentPort?.on('message', (job: BandJob) => {
  const report: BandReport = [...takeBands(job)];
  parentPort?.postMessage(
    report,
    report.flatMap(([, band]) => (band ? [band.chunk.buffer as ArrayBuffer] : [])),
  );
});
parentPort?.postMessage('ready');
