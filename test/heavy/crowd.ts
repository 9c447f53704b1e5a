// Sends bursts of renders until its standard input ends: `node crowd.ts URL KEY TEMPLATE COUNT`. Each burst begins when
// all renders of the last one are answered. Prints a line of JSON for each burst.

import { request } from 'node:http';

const [url = '', key = '', template = '', count = ''] = process.argv.slice(2);

/** The result of a burst. */
export interface Burst {
  /** From the first request to the last answer, ms. */
  readonly ms: number;
  /** The number of answers by status; `0` = no answer. */
  readonly answers: Readonly<Record<string, number>>;
}

function render(title: string): Promise<number> {
  return new Promise((resolve) => {
    const body = JSON.stringify({ template, modifications: { title } });
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    request(`${url}/v1/renders`, { method: 'POST', agent: false, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    })
      .on('error', () => resolve(0))
      .end(body);
  });
}

let isOver = false;
process.stdin.on('end', () => {
  isOver = true;
});
process.stdin.resume();
for (let burst = 0; !isOver; burst += 1) {
  const start = performance.now();
  const statuses = await Promise.all(Array.from({ length: Number(count) }, (_, i) => render(`${burst}.${i}`)));
  const answers: Record<string, number> = {};
  for (const status of statuses) answers[status] = (answers[status] ?? 0) + 1;
  process.stdout.write(`${JSON.stringify({ ms: Math.round(performance.now() - start), answers })}\n`);
}
