// `npm run bench`: races Platen and its peers on the same three pictures, in one run, on this machine; then measures
// layout alone, and a page.
//
//   --json             prints only {"rows": [{workload, output, renderer, ms, bytes}], "layout": […],
//                      "screenshot": {…}}, with --more also "more"
//   --n N              counted renders of each workload and output (default 25; for families, their own number)
//   --seed S           seed of the order in which the renderers take turns (1)
//   --workload, --output, --renderer NAME   only these; may be repeated
//   --family NAME      instead, these families of workloads (bench/families), or all: CPU time too
//   --family edge      instead, the cards in Cloudflare's runtime: platen/edge against satori and resvg-wasm
//   --family pdf       instead, PDFs: Platen's writer against pdfkit, and whole renders against react-pdf and Chromium
//   --family documents instead, tables of 200 to 50,000 rows as PDF: Platen against Typst, forme, pdfmake, react-pdf,
//                      WeasyPrint (apt install weasyprint) and Chromium: half an hour, Linux only
//   --rows N           of documents, instead of these; may be repeated
//   --more             also first renders, HTTP, memory after 10,000 renders, and how time grows: some ten minutes
//   --look DIR         writes one picture of each there: check that they are the same, or the race means nothing

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { installTools } from '../scripts/install-tools.ts';
import { measureFileSizes } from './bytes.ts';
import { RENDERERS } from './child.ts';
import { measureCommand } from './command.ts';
import { WRITER_NAMES } from './documents/child.ts';
import { type DocumentResult, printDocumentCost, raceDocuments } from './documents/race.ts';
import { FAMILY_NAMES } from './families/family-list.ts';
import { printFamilies, raceFamilies } from './families/race.ts';
import { measureHtml } from './html.ts';
import { measureEndurance, measureThroughput } from './http.ts';
import { measureLayout, printLayoutTable } from './layout.ts';
import { measureMore } from './more.ts';
import { measurePdf, printPdfTable } from './pdf.ts';
import type { Output } from './peers/peer.ts';
import { type Row, run } from './race.ts';
import { measureScreenshot, printScreenshotCost } from './screenshot.ts';
import { ALL_WORKLOADS, WORKLOADS } from './workloads.ts';

const OUTPUTS: readonly Output[] = ['png', 'jpeg', 'webp', 'pdf'];
const PACKAGES = ['satori', '@resvg/resvg-js', '@takumi-rs/core', 'puppeteer-core', 'sharp'];

const OPTIONS = {
  json: { type: 'boolean', default: false },
  n: { type: 'string' },
  seed: { type: 'string', default: '1' },
  workload: { type: 'string', multiple: true },
  output: { type: 'string', multiple: true },
  renderer: { type: 'string', multiple: true },
  family: { type: 'string', multiple: true },
  rows: { type: 'string', multiple: true },
  more: { type: 'boolean', default: false },
  look: { type: 'string' },
} as const;
/** V8 recompiles a function after it has run often; before that, timings say little about the thousandth render. */
const WARM_UP = 20;
const ROUNDS = 25;

/** Rows of the table that each writer makes a document of. */
const DOCUMENT_ROWS = [200, 1000, 5000, 50_000];

/** Further values of --family: measurements over HTTP, of the command line, or of file sizes. */
const MEASURES = {
  server: () => measureThroughput(5),
  memory: () => measureEndurance(10_000),
  command: async () => measureCommand(3),
  bytes: measureFileSizes,
  edge: async (rounds: number | null) => {
    installTools('test/heavy/edge');
    return (await import('./edge.ts')).measureEdge(rounds ?? ROUNDS);
  },
} as const;

/** @throws Error when a name is unknown */
function chosen<T extends string>(option: string, names: readonly string[] | undefined, all: readonly T[]): T[] {
  const wrong = names?.find((name) => !all.some((known) => known === name));
  if (wrong !== undefined) throw new Error(`--${option} ${wrong}: must be one of ${all.join(', ')}`);
  return all.filter((known) => names === undefined || names.includes(known));
}

