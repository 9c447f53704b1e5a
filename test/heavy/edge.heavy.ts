// Tests `platen/edge` in real runtimes: drawings without photos must have the same bytes as the server's.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compress } from 'wawoff2';
import { compose } from '#core/compose.ts';
import { resolve } from '#core/resolve/resolve.ts';
import type { Resources } from '#core/resources.ts';
import { writeSvg } from '#core/svg/write-svg.ts';
import { parseTemplate } from '#core/template/template.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { exportAs } from '#draw/output/export.ts';
import { DEFAULT_EXPORT, type Output } from '#draw/output/formats.ts';
import { loadResources } from '#draw/renderer/load-resources.ts';
import { type TemporaryFolder, temporaryFolder } from '../temporary-folder.ts';
import { meanDifference } from './edge/mean-difference.ts';
import { bundleWorker, install, RUNTIMES } from './edge/runtimes.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Faces above this size, in bytes, are left out, as they take long to send. */
const LARGEST_FACE = 1_000_000;
/** Cloudflare's runtime draws all jobs, the others one in this many. */
const SOME = 5;
/** Texts that a runtime's data of languages write otherwise: Deno's have 1.2M in British English, Node 24's 1.2m. */
const OTHER_DATA = ['deno fixtures/modifications/format.json'];

interface Job {
  readonly name: string;
  readonly template: unknown;
  readonly modifications: Readonly<Record<string, unknown>>;
  /** Indices into `fonts`. */
  readonly faces: readonly number[];
  readonly output?: Output | undefined;
  readonly scale?: number;
}
interface Answer {
  readonly png?: string;
  readonly svg?: string;
  readonly error?: string;
  readonly warnings?: readonly string[];
}

const library = await openFontLibrary({ folders: [] });
const fonts: { family: string; weight: number; style: string; data: string }[] = [];
const images: Record<string, string> = {};
const sources = {
  read: async (source: string) => {
    images[source] = readFileSync(join(ROOT, 'samples', source)).toString('base64');
    return readFileSync(join(ROOT, 'samples', source));
  },
};

/**
 * The faces that the server used, as indices into `fonts`, in the catalogue's order; null if one is larger than
 * LARGEST_FACE.
 */
function facesOf({ fonts: loaded }: Resources, needs: Parameters<typeof library.load>[0]): number[] | null {
  const used = new Set(needs.flatMap(({ query }) => loaded.chain(query).map(({ face }) => face.file)));
  if ([...used].some(({ bytes }) => bytes.length > LARGEST_FACE)) return null;
  const wanted = library.faces.filter(({ family, weight, style }) =>
    [...used].some((file) => file.family === family && file.weight === weight && file.style === style),
  );
  return wanted.map(({ family, weight, style, path }) => {
    const known = fonts.findIndex((font) => font.family === family && font.weight === weight && font.style === style);
    return known >= 0 ? known : fonts.push({ family, weight, style, data: readFileSync(path).toString('base64') }) - 1;
  });
}

/** A job and the server's drawing of it; null if the edge build does not get the job. */
async function jobOf(name: string, photos = false) {
  // The edge takes plain templates: these name brands, sizes or components.
  if (name.startsWith('fixtures/design/')) return null;
  const file = JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
  const { template, modifications = {} } = 'template' in file ? file : { template: file };
  if (typeof template === 'object' && template !== null && 'engine' in template && template.engine === 'html')
    return null;
  const scene = resolve(parseTemplate(template), modifications);
  if (scene.needs.images.length > 0 !== photos || scene.needs.hyphenation.length > 0) return null;
  const { resources } = await loadResources(scene.needs, library, sources, new AbortController().signal);
  const faces = facesOf(resources, scene.needs.fonts);
  if (!faces) return null;
  const { list } = compose(scene, resources);
  const png = Buffer.from(await exportAs('png', [list], resources, DEFAULT_EXPORT)).toString('base64');
  // The API requires at least one face, even if nothing uses it.
  return {
    job: { name, template, modifications, faces: faces.length > 0 ? faces : [0] },
    png,
    svg: writeSvg(list, resources),
    /** The server's file of another format. */
    as: (output: Output) => exportAs(output, [list], resources, DEFAULT_EXPORT),
  };
}

const plain: { job: Job; png: string; svg: string; as: (output: Output) => Promise<Uint8Array> }[] = [];
const withPhotos: { job: Job; png: string }[] = [];
/** Time limit of the set-up, ms: it makes a bundle and draws all jobs as the server does. */
const SETTING_UP = 300_000;
let folder: TemporaryFolder;
let others: Awaited<ReturnType<typeof otherFormats>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  await install(folder.path);
  for (const file of globSync('{samples,fixtures/*}/*.json', { cwd: ROOT }).sort()) {
    const made = await jobOf(file);
    if (made) plain.push(made);
  }
  for (const file of globSync('samples/*.json', { cwd: ROOT }).sort()) {
    const made = await jobOf(file, true);
    if (made) withPhotos.push(made);
  }
  others = await otherFormats();
}, SETTING_UP);
afterAll(async () => folder[Symbol.asyncDispose]());

test('most fixtures and samples are among the jobs', () => {
  const page = readFileSync(join(ROOT, 'docs/edge.md'), 'utf8');
  const [, said] = /for some (\d+) templates/.exec(page) ?? [];
  expect(Math.abs(plain.length - Number(said))).toBeLessThan(30);
  expect(withPhotos.length).toBeGreaterThan(1);
});

