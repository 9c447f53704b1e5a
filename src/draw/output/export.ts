// Exports a display list as a file's bytes: the raster back end draws pixels for the encoders, and the back ends of PDF
// and SVG write vectors.

import { AppError } from '#base/errors.ts';
import { nextTurn, timeWorked } from '#base/runtime.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import type { AllRead } from '#core/template/validation.ts';
import {
  type EncodeOptions,
  encodeFastPng,
  encodeJpeg,
  encodePrintJpeg,
  encodeRaster,
  type RasterFormat,
} from '#draw/encoders/encode.ts';
import type { Band } from '#draw/encoders/png/band-encoder.ts';
import { returnPixels } from '#draw/images/pixel-pool.ts';
import { scaleToPixels } from '#draw/images/scale.ts';
import type { ExportOptions, Output } from './formats.ts';
import type { PixelTools } from './pdf/write-pdf.ts';
import { MOST_TIME, type RasterOptions, rasterize, rasterizeForPng, rasterizeOnWhite } from './raster/rasterize.ts';
import { resourceCache } from './resource-cache.ts';
import { VectorPictures } from './vector-pictures.ts';

const keptBands = resourceCache.of<Band>('encoded bands');

/** The creation date of reproducible files. */
const ANY_DAY = new Date('2000-01-01T00:00:00Z');

/** `warn` is told what became otherwise in a PDF than it was asked for. */
type Watched = Pick<RasterOptions, 'signal' | 'pause' | 'mostTime'> & { readonly warn?: (odd: Diagnostic) => void };

/** The limit of time holds for all pictures of a PDF together, without pauses. */
function pixelTools({ mostTime = MOST_TIME, pause = nextTurn, ...options }: Watched): PixelTools {
  let end = timeWorked() + mostTime;
  const uncounted = async () => {
    const since = timeWorked();
    await pause();
    end += timeWorked() - since;
  };
  return {
    crop: scaleToPixels,
    encodeJpeg: encodePrintJpeg,
    rasterize: (list, resources, scale) =>
      rasterize(list, resources, scale, {
        ...options,
        pause: uncounted,
        mostTime: end - timeWorked(),
        snapsLetters: false,
      }),
  };
}

/** Pictures show the first page. What an exporter reads of the options is in its type. */
type Exporter<Read extends keyof ExportOptions = keyof ExportOptions> = (
  pages: Iterable<DisplayList>,
  resources: Resources,
  options: Pick<ExportOptions, Read>,
  watched: Watched,
) => Promise<Uint8Array>;
type PictureExporter = Exporter<'scale' | keyof EncodeOptions>;

function firstOf(pages: Iterable<DisplayList>): DisplayList {
  for (const list of pages) return list;
  throw new Error('There is at least one page.');
}

/** The first page with its SVG pictures as vectors, and the resources that it then needs. */
function pictureOf(pages: Iterable<DisplayList>, loaded: Resources): readonly [DisplayList, Resources] {
  const vectors = new VectorPictures(loaded);
  const page = firstOf(pages);
  const ops = vectors.drawn(page.ops);
  return [ops === page.ops ? page : { ...page, ops }, vectors.facesIn(loaded)];
}

// Pixels are not returned after a failed encoding: an encoder thread may still be reading them.

const exportPng: PictureExporter = async (pages, resources, options, watched) => {
  if (options.compression !== 'fast') return exportPixels('png')(pages, resources, options, watched);
  const picture = await rasterizeForPng(...pictureOf(pages, resources), options.scale, watched);
  const bytes = await encodeFastPng(picture, keptBands);
  returnPixels('indices' in picture ? picture.indices : picture.pixels);
  return bytes;
};

const exportJpeg: PictureExporter = async (pages, resources, options, watched) => {
  const pixels = await rasterizeOnWhite(...pictureOf(pages, resources), options.scale, watched);
  const bytes = await encodeJpeg(pixels, options);
  returnPixels(pixels.data);
  return bytes;
};

const exportPixels =
  (format: Exclude<RasterFormat, 'jpeg'>): PictureExporter =>
  async (pages, resources, options, watched) => {
    const raster = await rasterize(...pictureOf(pages, resources), options.scale, watched);
    const bytes = await encodeRaster(raster, format, options);
    returnPixels(raster.pixels);
    return bytes;
  };

/** Most bytes of the pictures of an SVG, which holds each once, in base64. */
const MOST_EMBEDDED = 64_000_000;

/** @throws AppError `invalid_request` */
function checkEmbedded({ ops }: DisplayList, { images }: Resources): void {
  const used = new Set<string>();
  const collect = (some: readonly PaintOp[]): void => {
    for (const op of some) {
      if (op.kind === 'image') used.add(op.image);
      if (op.kind === 'group') collect([...op.ops, ...(op.mask ?? [])]);
    }
  };
  collect(ops);
  const bytes = [...used].reduce((sum, id) => sum + (images.get(id)?.bytes.length ?? 0), 0);
  if (bytes <= MOST_EMBEDDED) return;
  throw new AppError(
    'invalid_request',
    `The pictures of an svg can have at most ${MOST_EMBEDDED / 1e6} MB together, and these have ${Math.ceil(bytes / 1e6)}; use smaller ones, or choose pdf.`,
  );
}

const exportSvg: Exporter<never> = async (pages, resources) => {
  const list = firstOf(pages);
  const { writeSvg } = await import('#core/svg/write-svg.ts');
  checkEmbedded(list, resources);
  return Buffer.from(writeSvg(list, resources));
};

const exportPdf: Exporter<'pdf'> = async (pages, resources, options, watched) => {
  const { writePdf } = await import('./pdf/write-pdf.ts');
  const { reproducible = false, ...properties } = options.pdf ?? {};
  const createdAt = reproducible ? ANY_DAY : new Date();
  const { signal, warn } = watched;
  return writePdf(pages, resources, { properties, createdAt, tools: pixelTools(watched), signal, warn });
};

const EXPORTERS = {
  png: exportPng,
  jpeg: exportJpeg,
  webp: exportPixels('webp'),
  avif: exportPixels('avif'),
  svg: exportSvg,
  pdf: exportPdf,
} satisfies Record<Output, Exporter>;

type KeysOf<Options> = Options extends unknown ? keyof Options : never;
/** Options that no exporter reads, nor who chooses pages and marks them. */
type Unread = Exclude<
  keyof ExportOptions,
  KeysOf<Parameters<(typeof EXPORTERS)[Output]>[2]> | 'page' | 'paged' | 'isPreview' | 'watermark'
>;

/**
 * Equal lists, resources and options give equal bytes in every process. A PDF contains its creation time unless
 * `reproducible` is set.
 *
 * @param pages of a PDF, each is drawn before the next one is asked for; other outputs show the first
 * @param watched aborts painting and encoding, or yields to other work, between two operations
 * @throws AppError `invalid_request` when the raster would be larger than can be drawn or encoded, or the pictures of an
 *   SVG larger than `MOST_EMBEDDED`
 */
export const exportAs = (
  output: Output,
  pages: Iterable<DisplayList>,
  resources: Resources,
  options: AllRead<ExportOptions, Unread>,
  watched: Watched = {},
): Promise<Uint8Array> => EXPORTERS[output](pages, resources, options, watched);
