// Builds small PDF pages from paint operations, and reads them by their bytes and with other programs.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { Color } from '#core/color.ts';
import { IDENTITY } from '#core/geometry.ts';
import type { Brush, GroupOp, PaintOp } from '#core/paint/display-list.ts';
import type { PathData } from '#core/path.ts';
import type { ImageResource } from '#core/resources.ts';
import type { DocumentProperties } from '#core/template/document-properties.ts';
import type { FontFace } from '#core/text/font-face.ts';
import { encodePrintJpeg } from '#draw/encoders/encode.ts';
import type { Pixels } from '#draw/images/raster.ts';
import { scaleToPixels } from '#draw/images/scale.ts';
import { type PdfPages, type PixelTools, writePdf } from '#draw/output/pdf/write-pdf.ts';
import { unfiltered } from '../../../golden/pdf-file.ts';
import { fontSet, INTER } from './shaping.ts';

export function rgb(r: number, g: number, b: number, a = 1): Color {
  return { r, g, b, a };
}

export function solid(r: number, g: number, b: number, a = 1): Brush {
  return { kind: 'solid', color: rgb(r, g, b, a) };
}

export function rect(x: number, y: number, width: number, height: number): PathData {
  return [['M', x, y], ['L', x + width, y], ['L', x + width, y + height], ['L', x, y + height], ['Z']];
}

export function fill(path: PathData, brush: Brush): PaintOp {
  return { kind: 'fill', path, rule: 'nonzero', brush };
}

export function group(ops: readonly PaintOp[], more: Partial<GroupOp> = {}): GroupOp {
  return {
    kind: 'group',
    transform: IDENTITY,
    opacity: 1,
    blend: 'normal',
    clip: null,
    filters: [],
    text: null,
    ops,
    ...more,
  };
}

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly faces?: readonly FontFace[];
  readonly images?: readonly ImageResource[];
  readonly properties?: DocumentProperties;
  readonly tools?: Partial<PixelTools>;
  readonly signal?: AbortSignal;
}

export async function page(ops: readonly PaintOp[], options: PageOptions = {}): Promise<Uint8Array> {
  const { width = 200, height = 100 } = options;
  return await pages([{ width, height, ops }], options);
}

export async function pages(lists: PdfPages, options: Omit<PageOptions, 'width' | 'height'> = {}): Promise<Uint8Array> {
  const { faces = [INTER], images = [], properties, signal } = options;
  return await writePdf(
    lists,
    {
      fonts: fontSet(...faces),
      images: new Map(images.map((image) => [image.key, image])),
      codes: new Map(),
      hyphenators: new Map(),
    },
    { properties, createdAt: new Date(0), tools: { ...TOOLS, ...options.tools }, signal },
  );
}

/** A test that needs to rasterise a group passes its own tool. */
const TOOLS: PixelTools = {
  crop: scaleToPixels,
  encodeJpeg: encodePrintJpeg,
  rasterize: () => Promise.reject(new Error('This test has no rasteriser.')),
};

/**
 * Returns the content streams of the page and its forms, inflated, in the order of the file; no fonts, images or CMaps,
 * and without what marks content.
 */
export function operators(pdf: Uint8Array): readonly string[] {
  return streams(pdf)
    .filter(
      ({ dictionary }) =>
        /\/Subtype \/Form/.test(dictionary) || !/\/(Subtype|ShadingType|Width|XRef|ObjStm)/.test(dictionary),
    )
    .map(({ text }) => withoutMarks(text))
    .filter((text) => !/^(\/CIDInit|<\?xpacket)/.test(text));
}

/** Without the operators that say what is an artefact, and what is of an element. */
const withoutMarks = (text: string) =>
  text.replace(/^(\/Artifact (BMC|<<.*>> BDC)|EMC|\/\w+<<\/MCID \d+>>BDC)(\n|$)/gm, '').replace(/\n$/, '');

/** Returns everything but the content: the dictionaries of streams, and the objects without a stream. */
export function objects(pdf: Uint8Array): string {
  return streams(pdf)
    .map(({ dictionary, text }) => (dictionary.includes('/ObjStm') ? text : dictionary))
    .join('\n');
}

export function streams(pdf: Uint8Array): readonly { readonly dictionary: string; readonly text: string }[] {
  const file = Buffer.from(pdf);
  const found: { dictionary: string; text: string }[] = [];
  for (let at = file.indexOf('\nstream\n'); at >= 0; at = file.indexOf('\nstream\n', at + 1)) {
    const dictionary = file.subarray(file.lastIndexOf(' obj\n', at), at).toString('latin1');
    const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1]);
    const bytes = file.subarray(at + 8, at + 8 + length);
    const isDeflated = dictionary.includes('/FlateDecode');
    const isText = isDeflated && !/\/Type \/XRef|\/Subtype \/Image/.test(dictionary);
    const columns = /\/DecodeParms <<[^>]*\/Columns (\d+)/.exec(dictionary)?.[1];
    const text = isText ? inflateSync(bytes) : bytes;
    found.push({
      dictionary,
      text: (isText && columns ? unfiltered(text, 10 * Number(columns), 10) : text).toString('latin1'),
    });
  }
  return found;
}

/** Whether a command-line tool is installed. */
export function has(tool: string): boolean {
  return spawnSync(tool, ['--version']).error === undefined;
}

/** Of the text of ten thousand pages, bytes. */
const MOST_PRINTED = 2 ** 26;

/** Runs a tool on a PDF and returns what it prints. */
export function ask(tool: string, pdf: Uint8Array, before: readonly string[], after: readonly string[] = []): string {
  return withFile(pdf, (path) =>
    execFileSync(tool, [...before, path, ...after], { encoding: 'utf8', maxBuffer: MOST_PRINTED }),
  );
}

/** Rasterises the page with poppler; at 96 dpi one pixel is one canvas px. */
export async function render(pdf: Uint8Array, dpi = 96): Promise<Pixels> {
  const png = withFile(pdf, (path) => {
    const out = path.replace(/\.pdf$/, '');
    execFileSync('pdftoppm', ['-r', String(dpi), '-png', '-singlefile', path, out]);
    return readFileSync(`${out}.png`);
  });
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 3, data };
}

/** `r,g,b` of the pixel at (x, y). */
export function pixel({ width, channels, data }: Pixels, x: number, y: number): string {
  const at = (y * width + x) * channels;
  return data.subarray(at, at + 3).join(',');
}

function withFile<T>(pdf: Uint8Array, use: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'platen-pdf-'));
  try {
    const path = join(folder, 'page.pdf');
    writeFileSync(path, pdf);
    return use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
