// Loads the fonts and images that a scene needs into memory: the only step of a render that does input and output.
//
// Every source is read and inspected once, however many layers use it. A layer whose image cannot be loaded is named in
// the error, or left out if it is optional.

import { type Limiter, limiter } from '#base/concurrency/limiter.ts';
import { AppError, type ErrorCode } from '#base/errors.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import type { Point } from '#core/geometry.ts';
import type { ImageNeed, Needs } from '#core/resolve/scene.ts';
import type { ImageResource, Resources } from '#core/resources.ts';
import type { Hyphenate, Hyphenators } from '#core/text/hyphenation.ts';
import { patternsOf } from '#core/text/hyphenation-patterns.ts';
import type { FontLibrary } from '#draw/fonts/font-library.ts';
import { findFocus } from '#draw/images/focus.ts';
import { type InspectedImage, type InspectionDepth, inspectImage, pdfPageSize } from '#draw/images/inspect.ts';
import { fileDigest } from '#draw/output/file-digest.ts';
import { resourceCache } from '#draw/output/resource-cache.ts';
import { loadCodes } from './load-codes.ts';
import { withSimplified } from './simplify-images.ts';

export interface LoadedResources {
  readonly resources: Resources;
  /** Unknown families, optional images that were left out, and parts of SVG files that were. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads image files by their source. */
export interface ImageSources {
  /**
   * The file's bytes, not yet decoded; a source from outside is at most 15 MiB.
   *
   * @param onWarning called with a public sentence on what is odd about it
   * @throws AppError `url_not_allowed` or `invalid_request` with a sentence about the source
   */
  read(source: string, signal: AbortSignal, onWarning?: (sentence: string) => void): Promise<Uint8Array>;
}

/** Sources of one render that are read and decoded at the same time. */
const CONCURRENCY = 8;
/** The most bytes of all image files of one render. */
const MAX_TOTAL_BYTES = 128 * 1024 * 1024;
/** Errors that are not the image's fault: for these it is neither left out nor replaced by its fallback. */
const OURS: ReadonlySet<ErrorCode> = new Set(['overloaded', 'no_browser', 'file_damaged']);

interface KnownImage {
  readonly image: InspectedImage;
  readonly look: InspectionDepth;
  readonly foci: Map<string, Promise<Point>>;
}

/** An image of a need, and what of it is not drawn. */
interface LoadedImage {
  readonly image: ImageResource;
  readonly leftOut: readonly string[];
}

/** Cached by the SHA-256 of the file: equal bytes are the same image, whichever account sent them. */
const known = resourceCache.of<KnownImage>('image files');

/** Null if the file was not inspected yet, or less thoroughly than `look`. */
function knownImage(bytes: Uint8Array, look: InspectionDepth): KnownImage | null {
  const found = known.get(fileDigest(bytes));
  return found && (found.look === 'pixels' || look === 'header') ? found : null;
}

async function inspect(bytes: Uint8Array, look: InspectionDepth): Promise<KnownImage> {
  const inspected = { image: await inspectImage(bytes, look), look, foci: new Map<string, Promise<Point>>() };
  // Only a sanitised SVG is another array than the file.
  const more = inspected.image.bytes === bytes ? 0 : inspected.image.bytes.length;
  known.set(fileDigest(bytes), inspected, bytes.length + more);
  return inspected;
}

function focusOf({ image, foci }: KnownImage, wish: ImageNeed['focus']): Promise<Point> | null {
  if (wish === null) return null;
  const key = `${wish.by} ${wish.aspect}`;
  const before = foci.get(key);
  if (before) return before;
  const focus = findFocus(image, wish.by, wish.aspect);
  // A caller may request any number of aspects of one image.
  if (foci.size < 16) foci.set(key, focus);
  focus.catch(() => foci.delete(key));
  return focus;
}

/** What becomes of pages of PDF files, which no picture shows: it is left out of a preview, so that the rest is seen. */
export type Papers = 'shown' | 'left-out' | 'refused';

class PaperInPicture extends AppError {
  constructor() {
    super('invalid_request', 'a PDF is shown in PDFs alone; give the layer a `fallback` for other outputs.');
  }
}

/** Reads and inspects the images of one render. */
class ImageLoader {
  readonly #sources: ImageSources;
  readonly #signal: AbortSignal;
  readonly #look: InspectionDepth;
  readonly papers: Papers;
  /** null if there are so few images that none has to wait. */
  readonly #limit: Limiter | null;
  readonly #bySource = new Map<string, Promise<KnownImage>>();
  /** By source. */
  readonly #warnings = new Map<string, string[]>();
  #bytes = 0;

