// Doubles the text of each field that is read from outside, from 1 KB to its limit, with runs of characters that make
// expressions and loops try again, and tests that the processor time grows with the length, not with its square.
//
// A run takes a sample, by `SEED`, for `LASTS` ms; `WHOLE=1` takes all fields and runs, for an hour. `ONLY=SVG` takes the
// fields whose names begin so.

import { afterAll, expect, test } from 'vitest';
import { SEED } from '../sampled.ts';
import { seeded } from '../seeded.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type TextField, textFields } from './text-growth/fields.ts';
import { type Growth, MeasuredProcess, MOST_GROWTH, type Run } from './text-growth/measured-process.ts';

const ONLY = process.env.ONLY ?? '';
/** How long a sample is taken, ms. */
const LASTS = Number(process.env.LASTS ?? 25_000);

const units = [
  ' ',
  '\t',
  '\n',
  '0',
  'a',
  '(',
  ')',
  '[',
  ']',
  '{',
  ',',
  ';',
  ':',
  '"',
  "'",
  '`',
  '-',
  '.',
  '/',
  '\\',
  '=',
  '%',
  '&',
  '<',
  '*',
  '#',
];
const MIXED = [
  '\t,00-',
  ' a',
  '0 ',
  '0.',
  '0e',
  'a(',
  'url(',
  '/**/',
  '="',
  "='",
  '<a',
  '<!--',
  '--',
  '0px ',
  '"a" ',
  '\\0 ',
  '](',
  '**a',
  '${',
  '}{',
  'var(',
  'a\u0301\u0316',
  '[[',
  ';a:',
  '@a ',
  ' - ',
  '0/',
  '\r\n',
];
const RUNS: readonly Run[] = [...units, ...MIXED].flatMap((unit) => [
  { before: '', unit, after: '' },
  { before: 'x', unit, after: 'x' },
  { before: '0', unit, after: '!' },
]);
/** That of a page range that once stopped the server. */
const PAGE_RANGES: Run = { before: '0,0-', unit: '\t,00-', after: 'x' };

const fields: readonly TextField[] = textFields();
const chosen = [...fields.keys()].filter((index) => fields[index]?.name.startsWith(ONLY));
const folder = await temporaryFolder();
const child = new MeasuredProcess(folder.path);
afterAll(async () => {
  child[Symbol.dispose]();
  await folder[Symbol.asyncDispose]();
});

const shown = ({ before, unit, after }: Run) => JSON.stringify(`${before}…${unit}…${after}`);

interface Row extends Growth {
  readonly name: string;
  readonly run: Run;
}

/** The slowest run of each field, and what is wrong with any. */
async function measured(tasks: Iterable<readonly [field: number, run: Run]>, until: () => boolean) {
  const rows = new Map<string, Row>();
  const wrong: string[] = [];
  let count = 0;
  for (const [field, run] of tasks) {
    if (until()) break;
    count += 1;
    const { name = '' } = fields[field] ?? {};
    const found = await child.measure(field, run);
    if (found === null) wrong.push(`${name}, ${shown(run)}: does not end`);
    else {
      if (found.growth > MOST_GROWTH)
        wrong.push(
          `${name}, ${shown(run)}: ${found.growth.toFixed(1)} × by a doubling, ${Math.round(found.ms)} ms at ${found.length}`,
        );
      if (found.ms >= (rows.get(name)?.ms ?? 0)) rows.set(name, { ...found, name, run });
    }
  }
  return { rows: [...rows.values()], wrong, count };
}

function* sample(): Generator<readonly [number, Run]> {
  const below = seeded(SEED);
  const any = <T>(list: readonly T[]) => list[below(list.length)] as T;
  for (const field of chosen) if (/pageRanges/i.test(fields[field]?.name ?? '')) yield [field, PAGE_RANGES];
  for (;;) yield [any(chosen), any(RUNS)];
}

function* whole(): Generator<readonly [number, Run]> {
  for (const field of chosen) for (const run of [...RUNS, PAGE_RANGES]) yield [field, run];
}

test('time grows with the length of a text, in each field', async () => {
  const isWhole = Boolean(process.env.WHOLE);
  const [anyRun] = RUNS;
  // Starts the server to which queries and headers are sent.
  if (anyRun) await child.measure(fields.length - 1, anyRun);
  const end = performance.now() + LASTS;
  const { rows, wrong, count } = await measured(
    isWhole ? whole() : sample(),
    () => !isWhole && performance.now() > end,
  );
  const slowest = rows.sort((a, b) => b.ms - a.ms).slice(0, isWhole ? 60 : 15);
  console.log(`${chosen.length} fields, ${count} runs, SEED=${SEED}`);
  console.table(
    slowest.map(({ name, run, ms, length, growth }) => ({
      field: name.slice(0, 60),
      run: shown(run),
      characters: length,
      ms: Math.round(ms),
      growth: Math.round(growth * 10) / 10,
    })),
  );
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(2);
}, 7_200_000);
