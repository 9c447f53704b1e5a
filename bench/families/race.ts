// Races renderers on families, in turns, each in its own process, and reports medians of wall and CPU time.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeAlbum } from '../assets.ts';
import type { Output } from '../peers/peer.ts';
import { reasonOf, startRunners } from '../race.ts';
import { median, randomFrom, shuffled } from '../statistics.ts';
import { openFamily } from './family-list.ts';

export interface FamilyRace {
  readonly families: readonly string[];
  readonly outputs: readonly Output[];
  /** null = the family's own number. */
  readonly rounds: number | null;
  readonly seed: number;
  /** A folder for the first pictures of each, or null. */
  readonly look: string | null;
  readonly warn: (line: string) => void;
  readonly progress: (line: string) => void;
}

export interface FamilyRow {
  readonly family: string;
  readonly output: Output;
  readonly renderer: string;
  /** Medians of one render. */
  readonly ms: number;
  readonly cpuMs: number;
  /** Means, in which a few expensive renders show. */
  readonly meanMs: number;
  readonly meanCpuMs: number;
  readonly bytes: number;
}

/** Number of pictures to keep for inspection. */
const LOOKS = 6;

export async function raceFamilies(race: FamilyRace): Promise<FamilyRow[]> {
  await makeAlbum();
  if (race.look !== null) mkdirSync(race.look, { recursive: true });
  const rows: FamilyRow[] = [];
  for (const name of race.families) {
    for (const output of openFamily(name, race.seed).outputs) {
      if (race.outputs.includes(output)) rows.push(...(await raceFamily(name, output, race)));
      race.progress(`${name} ${output}: done`);
    }
  }
  return rows;
}

/** Uses new processes, so that no family benefits from another's warm state. */
async function raceFamily(name: string, output: Output, race: FamilyRace): Promise<FamilyRow[]> {
  const family = openFamily(name, race.seed);
  const rounds = race.rounds ?? family.rounds;
  await using runners = await startRunners(family.renderers, race.warn);
  const random = randomFrom(race.seed);
  const times = runners.all.map((runner) => ({
    runner,
    ms: [] as number[],
    cpuMs: [] as number[],
    bytes: [] as number[],
  }));
  for (let i = 0; i < family.warmUp + rounds; i++) {
    for (const { runner, ms, cpuMs, bytes } of shuffled(times, random)) {
      const look =
        race.look !== null && i < LOOKS ? join(race.look, `${name}-${i}.${runner.renderer}.${output}`) : null;
      const answer = await runner.ask({ workload: name, seed: race.seed, output, i, look });
      if (answer.kind !== 'rendered') throw new Error(`${runner.renderer} failed on ${name} ${i}: ${reasonOf(answer)}`);
      if (i < family.warmUp) continue;
      ms.push(answer.ms);
      cpuMs.push(answer.cpuMs);
      bytes.push(answer.bytes);
    }
  }
  return times.map(({ runner, ms, cpuMs, bytes }) => ({
    family: name,
    output,
    renderer: runner.renderer,
    ms: rounded(median(ms)),
    cpuMs: rounded(median(cpuMs)),
    meanMs: rounded(mean(ms)),
    meanCpuMs: rounded(mean(cpuMs)),
    bytes: Math.round(median(bytes)),
  }));
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const rounded = (ms: number) => Math.round(ms * 100) / 100;

/** Chromium works in processes other than the measured one. */
const MEASURED_OUTSIDE = new Set(['chromium']);

export function printFamilies(rows: readonly FamilyRow[]): void {
  console.log('ms of one render; × is how many times as long as platen takes; cpu is processor time\n');
  console.log('| family | output | renderer | ms | × | mean | × | cpu | × | mean | × | KB |');
  console.log('|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|');
  for (const row of rows) {
    const ours = rows.find(
      ({ family, output, renderer }) => family === row.family && output === row.output && renderer === 'platen',
    );
    const cells = (['ms', 'meanMs', 'cpuMs', 'meanCpuMs'] as const).flatMap((key) =>
      key.toLowerCase().includes('cpu') && MEASURED_OUTSIDE.has(row.renderer)
        ? ['–', '–']
        : [row[key].toFixed(1), ours ? (row[key] / ours[key]).toFixed(2) : ''],
    );
    console.log(`| ${[row.family, row.output, row.renderer, ...cells, (row.bytes / 1000).toFixed(1)].join(' | ')} |`);
  }
}
