// Draws the pages of satori's own tests without a browser and by Chromium, and counts the pages that differ.
//
// node scripts/satori-suite/main.ts [FOLDER] [--renderer platen] [--only TEXT] [--look DIR]
//
// FOLDER is a checkout of github.com/vercel/satori. Without it the checkout is fetched by git; if that fails, nothing
// is compared, with a message. None of the suite's files is kept. Ends with 1 if a page differs without a warning and
// without an entry in intended.ts, if a page is refused for a reason that intended.ts does not list, or if a listed
// page does not differ.

import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findChromium } from '#server/chromium/find-chromium.ts';
import { comparePages, type Verdict } from './compare-pages.ts';
import { INTENDED, REFUSED } from './intended.ts';
import type { RecordedPage } from './recorder.ts';

const SOURCE = 'https://github.com/vercel/satori';
const ROOT = join(import.meta.dirname, '../..');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { renderer: { type: 'string' }, only: { type: 'string' }, look: { type: 'string' } },
});

const work = await mkdtemp(join(tmpdir(), 'satori-suite-'));
try {
  const skipped = await run();
  if (skipped !== null) console.log(`satori's suite: skipped, ${skipped}`);
} finally {
  await rm(work, { recursive: true, force: true });
}

/** @returns why nothing was compared, or null */
async function run(): Promise<string | null> {
  if (findChromium({ chromiumPath: process.env.CHROMIUM_PATH ?? null, programFolders: [] }) === null) {
    return 'there is no Chromium to compare with';
  }
  const checkout = positionals[0] === undefined ? fetchSuite() : resolve(positionals[0]);
  if (checkout === null) return `${SOURCE} cannot be fetched; give the folder of a checkout`;
  const pages = await recordPages(checkout);
  if (pages.length === 0) throw new Error(`No page of the tests in ${checkout} was recorded.`);
  const wanted = pages.filter(({ test }) => test.includes(values.only ?? ''));
  if (values.look !== undefined) await mkdir(values.look, { recursive: true });
  const verdicts = await comparePages(
    wanted,
    values.renderer === 'platen' ? 'platen' : 'satori',
    async (name, picture) => {
      if (values.look !== undefined) await writeFile(join(values.look, `${name}.png`), picture);
    },
  );
  report(verdicts);
  return null;
}

function fetchSuite(): string | null {
  const folder = join(work, 'fetched');
  try {
    execFileSync('git', ['clone', '--quiet', '--depth', '1', SOURCE, folder], { stdio: 'ignore', timeout: 120_000 });
    return folder;
  } catch {
    return null;
  }
}

/** Runs the suite's tests with a recorder in place of satori. */
async function recordPages(checkout: string): Promise<readonly RecordedPage[]> {
  const copy = join(work, 'suite');
  for (const folder of ['test', 'src']) await cp(join(checkout, folder), join(copy, folder), { recursive: true });
  await writeFile(join(copy, 'package.json'), '{"type":"module"}');
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const file = join(work, 'pages.jsonl');
  await writeFile(file, '');
  const config = join(import.meta.dirname, 'vitest.config.ts');
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const env = { ...process.env, SATORI_PAGES: file };
  try {
    execFileSync(process.execPath, [vitest, 'run', '--config', config, '--root', copy], {
      cwd: copy,
      env,
      stdio: 'ignore',
    });
  } catch {
    // Tests that check satori's SVG fail with the recorder; the trees are written anyway.
  }
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line): RecordedPage => JSON.parse(line)).toSorted((a, b) => (a.test < b.test ? -1 : 1));
}

function report(verdicts: readonly Verdict[]): void {
  const of = (kind: Verdict['kind']) => verdicts.filter((verdict) => verdict.kind === kind);
  const reasonOf = ({ test }: Verdict) => INTENDED.find(({ pages }) => pages.test(test))?.reason ?? '';
  const show = (title: string, found: readonly Verdict[], reason: (verdict: Verdict) => string) => {
    console.log(`\n${title}: ${found.length}`);
    for (const [why, those] of Map.groupBy(found, reason)) {
      console.log(`  ${those.length} × ${why}`);
      for (const { name, test, detail } of those) {
        console.log(`      ${name} ${test}${why === detail ? '' : ` (${detail})`}`);
      }
    }
  };
  const byDetail = ({ detail }: Verdict) => detail;
  const different = of('different');
  const unlisted = different.filter((verdict) => reasonOf(verdict) === '');
  const failed = of('failed');
  console.log(`Pages of satori's tests: ${verdicts.length}. The same as in Chromium: ${of('same').length}.`);
  const refused = of('refused');
  const unwritten = refused.filter(({ detail }) => !REFUSED.test(detail));
  show(
    'Refused as it is written down',
    refused.filter((verdict) => !unwritten.includes(verdict)),
    byDetail,
  );
  show('REFUSED, and written down nowhere', unwritten, byDetail);
  show('Different, and told of by a warning', of('warned'), byDetail);
  show(
    'Different as intended',
    different.filter((verdict) => reasonOf(verdict) !== ''),
    reasonOf,
  );
  show('DIFFERENT IN SILENCE', unlisted, byDetail);
  show('FAILED', failed, byDetail);
  show('Not expressible as a template', of('inexpressible'), byDetail);
  if (unlisted.length + failed.length + unwritten.length > 0) process.exitCode = 1;
  if (values.only !== undefined) return;
  for (const { pages, reason } of INTENDED) {
    if (different.some(({ test }) => pages.test(test))) continue;
    console.log(`\nLISTED, but no page differs so: ${reason}`);
    process.exitCode = 1;
  }
}
