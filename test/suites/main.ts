// Runs the public suites and prints how many of their fixtures give the same result: `npm run suites -- [FOLDER]`.
//
// With --record it also writes the layouts of taffy and yoga into recorded/, which recorded.test.ts compares on every run
// without Chromium.
//
// FOLDER (or PLATEN_SUITES) has a check-out of each suite, by its name; without it they are cloned, if the network
// allows. The exit code is 1 if a fixture differs that intended.ts does not list, or one that it lists no longer
// differs.

import { existsSync } from 'node:fs';
import puppeteer, { type Page } from 'puppeteer-core';
import { checkout, type Suite } from './checkout.ts';
import { INTENDED } from './intended.ts';
import { type Comparison, compareLayouts, type LayoutSuite, recordSuite, VIEWPORT } from './layout-suite.ts';
import { writeRecorded } from './recorded.ts';
import { readTaffy, readYoga, TAFFY, TEXT_RENDERING, YOGA } from './suites.ts';
import { compareTexts, HB_SHAPE_PASSES, readTextCases } from './text-suite.ts';

const doesRecord = process.argv.includes('--record');
const isVerbose = process.argv.includes('--verbose');
const root = process.argv.slice(2).find((argument) => !argument.startsWith('-')) ?? process.env.PLATEN_SUITES ?? null;
const chromium = process.env.CHROMIUM_PATH ?? '/usr/lib/chromium/chromium-headless-shell';
let isAsListed = true;

if (existsSync(chromium)) {
  const browser = await puppeteer.launch({
    executablePath: chromium,
    headless: 'shell',
    args: ['--no-sandbox', '--font-render-hinting=none', '--disable-dev-shm-usage'],
    defaultViewport: VIEWPORT,
  });
  const page = await browser.newPage();
  await runLayout(page, TAFFY, readTaffy);
  await runLayout(page, YOGA, readYoga);
  await browser.close();
} else console.log(`taffy and yoga: skipped, no Chromium at ${chromium} (CHROMIUM_PATH).`);
runTexts(TEXT_RENDERING);
process.exitCode = isAsListed ? 0 : 1;

async function runLayout(page: Page, suite: Suite, read: (folder: string) => Promise<LayoutSuite>): Promise<void> {
  const folder = folderOf(suite);
  if (folder === null) return;
  const content = await read(folder);
  const recorded = await recordSuite(page, content);
  if (doesRecord) writeRecorded(suite, recorded);
  report(suite.name, compareLayouts(recorded, content.font));
}

function runTexts(suite: Suite): void {
  const folder = folderOf(suite);
  if (folder === null) return;
  const { equal, different } = compareTexts(readTextCases(folder));
  const problems = new Map([...different].map(([name, problem]) => [name, [problem]]));
  report(suite.name, { equal, different: problems, notExpressible: new Map() });
}

function folderOf(suite: Suite): string | null {
  const folder = checkout(suite, root);
  if (folder === null) console.log(`${suite.name}: skipped, no check-out and no network to clone it.`);
  return folder;
}

/** `SHLANA-1/24 25` → `SHLANA-1/24`, `SHLANA-1/25`. */
function spelledOut(fixtures: string): readonly string[] {
  const [first = '', ...others] = fixtures.split(' ');
  return [first, ...others.map((each) => first.replace(/[^/]*$/, each))];
}

function report(name: string, { equal, different, notExpressible }: Comparison): void {
  const listed = new Map(
    (INTENDED[name] ?? []).flatMap(({ reason, fixtures }) =>
      fixtures.flatMap(spelledOut).map((each) => [each, reason]),
    ),
  );
  const causes = [...notExpressible].sort(([, a], [, b]) => b.length - a.length);
  const beyond = causes.reduce((sum, [, fixtures]) => sum + fixtures.length, 0);
  console.log(`${name}: ${equal.length} equal, ${different.size} different, ${beyond} not expressible`);
  for (const { reason, fixtures, isOursAlone = false } of INTENDED[name] ?? []) {
    const all = fixtures.flatMap(spelledOut);
    console.log(`  intended, ${all.length}: ${reason}`);
    const passes = all.filter((each) => different.get(each)?.some((problem) => problem.endsWith(HB_SHAPE_PASSES)));
    if (passes.length > 0) console.log(`    hb-shape passes ${passes.length} of them`);
    if (passes.length === 0 || isOursAlone) continue;
    isAsListed = false;
    console.log(`    LISTED, but hb-shape passes: ${passes.join(' ')}`);
  }
  for (const [fixture, differences] of different) {
    if (listed.has(fixture)) continue;
    isAsListed = false;
    console.log(`  NOT LISTED: ${fixture}\n    ${differences.join('\n    ')}`);
  }
  for (const fixture of listed.keys()) {
    if (different.has(fixture)) continue;
    isAsListed = false;
    console.log(`  LISTED, but ${equal.includes(fixture) ? 'equal' : 'not compared'}: ${fixture}`);
  }
  for (const [cause, fixtures] of causes) {
    console.log(
      `  not expressible, ${fixtures.length}: ${cause}${isVerbose ? `\n    ${fixtures.join('\n    ')}` : ''}`,
    );
  }
}