function whole(option: string, value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${option} ${value}: must be a whole number from 1`);
  return number;
}

function version(name: string): string {
  try {
    const entry = createRequire(import.meta.resolve('./peers/peer.ts')).resolve(name);
    const manifest = entry.replace(/(.*node_modules\/(?:@[^/]+\/)?[^/]+)\/.*/, '$1/package.json');
    return `${name} ${JSON.parse(readFileSync(manifest, 'utf8')).version}`;
  } catch {
    return `${name} (not installed)`;
  }
}

function printEnvironment(rounds: number): void {
  const cpu = `${availableParallelism()} × ${cpus()[0]?.model.trim()}`;
  console.log(`node ${process.version}, ${cpu}, ${process.platform}-${process.arch}`);
  console.log(PACKAGES.map(version).join(', '));
  console.log(
    `medians of ${rounds} renders after ${WARM_UP} to warm up; × is how many times as long as platen takes\n`,
  );
}

function printTable(rows: readonly Row[]): void {
  const ours = (row: Row) =>
    rows.find((other) => other.renderer === 'platen' && other.workload === row.workload && other.output === row.output);
  console.log('| workload | output | renderer | ms | × | processor, ms | KB |\n|---|---|---|--:|--:|--:|--:|');
  for (const row of rows) {
    const reference = ours(row)?.ms;
    const ratio = reference === undefined ? '' : (row.ms / reference).toFixed(2);
    const shown = [
      row.workload,
      row.output,
      row.renderer,
      row.ms.toFixed(1),
      ratio,
      row.cpuMs.toFixed(1),
      (row.bytes / 1000).toFixed(1),
    ];
    console.log(`| ${shown.join(' | ')} |`);
  }
}

/** PDFs only: Platen's writer against pdfkit, and whole renders against react-pdf and Chromium. */
async function racePdf(rounds: number, seed: number, json: boolean): Promise<void> {
  if (!json) printEnvironment(rounds);
  const writers = await measurePdf(4 * rounds);
  const warn = (line: string) => console.error(line);
  const race = { rounds, seed, warmUp: WARM_UP, look: null, warn, progress: () => {} };
  const rows = await run({
    ...race,
    workloads: WORKLOADS.map(({ name }) => name),
    outputs: ['pdf'],
    renderers: RENDERERS,
  });
  if (json) {
    console.log(JSON.stringify({ writers, rows }));
    return;
  }
  printPdfTable(writers);
  console.log('\nFrom template to file:\n');
  printTable(rows);
}

async function documents(counts: readonly number[], writers: readonly string[], seed: number, json: boolean) {
  installTools('bench/documents');
  const costs: DocumentResult[] = [];
  await raceDocuments(counts, writers, seed, (cost) => {
    costs.push(cost);
    if (!json) printDocumentCost(cost, costs.length === 1);
  });
  if (json) console.log(JSON.stringify({ documents: costs }));
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.family?.length === 1 && values.family[0] === 'documents') {
    const counts = values.rows?.map((rows) => whole('rows', rows)) ?? DOCUMENT_ROWS;
    const writers = chosen('renderer', values.renderer, WRITER_NAMES);
    await documents(counts, writers, whole('seed', values.seed), values.json);
    return;
  }
  if (values.family?.length === 1 && values.family[0] === 'pdf') {
    await racePdf(values.n === undefined ? ROUNDS : whole('n', values.n), whole('seed', values.seed), values.json);
    return;
  }
  const race = {
    workloads: chosen(
      'workload',
      values.workload,
      (values.workload ? ALL_WORKLOADS : WORKLOADS).map(({ name }) => name),
    ),
    outputs: chosen('output', values.output, OUTPUTS),
    renderers: chosen('renderer', values.renderer, RENDERERS),
    rounds: values.n === undefined ? ROUNDS : whole('n', values.n),
    warmUp: WARM_UP,
    seed: whole('seed', values.seed),
    look: values.look ?? null,
    warn: (line: string) => console.error(line),
    progress: (line: string) => process.stderr.isTTY && console.error(line),
  };
  if (values.family) {
    const measures = Object.keys(MEASURES) as (keyof typeof MEASURES)[];
    const all: readonly string[] = [...FAMILY_NAMES, ...measures];
    const wanted = values.family.includes('all') ? all : chosen('family', values.family, all);
    const families = FAMILY_NAMES.filter((name) => wanted.includes(name));
    const rounds = values.n === undefined ? null : race.rounds;
    const rows = await raceFamilies({ ...race, families, rounds, outputs: values.output ? race.outputs : OUTPUTS });
    const measured: Record<string, unknown> = {};
    for (const name of measures) if (wanted.includes(name)) measured[name] = await MEASURES[name](rounds);
    if (values.json) console.log(JSON.stringify({ families: rows, ...measured }));
    else {
      if (rows.length > 0) printFamilies(rows);
      for (const [name, result] of Object.entries(measured))
        console.log(`\n${name}: ${JSON.stringify(result, null, 2)}`);
    }
    return;
  }
  if (!values.json) printEnvironment(race.rounds);
  const rows = await run(race);
  // A new photo each time: the other rows show one that each renderer may cache.
  if (!values.workload && !values.output)
    rows.push(...(await run({ ...race, workloads: ['new-photo'], outputs: ['png'] })));
  const layout = await measureLayout(race.rounds);
  const html = await measureHtml(race.rounds);
  const screenshot = await measureScreenshot(race.rounds);
  const more = values.more ? { more: await measureMore(race.rounds) } : {};
  if (values.json) console.log(JSON.stringify({ rows, layout, html, screenshot, ...more }));
  else {
    printTable(rows);
    printLayoutTable(layout);
    console.log(
      `\nA page of ${html.elements} elements, warm: ${html.cpuMs} ms of processor time to its display list, ${html.withPngMs} with its PNG`,
    );
    printScreenshotCost(screenshot);
    if (values.more) console.log(`\n${JSON.stringify(more, null, 2)}`);
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
