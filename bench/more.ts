// The additional measurements of `npm run bench -- --more`.

import { type FirstRender, measureFirstRenders } from './first-render.ts';
import { type Growth, measureGrowth } from './growth.ts';
import {
  type Endurance,
  measureEndurance,
  measureOverhead,
  measureThroughput,
  type Overhead,
  type Throughput,
} from './http.ts';
import { type AddedCost, type HitCost, measureAdded, measureHits } from './server-cost.ts';

export interface More {
  readonly firstRenders: readonly FirstRender[];
  readonly throughput: readonly Throughput[];
  readonly overhead: readonly Overhead[];
  readonly hits: readonly HitCost[];
  readonly added: readonly AddedCost[];
  readonly endurance: Endurance;
  readonly growth: readonly Growth[];
}

const TURNS = 9;
const RENDERS = 10_000;

export async function measureMore(rounds: number): Promise<More> {
  return {
    firstRenders: await measureFirstRenders(Math.min(rounds, 9)),
    throughput: await measureThroughput(TURNS),
    overhead: await measureOverhead(rounds),
    hits: await measureHits(TURNS),
    added: await measureAdded(TURNS),
    endurance: await measureEndurance(RENDERS),
    growth: await measureGrowth(Math.min(rounds, 5)),
  };
}
