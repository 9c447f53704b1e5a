// A thread of band-threads.ts: takes bands of a picture until none is left, and hands back what it made of them.

import { parentPort } from 'node:worker_threads';
import { type Band, BandEncoder } from './band-encoder.ts';
import type { BandJob, BandReport } from './band-threads.ts';

/** The counter of a picture that nobody needs to go on with. */
const OVER = 1 << 30;

function takeBands({ raster, channels, next }: BandJob): BandReport {
  const encoder = new BandEncoder(raster, channels);
  const bands: (readonly [number, Band])[] = [];
  for (;;) {
    const index = Atomics.add(next, 0, 1);
    if (index >= encoder.count) return bands;
    const band = encoder.encode(index);
    if (!band) {
      Atomics.store(next, 0, OVER);
      return null;
    }
    bands.push([index, band]);
  }
}

parentPort?.on('message', (job: BandJob) => {
  const report = takeBands(job);
  parentPort?.postMessage(report, report?.map(([, { piece }]) => piece.buffer as ArrayBuffer) ?? []);
});
parentPort?.postMessage('ready');
