// `npm run bench`: Platen and its peers on the same three pictures, in one run, on this machine.
//
//   --json             prints {"rows": [{workload, output, renderer, ms, bytes}]} and nothing else
//   --n N              renders that count, of each workload and output (25)
//   --seed S           of the order in which the renderers take turns (1)
//   --workload, --output, --renderer NAME   only these; may be repeated
//   --look DIR         leaves one picture of each there: look at them, a race over different pictures is none

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { RENDERERS } from './child.ts';
import type { Output } from './peers/peer.ts';
import { type Row, run } from './race.ts';
import { WORKLOADS } from './workloads.ts';

const OUTPUTS: readonly Output[] = ['png', 'jpeg', 'webp', 'pdf'];
const PACKAGES = ['satori', '@resvg/resvg-js', '@takumi-rs/core', 'puppeteer', 'sharp'];

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    n: { type: 'string', default: '25' },
    seed: { type: 'string', default: '1' },
    workload: { type: 'string', multiple: true },
    output: { type: 'string', multiple: true },
    renderer: { type: 'string', multiple: true },
    look: { type: 'string' },
  },
});

/** @throws when a name is not among those there are */
function chosen<T extends string>(
  option: string,
  names: readonly string[] | undefined,
  all: readonly T[],
): readonly T[] {
  const wrong = names?.find((name) => !all.some((known) => known === name));
  if (wrong !== undefined) throw new Error(`--${option} ${wrong}: must be one of ${all.join(', ')}`);
  return names ? all.filter((known) => names.includes(known)) : all;
}

function whole(option: 'n' | 'seed'): number {
  const number = Number(values[option]);
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`--${option} ${values[option]}: must be a whole number from 1`);
  return number;
}

function printEnvironment(): void {
  const require = createRequire(import.meta.url);
  const version = (name: string) => {
    try {
      const manifest = require.resolve(name).replace(/(.*node_modules\/(?:@[^/]+\/)?[^/]+)\/.*/, '$1/package.json');
      return `${name} ${JSON.parse(readFileSync(manifest, 'utf8')).version}`;
    } catch {
      return `${name} (not installed)`;
    }
  };
  console.log(
    `node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model.trim()}, ${process.platform}-${process.arch}`,
  );
  console.log(`${PACKAGES.map(version).join(', ')}`);
  console.log(`${values.n} renders each after 4 to warm up, medians; "×" is how many times as long as platen takes\n`);
}

function printTable(rows: readonly Row[]): void {
  const ours = (row: Row) =>
    rows.find((other) => other.renderer === 'platen' && other.workload === row.workload && other.output === row.output);
  console.log(`| workload | output | renderer | ms | × | KB |\n|---|---|---|--:|--:|--:|`);
  for (const row of rows) {
    const ratio = row.ms / (ours(row)?.ms ?? Number.NaN);
    const shown = [row.ms.toFixed(1), Number.isNaN(ratio) ? '' : ratio.toFixed(2), (row.bytes / 1000).toFixed(1)];
    console.log(`| ${[row.workload, row.output, row.renderer, ...shown].join(' | ')} |`);
  }
}

const log = (line: string) => console.error(line);

if (!values.json) printEnvironment();
const rows = await run({
  workloads: chosen(
    'workload',
    values.workload,
    WORKLOADS.map(({ name }) => name),
  ),
  outputs: chosen('output', values.output, OUTPUTS),
  renderers: chosen('renderer', values.renderer, RENDERERS),
  rounds: whole('n'),
  warmUp: 4,
  seed: whole('seed'),
  look: values.look ?? null,
  log,
});
if (values.json) console.log(JSON.stringify({ rows }));
else printTable(rows);