for (const [name, run] of Object.entries(RUNTIMES)) {
  describe.skipIf(run === null)(name, () => {
    test('draws the server’s bytes where there is no photo, and nearly its pixels where there is', async () => {
      const [first] = plain;
      const svgJob = { ...first?.job, output: 'svg' };
      const broken = { ...first?.job, template: { name: 'x', width: 10, height: 'wide' } };
      const plainHere = plain.filter(
        ({ job }, i) => (name === 'workerd' || i % SOME === 0) && !OTHER_DATA.includes(`${name} ${job.name}`),
      );
      const drawn = [...plainHere, ...withPhotos];
      const jobs = [...drawn.map(({ job }) => job), svgJob, broken];
      const answers = (await run?.(folder.path, 'edge', { fonts, images, jobs })) as Answer[];
      const problems = plainHere.flatMap(({ job, png }, i) =>
        answers[i]?.png === png ? [] : [`${job.name}: ${answers[i]?.error ?? 'other bytes'}`],
      );
      expect(problems).toEqual([]);
      for (const [i, { png, job }] of withPhotos.entries()) {
        const answer = answers[plainHere.length + i];
        expect(answer?.error, job.name).toBe(undefined);
        const difference = await meanDifference(Buffer.from(answer?.png ?? '', 'base64'), Buffer.from(png, 'base64'));
        // Decoders and the order of summation differ: 0.16 to 0.58 when this was written.
        expect(difference, job.name).toBeLessThan(1);
      }
      expect(answers.at(-2)?.svg).toBe(first?.svg);
      expect(answers.at(-1)?.error).toMatch(/^height: /);
    });
  });
}

/** The jobs of the other formats, and the server's files of them: made once for all runtimes, as WOFF2 takes seconds. */
async function otherFormats() {
  const card =
    plain.find(({ job }) => job.name === 'samples/quote-card.json') ?? expect.fail('there is no such sample');
  const plainFonts = card.job.faces.map((face) => fonts[face] ?? expect.fail('there is no such font'));
  const packed: typeof fonts = [];
  for (const font of plainFonts) {
    const woff2 = Buffer.from(await compress(Buffer.from(font.data, 'base64')));
    packed.push({ ...font, data: woff2.toString('base64') });
  }
  const job = { ...card.job, faces: [...plainFonts.keys()] };
  const clear = { ...job, template: { ...Object(job.template), background: null } };
  const jobs = [
    ...(['jpeg', 'webp', 'avif'] as const).map((output) => ({ ...job, output })),
    { ...clear, output: 'webp' },
    { ...clear, output: 'jpeg', quality: 30 },
    { ...job, output: 'webp', quality: 101 },
    { ...job, output: 'pdf' },
    { ...job, faces: job.faces.map((face) => face + packed.length) },
  ];
  const [jpeg, webp, pdf] = [await card.as('jpeg'), await card.as('webp'), await card.as('pdf')];
  return { asked: { fonts: [...plainFonts, ...packed], images: {}, jobs }, png: card.png, theirs: { jpeg, webp, pdf } };
}

for (const [name, run] of Object.entries(RUNTIMES)) {
  test.skipIf(run === null)(
    `${name}: JPEG and WebP are the server’s pictures, PDFs its words, and other formats are refused`,
    async () => {
      const { asked, png, theirs } = others;
      const answers = (await run?.(folder.path, 'edge', asked)) as Answer[];
      const files = answers.map(({ png }) => Buffer.from(png ?? '', 'base64'));
      const [jpeg, webp, , clearWebp, poor] = files as [Buffer, Buffer, Buffer, Buffer, Buffer];
      // Another encoder, of the same quality.
      expect(await meanDifference(jpeg, theirs.jpeg)).toBeLessThan(1.5);
      expect(jpeg.length).toBeLessThan(1.1 * theirs.jpeg.length);
      expect(poor.length).toBeLessThan(0.7 * jpeg.length);
      expect(webp.equals(theirs.webp)).toBe(true);
      expect(await sharp(clearWebp).metadata()).toMatchObject({ format: 'webp', hasAlpha: true });
      expect(answers[2]?.error).toMatch(
        /^output: must be one of "png", "jpeg", "webp", "pdf"; a server writes AVIF too/,
      );
      expect(answers[5]?.error).toBe('quality: must be from 1 to 100.');
      expect(answers[7]?.png).toBe(png);
      expect(answers[6]?.error).toBe(undefined);
      const pdf = files[6] as Buffer;
      expect(pdf.subarray(0, 8).toString('latin1')).toBe('%PDF-1.7');
      // The same but for the date and the identifier: text, fonts and shapes are written by the same code.
      expect(Math.abs(pdf.length - theirs.pdf.length)).toBeLessThan(400);
    },
  );
}

test.each([
  ['edge', `export { render, renderToSvg } from 'platen/edge';`, 1_206_000, /some ([\d.]+) MB \(gzip/],
  ['og', `export { ImageResponse } from 'platen/og';`, 2_760_000, /bundle is ([\d.]+) MB \(gzip/],
])('platen/%s weighs what its page says, gzip', async (name, program, most, said) => {
  const worker = await bundleWorker(folder.path, `weight-${name}`, program, { minify: true });
  const files = globSync('*.{js,wasm,bin}', { cwd: worker }).map((file) => readFileSync(join(worker, file)));
  const bytes = files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0);
  console.log(`platen/${name}: ${bytes} bytes`);
  expect(bytes).toBeLessThanOrEqual(most);
  const [, megabytes] = said.exec(readFileSync(join(ROOT, 'docs/edge.md'), 'utf8')) ?? [];
  expect(Math.abs(bytes / 1e6 - Number(megabytes))).toBeLessThan(0.1);
});
