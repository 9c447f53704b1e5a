// Measures the first render of a template, with nothing of it cached: a process that has drawn another template renders
// it once, and is ended.

import { startRunner } from './race.ts';
import { median } from './statistics.ts';

export interface FirstRender {
  readonly workload: string;
  readonly renderer: string;
  /** Median of the first renders of all processes. */
  readonly ms: number;
}

const RENDERERS = ['platen', 'takumi'];
const WORKLOADS = ['photo-card', 'dense-card'];
/** Renders of the other template, to compile the code that both need. */
const WARM_UP = 8;

export async function measureFirstRenders(rounds: number): Promise<FirstRender[]> {
  const rows: FirstRender[] = [];
  for (const workload of WORKLOADS) {
    const times = new Map(RENDERERS.map((renderer) => [renderer, [] as number[]]));
    for (let round = 0; round < rounds; round++) {
      for (const [renderer, ms] of times) ms.push(await firstRender(renderer, workload));
    }
    for (const [renderer, ms] of times) rows.push({ workload, renderer, ms: Math.round(median(ms) * 10) / 10 });
  }
  return rows;
}

async function firstRender(renderer: string, workload: string): Promise<number> {
  await using runner = await startRunner(renderer);
  for (let i = 0; i < WARM_UP; i++) await runner.ask({ workload: 'simple-card', output: 'png', i, look: null });
  const answer = await runner.ask({ workload, output: 'png', i: WARM_UP, look: null });
  if (answer.kind !== 'rendered') throw new Error(`${renderer} failed on ${workload}`);
  return answer.ms;
}
