// `node bench/pdf.ts`: races Platen's PDF writer and pdfkit, alternating, on the same display lists, glyphs and
// pictures.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compose } from '#core/compose.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import { resolve } from '#core/resolve/resolve.ts';
import type { Resources } from '#core/resources.ts';
import { parseTemplate } from '#core/template/template.ts';
import { encodePrintJpeg } from '#draw/encoders/encode.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { scaleToPixels } from '#draw/images/scale.ts';
import { loadPictures, type PixelTools, writePdf } from '#draw/output/pdf/write-pdf.ts';
import { rasterize } from '#draw/output/raster/rasterize.ts';
import { loadResources } from '#draw/renderer/load-resources.ts';
import { writeWithPdfkit } from './pdfkit-writer.ts';
import { median } from './statistics.ts';
import { ALL_WORKLOADS } from './workloads.ts';

export interface PdfRow {
  readonly page: string;
  readonly bytes: { readonly platen: number; readonly pdfkit: number };
  /** Medians of one file; the writers alternate. */
  readonly ms: { readonly platen: number; readonly pdfkit: number };
  /** Mean CPU time of one file, including garbage collection. */
  readonly cpuMs: { readonly platen: number; readonly pdfkit: number };
}

const SAMPLES = join(import.meta.dirname, '../samples');
const WARM_UP = 30;
const tools: PixelTools = {
  crop: scaleToPixels,
  encodeJpeg: encodePrintJpeg,
  rasterize: (list, resources, scale) => rasterize(list, resources, scale, { snapsLetters: false }),
};

/** @param rounds counted runs of each page */
export async function measurePdf(rounds: number): Promise<readonly PdfRow[]> {
  const library = await openFontLibrary({ folders: [] });
  const rows: PdfRow[] = [];
  for (const [page, template] of pages()) {
    const scene = resolve(parseTemplate(template), {});
    const files = { read: async (source: string) => readFileSync(join(SAMPLES, source)) };
    const { resources } = await loadResources(scene.needs, library, files, new AbortController().signal);
    const { list } = compose(scene, resources);
    rows.push({ page, ...(await race(list, resources, rounds)) });
  }
  return rows;
}

function pages(): readonly (readonly [name: string, template: unknown])[] {
  const sample = (name: string) => [name, JSON.parse(readFileSync(join(SAMPLES, `${name}.json`), 'utf8'))] as const;
  const simple = ALL_WORKLOADS.find(({ name }) => name === 'simple-card')?.template;
  return [sample('invoice'), sample('certificate'), sample('quote-card'), ['simple-card', simple]];
}

async function race(list: DisplayList, resources: Resources, rounds: number): Promise<Omit<PdfRow, 'page'>> {
  const pictures = await loadPictures(list, resources, tools, 300 / 96);
  const fonts = fontkitFonts(list, resources);
  const writers = {
    platen: () => writePdf([list], resources, { tools, createdAt: new Date(0) }),
    pdfkit: () => writeWithPdfkit(list, resources, pictures, fonts),
  };
  const ms = { platen: [] as number[], pdfkit: [] as number[] };
  const cpuMs = { platen: 0, pdfkit: 0 };
  const bytes = { platen: 0, pdfkit: 0 };
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const name of round % 2 === 0 ? (['platen', 'pdfkit'] as const) : (['pdfkit', 'platen'] as const)) {
      const before = process.cpuUsage();
      const start = performance.now();
      const file = await writers[name]();
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) {
        ms[name].push(performance.now() - start);
        cpuMs[name] += (user + system) / 1000 / rounds;
      }
      bytes[name] = file.length;
    }
  }
  return { bytes, cpuMs, ms: { platen: median(ms.platen), pdfkit: median(ms.pdfkit) } };
}

/** Uses pdfkit's own copy of fontkit, because it recognises only that copy's fonts. */
function fontkitFonts(list: DisplayList, { fonts }: Resources): ReadonlyMap<string, unknown> {
  const require = createRequire(createRequire(import.meta.url).resolve('pdfkit'));
  const { create } = require('fontkit') as { create(file: Uint8Array): unknown };
  return new Map([...facesOf(list.ops)].map((key) => [key, create(fonts.face(key).file.bytes)]));
}

function facesOf(ops: readonly PaintOp[]): Set<string> {
  return new Set(
    ops.flatMap((op) => (op.kind === 'group' ? [...facesOf(op.ops)] : op.kind === 'glyphs' ? [op.run.face] : [])),
  );
}

export function printPdfTable(rows: readonly PdfRow[]): void {
  console.log('\nThe writers alone, on the same display list, glyphs and pictures:\n');
  console.log('| page | KB: Platen / pdfkit | ms | × | processor, ms | × |\n|---|--:|--:|--:|--:|--:|');
  const times = ({ platen, pdfkit }: PdfRow['ms']) =>
    `${platen.toFixed(2)} / ${pdfkit.toFixed(2)} | ${(pdfkit / platen).toFixed(1)}`;
  for (const { page, bytes, ms, cpuMs } of rows) {
    const sizes = `${(bytes.platen / 1000).toFixed(1)} / ${(bytes.pdfkit / 1000).toFixed(1)}`;
    console.log(`| ${page} | ${sizes} | ${times(ms)} | ${times(cpuMs)} |`);
  }
}

if (import.meta.main) {
  printPdfTable(await measurePdf(Number(process.argv[2] ?? 100)));
  process.exit(0);
}
