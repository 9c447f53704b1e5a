// Fuzzes the whole pipeline in a process with limits: random templates with modifications in every output, and fonts
// and pictures of each format with changed bytes. Each must be drawn, or refused with a message.
//
// `CASES=100000 SEED=7 npm run test:heavy -- fuzz` runs more cases from another seed.

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { noise, QUADRANTS_SVG, quadrants } from '../draw/images/pictures.ts';
import { SEED } from '../sampled.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { anyPage } from './fuzz/arbitrary-page.ts';
import { anyCase, type FuzzCase } from './fuzz/arbitrary-template.ts';
import { FuzzedProcess } from './fuzz/fuzzed-process.ts';

const COUNT = Number(process.env.CASES ?? 1_000);
/** How many of the cases are html templates drawn without a browser, and how many are templates of layers. */
const PAGES = Math.ceil(COUNT / 10);
const TEMPLATES = COUNT - PAGES;
/** Mutations of each font and of each picture format; the numbers grow with COUNT. */
const MUTATIONS = { font: Math.ceil((50 * COUNT) / 2_000), picture: Math.ceil((60 * COUNT) / 2_000) };
const HOURS = 3_600_000;

const folder = await temporaryFolder();
const fuzzed = new FuzzedProcess();
afterAll(async () => {
  fuzzed[Symbol.dispose]();
  await folder[Symbol.asyncDispose]();
});

/** @param least how many must be drawn: otherwise only the schema would be tested, and nothing behind it */
async function checkCases(cases: fc.Arbitrary<FuzzCase>, numRuns: number, least: number): Promise<void> {
  let drawn = 0;
  const refusals = new Map<string, number>();
  const property = fc.asyncProperty(cases, async (one) => {
    const outcome = await fuzzed.run({ kind: 'template', case: one });
    if (outcome === 'done') drawn += 1;
    else {
      expect(outcome.length).toBeLessThan(1_000);
      const reason = outcome.replace(/^([^:]*?)([\w]*): /, '$2: ').slice(0, 70);
      refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
    }
  });
  await fc.assert(property, { numRuns, seed: SEED, endOnFailure: process.env.SHRINK === undefined });
  console.log(`${drawn} of ${numRuns} were drawn; most of the others:`);
  console.log([...refusals].sort(([, a], [, b]) => b - a).slice(0, 20));
  expect(drawn).toBeGreaterThan(least);
}

test(
  `${TEMPLATES} templates with modifications are drawn, or refused in a sentence`,
  () => checkCases(anyCase, TEMPLATES, TEMPLATES / 6),
  10 * HOURS,
);

test(
  `${PAGES} html templates with modifications are drawn without a browser, or refused in a sentence`,
  () => checkCases(anyPage, PAGES, PAGES / 4),
  10 * HOURS,
);

/** Changes to a file's bytes: flipped, zeroed, cut out, doubled or set to 255. */
const mutation = fc.record({
  kind: fc.constantFrom('flip', 'flip', 'zero', 'cut', 'double', 'ones'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 64 }),
  mask: fc.integer({ min: 1, max: 255 }),
  /** Near the start are most headers and tables. */
  isNearStart: fc.boolean(),
});
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

function mutated(file: Uint8Array, mutations: readonly Mutation[]): Uint8Array {
  let bytes = Uint8Array.from(file);
  for (const { kind, at, length, mask, isNearStart } of mutations) {
    const from = Math.floor(at * Math.max(0, (isNearStart ? Math.min(bytes.length, 600) : bytes.length) - 1));
    const to = Math.min(bytes.length, from + length);
    if (kind === 'flip') bytes[from] = (bytes[from] ?? 0) ^ mask;
    else if (kind === 'zero') bytes.fill(0, from, to);
    else if (kind === 'ones') bytes.fill(255, from, Math.min(to, from + 4));
    else if (kind === 'cut') bytes = Uint8Array.from([...bytes.subarray(0, from), ...bytes.subarray(to)]);
    else bytes = Uint8Array.from([...bytes.subarray(0, to), ...bytes.subarray(from)]);
  }
  return bytes;
}

async function checkMutations(
  kind: 'font' | 'picture',
  name: string,
  file: Uint8Array,
  numRuns: number,
): Promise<void> {
  let count = 0;
  const property = fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 6 }), async (mutations) => {
    const path = join(folder.path, `${kind}-${count++ % 8}-${name}`);
    await writeFile(path, mutated(file, mutations));
    await fuzzed.run({ kind, path });
  });
  await fc.assert(property, { numRuns, seed: SEED, endOnFailure: true });
}

const { resolve } = createRequire(import.meta.url);
for (const face of [
  'inter/400Regular/Inter_400Regular.ttf',
  'noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf',
  'jetbrains-mono/400Regular/JetBrainsMono_400Regular.ttf',
]) {
  const name = face.split('/').at(-1) ?? '';
  test(
    `${name} with bytes changed, ${MUTATIONS.font} times`,
    () => checkMutations('font', name, readFileSync(resolve(`@expo-google-fonts/${face}`)), MUTATIONS.font),
    10 * HOURS,
  );
}

for (const format of ['png', 'jpeg', 'webp', 'gif', 'avif', 'svg'] as const) {
  test(
    `a small ${format} with bytes changed, ${MUTATIONS.picture} times`,
    async () => {
      const file =
        format === 'svg'
          ? QUADRANTS_SVG
          : format === 'jpeg' || format === 'avif'
            ? await noise(48, 32).toFormat(format).toBuffer()
            : await quadrants().toFormat(format).toBuffer();
      await checkMutations('picture', `file.${format}`, file, MUTATIONS.picture);
    },
    10 * HOURS,
  );
}
