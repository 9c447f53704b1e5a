// Tests that every regular expression of src takes time that grows with the length of the text, not with its square or
// beyond: recheck shows it of each for all texts, by automata (https://makenowjust-labs.github.io/recheck/).
//
// What it says is remembered beside the compiled code, so that a later run checks new expressions only.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { check } from 'recheck';
import { expect, test } from 'vitest';
import { openApiDocument } from '#server/http/openapi/document.ts';
import { expressionsOfSources, type FoundExpression, type Values } from './expressions-in.ts';

/** Names that stand for all that the callers of these files give. */
const VALUES: Values = {
  'src/server/chromium/process-tree.ts': [{ field: 'RssAnon' }, { field: 'RssShmem' }],
  'src/core/css/cascade.ts': ['before', 'after', 'marker'].map((part) => ({ part })),
  'src/core/fonts/choose-faces.ts': [{ script: 'Latin' }],
  'src/draw/output/pdf/join-pdfs.ts': [{ key: 'Info' }],
  'src/draw/output/pdf/read-pdf.ts': [{ key: 'Length' }, { key: 'W' }],
  'src/server/storage/s3/xml.ts': [{ tag: 'Key' }, { tag: 'NextContinuationToken' }, { tag: 'Message' }],
  'src/studio/shell/app.tsx': [{ SCOPE: '/intern/studio' }],
  'src/studio/editor/open-svg.ts': [{ name: 'width' }, { name: 'viewBox' }],
};

/**
 * Expressions of which recheck cannot say that they are linear, and why they are: a proof, or the place that bounds the
 * text before it is matched, and how long the worst text of that length takes.
 */
const PROVED: Readonly<Record<string, string>> = {};

/** Without limits of size and time, which would leave large expressions to its fuzzer, which proves nothing. */
const BY_AUTOMATA = {
  checker: 'automaton',
  timeout: null,
  maxNFASize: 1e7,
  maxPatternSize: 1e7,
  maxRepeatCount: 1e6,
} as const;

const root = join(import.meta.dirname, '../..');
const memory = join(root, 'node_modules/.cache/platen/linear-expressions.json');
const written = ({ source, flags }: Pick<FoundExpression, 'source' | 'flags'>) => `/${source}/${flags}`;

/** Those that an earlier run of this version of recheck has shown to be linear. */
async function remembered(version: string): Promise<Set<string>> {
  const kept = await readFile(memory, 'utf8').catch(() => '{}');
  return new Set((JSON.parse(kept) as Record<string, string[]>)[version] ?? []);
}

/** The texts' patterns in a schema, which zod matches. */
function* patternsIn(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'pattern' && typeof value === 'string') yield value;
    else yield* patternsIn(value);
  }
}

test('every regular expression is linear', async () => {
  const inSources = await expressionsOfSources(VALUES);
  const ofContract = [...new Set(patternsIn(openApiDocument('', 'all')))].map((source) => ({
    source,
    flags: '',
    place: 'contract',
  }));
  const all = new Map([...ofContract, ...inSources].map((each) => [written(each), each]));
  const { version } = JSON.parse(await readFile(join(root, 'node_modules/recheck/package.json'), 'utf8'));
  const linear = await remembered(version);
  const wrong: string[] = [];
  for (const [name, { source, flags, place }] of all) {
    if (linear.has(name) || name in PROVED) continue;
    const found = await check(source, flags, BY_AUTOMATA);
    if (found.status === 'safe') linear.add(name);
    else if (found.status === 'vulnerable')
      wrong.push(`${place} ${name} is ${found.complexity.summary}: ${found.attack.pattern}`);
    else wrong.push(`${place} ${name}: ${JSON.stringify(found.error)}`);
  }
  await mkdir(dirname(memory), { recursive: true });
  await writeFile(memory, JSON.stringify({ [version]: [...linear].filter((name) => all.has(name)) }));
  console.log(`${inSources.length} expressions, ${all.size} different ones with those of the contract`);
  expect(inSources.length).toBeGreaterThan(900);
  expect(wrong).toEqual([]);
  expect(Object.keys(PROVED).filter((name) => !all.has(name))).toEqual([]);
}, 900_000);

test('recheck finds what is not linear', async () => {
  const found = await Promise.all([/\s+$/, /^(a|a)*$/, /\s*,\s*/].map(({ source }) => check(source, '', BY_AUTOMATA)));
  expect(found.map((one) => (one.status === 'unknown' ? one : one.complexity.type))).toEqual([
    'polynomial',
    'exponential',
    'polynomial',
  ]);
});
