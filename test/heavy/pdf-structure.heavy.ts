// Checks the structure of every fixture's PDF with PDFBox's preflight.
//
// Preflight judges by PDF/A-1b, which our files do not claim to follow, so what only PDF/A-1b forbids is ignored, by
// its code.

import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { AppError } from '#base/errors.ts';
import { exportAs } from '#draw/output/export.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import { faultsOf, rulesOf } from '../draw/output/pdf/check-conformance.ts';
import { CASES } from '../golden/cases.ts';
import { canDraw, composed, draw, type Renderable } from '../golden/render-case.ts';

const JARS = ['jaxb-api', 'javax.activation', 'preflight', 'pdfbox2', 'xmpbox', 'fontbox2', 'commons-logging'];
const CLASS_PATH = JARS.map((name) => `/usr/share/java/${name}.jar`).join(':');
const hasPreflight = existsSync('/usr/share/java/preflight.jar');

/** What only PDF/A-1b requires or forbids, by preflight's error code. */
const CONFORMANCE: Readonly<Record<string, string>> = {
  '1.1': 'PDF 2.0, of PDF/A-4',
  '1.2.9': 'no attachments',
  '1.4': 'cross-reference streams',
  '1.4.7': 'no attachments',
  '2.1.3': 'no output intent but its own',
  '2.2.1': 'transparency groups',
  '2.2.2': 'soft masks',
  '2.3.2': 'no interpolation',
  '2.4.1': 'RGB beside no output intent',
  '2.4.2': 'no inks beside an output intent of RGB',
  '2.4.3': 'device colours without an output intent',
  '3.1.11': 'a CIDSet for each font',
  '4.1.1': 'soft masks',
  '4.1.2': 'opacity',
  '4.1.3': 'blend modes',
  '7.1': 'an XMP packet',
  '7.1.1': 'schemas of XMP that it knows',
  '7.3': 'descriptions of schemas, which PDF/A-4 does not have',
  '7.11.1': 'that the file says to be PDF/A-1a or -1b',
  '7.11.2': 'that the file says to be PDF/A-1',
};

test.skipIf(!hasPreflight)('preflight finds no structural fault in any page', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-preflight-'));
  try {
    const files: typeof PAGES = [
      ...CASES.filter(canDraw).map((page) => ({ page })),
      ...PAGES.filter((each) => each.folder),
    ];
    for (const { page, folder: pictures } of files) {
      const { pdf } = await draw(page, pictures);
      await writeFile(join(folder, `${page.name.replace('/', '_')}.pdf`), pdf);
    }
    const args = ['-cp', CLASS_PATH, 'org.apache.pdfbox.preflight.Validator_A1b', 'batch', folder];
    const answer = await promisify(execFile)('java', args, { maxBuffer: 1 << 28 }).catch((error: unknown) => error);
    const { stdout, stderr } = answer as { readonly stdout: string; readonly stderr: string };
    const faults = `${stdout}\n${stderr}`.split('\n').filter((line) => /^\s*\d+(\.\d+)+/.test(line));
    const ours = faults
      .map((line) => line.trim().split(/\s/)[0] ?? '')
      .filter((code) => CONFORMANCE[code] === undefined);
    console.log(`preflight: ${files.length} files, ${ours.length} faults but what only PDF/A-1b forbids`);
    expect(faults.length).toBeGreaterThan(0);
    expect(`${stdout}${stderr}`).not.toMatch(/recursion/i);
    expect(new Set(faults.filter((line) => CONFORMANCE[line.trim().split(/\s/)[0] ?? ''] === undefined))).toEqual(
      new Set(),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** Sentences of what may not conform: somebody has to say what a picture shows, and html does not say what its words are. */
const REFUSED = /needs `alt`|needs a template of layers|in sRGB; give|more than A4|is for files with/;

const SAMPLES = join(import.meta.dirname, '../../samples');
/** All fixtures that do not say themselves what they conform to, and all samples of layers, with the folders of their pictures. */
const PAGES: readonly { readonly page: Renderable & { readonly name: string }; readonly folder?: string }[] = [
  ...CASES.filter((each) => canDraw(each) && !/^pdf\/(conforms|invoice)/.test(each.name)).map((page) => ({ page })),
  ...globSync(['*.json', 'documents/*.json'], { cwd: SAMPLES })
    .sort()
    .map((name) => {
      const text = readFileSync(join(SAMPLES, name), 'utf8').replaceAll('"../assets/', '"assets/');
      return { folder: SAMPLES, page: { name, template: JSON.parse(text), modifications: {} } };
    }),
];

test.each([['A-3b', 'UA-1'] as const, ['A-4', 'UA-2'] as const])(
  'each fixture conforms to %s and %s, or is refused by name',
  async (archive, accessible) => {
    const wrong: string[] = [];
    const counts = { conforming: 0, refused: 0 };
    for (const { page, folder } of PAGES) {
      const { list, resources } = await composed(page, folder);
      const none = { bleed: undefined, cropMarks: undefined, outputIntent: undefined, invoice: undefined };
      const pdf = { ...none, reproducible: true, title: 'Kept', language: 'en', conforms: [archive, accessible] };
      const bytes = await exportAs('pdf', [list], resources, { ...DEFAULT_EXPORT, pdf }).catch((error: unknown) => {
        if (error instanceof AppError && REFUSED.test(error.message)) return null;
        throw error;
      });
      if (bytes === null) counts.refused += 1;
      else {
        const faults = [...faultsOf(bytes, archive), ...faultsOf(bytes, accessible)];
        if (faults.length === 0) counts.conforming += 1;
        else wrong.push(`${page.name}: ${faults.join('; ')}`);
      }
    }
    const rules = [archive, accessible].reduce((sum, level) => sum + rulesOf(level).length, 0);
    const { conforming, refused } = counts;
    console.log(
      `${archive} and ${accessible}: ${conforming} of ${PAGES.length} conform by ${rules} checks, ${refused} are refused by name`,
    );
    expect(wrong).toEqual([]);
    expect(counts.conforming).toBeGreaterThan(2 * counts.refused);
  },
);