  constructor(sources: ImageSources, signal: AbortSignal, look: InspectionDepth, images: number, papers: Papers) {
    this.#sources = sources;
    this.#signal = signal;
    this.#look = look;
    this.papers = papers;
    this.#limit = images > CONCURRENCY ? limiter(CONCURRENCY) : null;
  }

  /** Warnings about the sources that were read, once for each, with the first layer that has it. */
  warningsOf(needs: readonly ImageNeed[]): readonly Diagnostic[] {
    return [...this.#warnings].flatMap(([source, sentences]) => {
      const { layer = '' } = needs.find(({ sources }) => sources.includes(source)) ?? {};
      const about = (sentence: string) => `Image of layer ${JSON.stringify(layer)}: ${uncapitalized(sentence)}`;
      return sentences.map((sentence) => ({ code: 'page-cut-short', layer, message: about(sentence) }) as const);
    });
  }

  /** Loads the first source of a need that is available. If none is, throws the error of the first source. */
  async load(need: ImageNeed): Promise<LoadedImage> {
    let failure: unknown = null;
    for (const [index, source] of need.sources.entries()) {
      try {
        const found = await this.#read(source);
        const { leftOut = [], ...image } = found.image;
        if (image.format === 'pdf') return { image: await this.#paper(image, need), leftOut };
        return { image: { key: need.key, ...image, focus: await focusOf(found, need.focus) }, leftOut };
      } catch (error) {
        this.#signal.throwIfAborted();
        if (!(error instanceof AppError) || OURS.has(error.code)) throw error;
        if (index === 0) failure = error;
      }
    }
    throw failure ?? new AppError('invalid_request', 'There is no source.');
  }

  /** A page of a PDF, whose vectors go into PDFs alone. */
  async #paper(image: InspectedImage, { key, page = 1 }: ImageNeed): Promise<ImageResource> {
    if (this.papers !== 'shown') throw new PaperInPicture();
    return { key, ...image, ...(await pdfPageSize(image.bytes, page)), page, focus: null };
  }

  #read(source: string): Promise<KnownImage> {
    let reading = this.#bySource.get(source);
    if (!reading) {
      const read = () => this.#readNow(source);
      reading = this.#limit ? this.#limit(read) : read();
      this.#bySource.set(source, reading);
    }
    return reading;
  }

  async #readNow(source: string): Promise<KnownImage> {
    this.#signal.throwIfAborted();
    const warn = (sentence: string) => this.#warnings.set(source, [...(this.#warnings.get(source) ?? []), sentence]);
    const bytes = await this.#sources.read(source, this.#signal, warn);
    this.#bytes += bytes.length;
    if (this.#bytes > MAX_TOTAL_BYTES) {
      throw new AppError('invalid_request', `All images together are larger than ${MAX_TOTAL_BYTES / 2 ** 20} MiB.`);
    }
    return knownImage(bytes, this.#look) ?? inspect(bytes, this.#look);
  }
}

