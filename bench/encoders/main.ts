// `node bench/encoders/main.ts`: races Platen's encoders and the library on the same corpus, at equal size and quality.
//
//   --codec NAME   png or webp; may be repeated
//   --seed S       seed of the corpus (1)
//   --every N      only every N-th picture
//
// CPU time of all threads, the minimum of a few alternating runs. An encoder of Platen is kept if it takes at most two
// thirds of the library's time.

import { parseArgs } from 'node:util';
import sharp, { type Sharp } from 'sharp';
import { packOpaque } from '#draw/encoders/encode.ts';
import { partThreadsReady } from '#draw/encoders/part-threads.ts';
import { encodePng } from '#draw/encoders/png/encode-png.ts';
import { encodeWebp } from '#draw/encoders/webp/encode-webp.ts';
import { openPixels } from '#draw/images/open-image.ts';
import type { Raster } from '#draw/images/raster.ts';
import { corpus, type Picture } from './corpus.ts';
import { atQuality, psnr, ssim } from './quality.ts';

const OURS = 'platen';
const RUNS = 3;
const QUALITY = 80;

type Encode = (raster: Raster) => Promise<Uint8Array | null>;

const library =
  (write: (picture: Sharp) => Sharp): Encode =>
  async (raster) => {
    const { width, height } = raster;
    const packed = packOpaque(raster);
    const picture = packed
      ? openPixels(packed.rgb, { width, height, channels: 3 })
      : openPixels(raster.pixels, { width, height, channels: 4, premultiplied: true });
    const bytes = await write(picture).toBuffer();
    packed?.release();
    return bytes;
  };

const pngs: Record<string, Encode> = { [OURS]: (raster) => encodePng(raster) };
for (const level of [1, 2, 3, 4, 6, 9]) {
  for (const adaptiveFiltering of [false, true]) {
    pngs[`sharp ${level}${adaptiveFiltering ? ' filtered' : ''}`] = library((picture) =>
      picture.png({ compressionLevel: level, adaptiveFiltering }),
    );
  }
}
/** Efforts of libwebp: the lowest, and the lowest that searches prediction modes carefully. */
const EFFORTS = [0, 2, 4];
const webps: Record<string, Encode> = { [OURS]: (raster) => encodeWebp(raster, QUALITY) };
for (const effort of EFFORTS) {
  for (const quality of [72, 78, 84]) {
    webps[`sharp ${effort} q${quality}`] = library((picture) => picture.webp({ quality, effort }));
  }
}
const CODECS = { png: pngs, webp: webps } as const;

interface Result {
  readonly ms: number;
  readonly bytes: number;
  /** Of the decoded file on white: dB, and SSIM. */
  readonly psnr: number;
  readonly ssim: number;
}

async function cpuOf<T>(work: () => Promise<T>): Promise<{ ms: number; made: T }> {
  const before = process.cpuUsage();
  const made = await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, made };
}

async function race(
  encoders: Record<string, Encode>,
  raster: Raster,
  isLossy: boolean,
): Promise<Map<string, Result> | null> {
  const best = new Map<string, { ms: number; bytes: Uint8Array }>();
  for (let run = 0; run < RUNS; run++) {
    for (const [name, encode] of Object.entries(encoders)) {
      const { ms, made } = await cpuOf(() => encode(raster));
      if (made === null) return null;
      best.set(name, { ms: Math.min(ms, best.get(name)?.ms ?? ms), bytes: made });
    }
  }
  const results = new Map<string, Result>();
  const original = isLossy ? onWhite(raster) : null;
  for (const [name, { ms, bytes }] of best) {
    const shown = original
      ? await sharp(bytes).flatten({ background: '#ffffff' }).removeAlpha().raw().toBuffer()
      : null;
    results.set(name, {
      ms,
      bytes: bytes.length,
      psnr: original && shown ? psnr(original, shown) : 99,
      ssim: original && shown ? ssim(original, shown, raster.width, raster.height) : 1,
    });
  }
  return results;
}

function onWhite({ pixels }: Raster): Uint8Array {
  const rgb = new Uint8Array((pixels.length / 4) * 3);
  for (let i = 0, at = 0; at < pixels.length; at += 4) {
    const under = 255 - (pixels[at + 3] ?? 255);
    for (let c = at; c < at + 3; c++) rgb[i++] = (pixels[c] ?? 0) + under;
  }
  return rgb;
}

interface Line {
  readonly kind: string;
  readonly results: Map<string, Result>;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function report(codec: string, lines: readonly Line[]): void {
  console.log(`\n## ${codec}: ${lines.length} pictures`);
  console.log(
    '| kind | encoder | cpu ms | ours / its | KB | ours / its | mean dB | mean SSIM |\n|---|---|--:|--:|--:|--:|--:|--:|',
  );
  for (const kind of ['all', ...new Set(lines.map((line) => line.kind))]) {
    const own = lines.filter((line) => kind === 'all' || line.kind === kind);
    const total = (name: string, key: keyof Result) => sum(own.map(({ results }) => results.get(name)?.[key] ?? 0));
    for (const name of own[0]?.results.keys() ?? []) {
      const [ms, kb] = [total(name, 'ms'), total(name, 'bytes') / 1000];
      const cells = [
        ms.toFixed(0),
        (total(OURS, 'ms') / ms).toFixed(2),
        kb.toFixed(0),
        (total(OURS, 'bytes') / 1000 / kb).toFixed(3),
        (total(name, 'psnr') / own.length).toFixed(2),
        (total(name, 'ssim') / own.length).toFixed(5),
      ];
      console.log(`| ${kind} | ${name} | ${cells.join(' | ')} |`);
    }
    if (codec === 'webp') reportAtEqualQuality(kind, own);
  }
}

/** The library's cost at each effort where it is as good as Platen by either measure, interpolated for each picture. */
function reportAtEqualQuality(kind: string, lines: readonly Line[]): void {
  for (const measure of ['psnr', 'ssim'] as const) {
    for (const effort of EFFORTS) {
      const of = (key: 'ms' | 'bytes') =>
        sum(
          lines.map(({ results }) => {
            const points = [...results].filter(([name]) => name.startsWith(`sharp ${effort} `));
            const known = points.map(([, result]) => ({ quality: result[measure], value: result[key] }));
            return atQuality(known, results.get(OURS)?.[measure] ?? 0);
          }),
        );
      const ours = (key: 'ms' | 'bytes') => sum(lines.map(({ results }) => results.get(OURS)?.[key] ?? 0));
      console.log(
        `| ${kind} | sharp ${effort} at our ${measure} | ${of('ms').toFixed(0)} | ${(ours('ms') / of('ms')).toFixed(2)} | ${(of('bytes') / 1000).toFixed(0)} | ${(ours('bytes') / of('bytes')).toFixed(3)} | | |`,
      );
    }
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      codec: { type: 'string', multiple: true },
      seed: { type: 'string', default: '1' },
      every: { type: 'string', default: '1' },
    },
  });
  const codecs = values.codec ?? Object.keys(CODECS);
  const pictures: Picture[] = [];
  for await (const picture of corpus(Number(values.seed), Number(values.every))) pictures.push(picture);
  await partThreadsReady();
  for (const codec of codecs as (keyof typeof CODECS)[]) {
    const lines: Line[] = [];
    for (const { kind, raster } of pictures) {
      const results = await race(CODECS[codec], raster, codec !== 'png');
      // Platen's encoder leaves some pictures to the library, so there is nothing to compare.
      if (results) lines.push({ kind, results });
    }
    report(codec, lines);
  }
}

await main();