/** Lower-cases the first letter, for use within another sentence: `the server answered 404.` */
function uncapitalized(sentence: string): string {
  return sentence.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

/** The error with the layer's name in its public message. */
function named(layer: string, error: unknown): unknown {
  if (!(error instanceof AppError) || !/^(invalid_request|url_not_allowed)$/.test(error.code)) return error;
  const message = `Image of layer ${JSON.stringify(layer)} could not be loaded: ${uncapitalized(error.message)}`;
  return new AppError(error.code, message, { cause: error.cause ?? error });
}

/** An image, or the reason why its layer is left out. */
async function loadImage(loader: ImageLoader, need: ImageNeed): Promise<LoadedImage | Diagnostic> {
  try {
    return await loader.load(need);
  } catch (error) {
    if (error instanceof PaperInPicture && loader.papers === 'left-out') {
      const message = `Image of layer ${JSON.stringify(need.layer)}: letter paper is not in this preview; it is in the PDF. A \`fallback\` is shown in pictures.`;
      return { code: 'image-simplified', layer: need.layer, message };
    }
    const shown = named(need.layer, error);
    if (!need.optional || !(shown instanceof AppError) || OURS.has(shown.code)) throw shown;
    const message = /^(invalid_request|url_not_allowed)$/.test(shown.code)
      ? `${shown.message} It was left out.`
      : `Image of layer ${JSON.stringify(need.layer)} was left out: ${shown.message}`;
    return { code: 'image-left-out', layer: need.layer, message };
  }
}

function simplified(layer: string, leftOut: readonly string[]): Diagnostic {
  const message = `Image of layer ${JSON.stringify(layer)}: ${leftOut.join(', ')} cannot be drawn and ${leftOut.length > 1 ? 'were' : 'was'} left out.`;
  return { code: 'image-simplified', layer, message };
}

/**
 * Loads everything that a scene needs, concurrently.
 *
 * @param papers whether pages of PDF files are shown, or left out with a warning
 * @param look how images are inspected; after `header`, drawing one may throw `DamagedImage`: then load with `pixels`
 * @throws AppError `invalid_request` naming the layer whose image cannot be loaded or decoded, or `url_not_allowed`;
 *   the signal's reason when that is aborted
 */
export async function loadResources(
  needs: Needs,
  fonts: Pick<FontLibrary, 'load'>,
  sources: ImageSources,
  signal: AbortSignal,
  look: InspectionDepth = 'pixels',
  papers: Papers = 'refused',
): Promise<LoadedResources> {
  // One failure aborts reading all the others.
  const failed = new AbortController();
  // Without images no combined signal is made: it would cost more than everything else.
  const { images: wanted } = needs;
  const loader =
    wanted.length > 0
      ? new ImageLoader(sources, AbortSignal.any([signal, failed.signal]), look, wanted.length, papers)
      : null;
  const loading = loader ? wanted.map((need) => loadImage(loader, need)) : [];
  try {
    const [loadedFonts, results, codes, hyphenators, charts] = await Promise.all([
      fonts.load(needs.fonts),
      Promise.all(loading),
      loadCodes(needs.codes),
      loadHyphenators(needs.hyphenation),
      needs.charts ? import('#core/chart/draw-chart.ts') : null,
    ]);
    const images = new Map<string, ImageResource>();
    const leftOut: Diagnostic[] = [];
    for (const [index, result] of results.entries()) {
      if (!('image' in result)) {
        leftOut.push(result);
        continue;
      }
      images.set(result.image.key, await withSimplified(result.image, fonts));
      if (result.leftOut.length > 0) leftOut.push(simplified(needs.images[index]?.layer ?? '', result.leftOut));
    }
    return {
      resources: { fonts: loadedFonts.fonts, images, codes, hyphenators, ...charts },
      diagnostics: [...loadedFonts.diagnostics, ...leftOut, ...(loader?.warningsOf(wanted) ?? [])],
    };
  } catch (error) {
    failed.abort(error);
    throw error;
  }
}

// Loads the hyphenators of languages. The library and a language's patterns are read when a render first needs them.

const loading = new Map<string, Promise<Hyphenate>>();

/** One for each language tag that has patterns; the others are left out. */
export async function loadHyphenators(languages: readonly string[]): Promise<Hyphenators> {
  const loaded = languages.map(async (language) => {
    const patterns = patternsOf(language);
    if (patterns === null) return [];
    const known = loading.get(patterns) ?? load(patterns);
    loading.set(patterns, known);
    return [[language, await known] as const];
  });
  return new Map((await Promise.all(loaded)).flat());
}

async function load(patterns: string): Promise<Hyphenate> {
  const { hyphenator } = await import('#core/text/hyphenator.ts');
  const { default: definition } = await import(`hyphen/patterns/${patterns}.js`);
  return hyphenator(definition);
}
