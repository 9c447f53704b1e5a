// Renders in the calling thread: template and modifications → scene → resources → display list → bytes.
//
// Each value is complete before the next step begins; only loading resources waits for input and output.

import { NEVER } from '#base/concurrency/deadline.ts';
import { watchOwnThread } from '#base/concurrency/fair-deadline.ts';
import { Gate, overloaded } from '#base/concurrency/gate.ts';
import { RoundRobin } from '#base/concurrency/round-robin.ts';
import { AppError } from '#base/errors.ts';
import { composePages, namingInks } from '#core/compose.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import type { AvailableFace } from '#core/fonts/match-face.ts';
import type { Size } from '#core/geometry.ts';
import { describeLayout } from '#core/layout/describe-layout.ts';
import { layOut } from '#core/layout/layout.ts';
import { YogaTreeCache } from '#core/layout/yoga-tree-cache.ts';
import { LruCache } from '#core/lru-cache.ts';
import type { DisplayList } from '#core/paint/display-list.ts';
import { withWatermark } from '#core/paint/watermark.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { isHtmlPage, resolveAny } from '#core/resolve/resolve-any.ts';
import type { HtmlPage } from '#core/resolve/resolve-html.ts';
import type { Needs, Scene } from '#core/resolve/scene.ts';
import type { Resources } from '#core/resources.ts';
import { type AnyTemplate, parseAnyTemplate } from '#core/template/any-template.ts';
import { MAX_SIDE } from '#core/template/size.ts';
import type { FontLibrary } from '#draw/fonts/font-library.ts';
import { OwnFonts } from '#draw/fonts/own-fonts.ts';
import { isDataUri, readImageUri } from '#draw/images/data-uri.ts';
import { isHeavy } from '#draw/images/decode-image.ts';
import { costOf, type InspectionDepth, inspectImage } from '#draw/images/inspect.ts';
import { hasWaitedForMemory, waitedForMemory } from '#draw/images/memory-budget.ts';
import { freePixelBytes } from '#draw/images/pixel-pool.ts';
import { DamagedImage } from '#draw/images/scale.ts';
import { exportAs } from '#draw/output/export.ts';
import { bled, type ExportOptions, isVector, type Output, pagesFor } from '#draw/output/formats.ts';
import { freeKernelBytes } from '#draw/output/raster/kernel-pool.ts';
import { namingLayer } from '#draw/output/raster/too-much-to-draw.ts';
import { resourceCache } from '#draw/output/resource-cache.ts';
import { CanvasMemory, canvasBytes } from './canvas-memory.ts';
import { type ImageSources, type LoadedResources, loadResources, type Papers } from './load-resources.ts';
import type { PageScene } from './page-scene.ts';
import type {
  Drawing,
  DrawingJob,
  InspectedFile,
  MeasuredLayout,
  Renderer,
  RendererStatus,
  Subject,
  Supplies,
} from './renderer.ts';
import { type Begins, Stopwatch } from './stopwatch.ts';
import { type RenderStage, tooMuchToRender } from './too-much-to-render.ts';
import { warmUp } from './warm-up.ts';

export interface LocalRendererOptions {
  readonly library: FontLibrary;
  /** Jobs that use a processor at the same time. */
  readonly concurrency: number;
  /** How long painting one picture may take, ms; the rasteriser's own limit if absent. */
  readonly paintTime?: number | undefined;
  /** Exports a display list as a file; a test may replace it. */
  readonly exportAs?: typeof exportAs;
  /** Memory for large pictures; a test may give less. */
  readonly canvases?: CanvasMemory;
}

/** Jobs that may wait for a processor; callers hold back any more than these. */
const WAITING = 64;
/**
 * Limits of jobs whose images are so large that drawing waits for memory, kept apart so that other jobs need not wait.
 */
const HEAVY = { concurrency: 4, waiting: WAITING };
/**
 * From which share of waiting on a late picture is due to load: one that drew for less than two thirds of its 30 s
 * would not have reached the painter's own limit.
 */
const WAITED = 1 / 3;
/** Limit of cached templates: total length of their JSON, characters. Parsed, each takes some six times its length. */
const TEMPLATES = 8_000_000;

/** If memory was waited for this shortly before a render's timeout, its error names that as the cause, ms. */
const MEMORY_WAIT = 15_000;

type Load = (needs: Needs, look: InspectionDepth, faces?: readonly AvailableFace[]) => Promise<LoadedResources>;

export class LocalRenderer implements Renderer {
  readonly #library: FontLibrary;
  readonly #fonts: OwnFonts;
  readonly #gate: Gate;
  readonly #heavy = new Gate(HEAVY);
  readonly #trees = new YogaTreeCache();
  readonly #processor = new CooperativeScheduler();
  readonly #canvases: CanvasMemory;
  readonly #paintTime: { readonly mostTime?: number };
  readonly #exportAs: typeof exportAs;
  readonly #templates = new LruCache<string, AnyTemplate>(TEMPLATES);

  constructor(options: LocalRendererOptions) {
    this.#library = options.library;
    this.#fonts = new OwnFonts(options.library);
    this.#gate = new Gate({ concurrency: options.concurrency, waiting: WAITING, spare: 1 });
    this.#exportAs = options.exportAs ?? exportAs;
    this.#canvases = options.canvases ?? new CanvasMemory();
    this.#paintTime = options.paintTime === undefined ? {} : { mostTime: options.paintTime };
  }

  /** @param begins called with each stage, and when its work goes on */
  async draw(job: DrawingJob, supplies: Supplies, signal: AbortSignal, begins: Begins = () => {}): Promise<Drawing> {
    const watch = new Stopwatch(begins);
    return this.#blamed(job, watch, async () => {
      watch.begin('resolve');
      const template = await this.#template(job, supplies);
      const drawable = resolveAny(template, job.modifications);
      const load = this.#loader(job, supplies, signal, papersIn(job, drawable));
      const images = suppliedImages(job, supplies);
      const own = isHtmlPage(drawable) ? await ownScene(drawable, job, images, signal) : null;
      watch.lap('resolve');
      watch.begin('load');
      const scene = own?.scene ?? drawable;
      const drawing = await decodedOnce(job.output, (look) =>
        isHtmlPage(scene)
          ? this.#drawPage(job, scene, (needs) => load(needs, look), signal, watch)
          : this.#drawScene(job, scene, (needs) => load(needs, look, own?.faces), signal, watch),
      );
      const diagnostics = [...drawing.diagnostics, ...(own?.diagnostics ?? [])];
      return { ...drawing, diagnostics, stages: watch.laps };
    });
  }

  /** Names what took too long, unless that was the machine. */
  async #blamed<T>(
    subject: Pick<Subject, 'heaviest'>,
    of: { readonly stage: RenderStage | null },
    work: () => Promise<T>,
  ): Promise<T> {
    const lacksProcessor = watchOwnThread();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TooLate)) throw error;
      throw (await lacksProcessor()) ? overloaded(error) : tooMuchToRender('time', of.stage, subject, error);
    }
  }

  async measure(
    subject: Subject,
    supplies: Supplies,
    signal: AbortSignal,
    begins: Begins = () => {},
  ): Promise<MeasuredLayout> {
    begins('resolve');
    const template = await this.#template(subject, supplies);
    if (template.engine === 'html') throw new Error('An html template has no layout to measure.');
    const scene = resolve(template, subject.modifications);
    const load = this.#loader(subject, supplies, signal, 'shown');
    return this.#blamed(subject, { stage: 'load' }, async () => {
      const { resources, diagnostics } = await inTime(signal, load(scene.needs, 'pixels'));
      return this.#gate.pass(
        signal,
        async () => {
          begins('compose');
          const { boxes, diagnostics: odd } = layOut(scene, resources, { trees: this.#trees });
          return {
            layout: JSON.stringify(describeLayout(scene, boxes)),
            diagnostics: [...scene.diagnostics, ...odd, ...diagnostics],
          };
        },
        subject.fairnessKey,
      );
    });
  }

  async inspect(file: Uint8Array, signal: AbortSignal = NEVER): Promise<InspectedFile> {
    return this.#blamed({}, { stage: 'inspect' }, async () => {
      const { format, width, height } = await inTime(signal, inspectImage(file));
      return { format, width, height };
    });
  }

  warmUp(): Promise<void> {
    return warmUp(this.#library, () => this.#gate.running > 0);
  }

  async status(): Promise<RendererStatus> {
    return {
      keptBytes: [...resourceCache.bytesByKind, ['free pixels', freePixelBytes()], ['free kernels', freeKernelBytes()]],
      templates: this.#templates.size,
      running: this.#gate.running,
      waiting: this.#gate.waiting,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #template({ template: key }: Subject, supplies: Supplies): Promise<AnyTemplate> {
    const known = this.#templates.get(key);
    if (known) return known;
    const document = await supplies.template();
    const template = parseAnyTemplate(JSON.parse(document));
    this.#templates.set(key, template, document.length);
    return template;
  }

  #loader(subject: Subject, supplies: Supplies, signal: AbortSignal, papers: Papers): Load {
    const images = suppliedImages(subject, supplies);
    return async (needs, look, faces = []) => {
      const fonts = await this.#fonts.libraryOf(needs.fonts.length === 0 ? '' : subject.fonts, () => supplies.fonts());
      const all = faces.length > 0 ? fonts.with(faces) : fonts;
      return loadResources(needs, all, images, signal, look, papers);
    };
  }

  async #drawScene(
    job: DrawingJob,
    scene: Scene,
    load: (needs: Needs) => Promise<LoadedResources>,
    signal: AbortSignal,
    watch: Stopwatch,
  ): Promise<Drawing> {
    const { resources, diagnostics: found } = await inTime(signal, load(scene.needs));
    watch.lap('load');
    const { output, options } = job;
    return this.#whenAdmitted(job, sheetOf(scene, options), resources, signal, watch, async (pause) => {
      watch.lap('wait');
      watch.begin('compose');
      const { pages, lists, diagnostics } = composePages(
        bled(scene, options),
        resources,
        pagesFor(output, options),
        this.#trees,
      );
      watch.lap('compose');
      watch.begin('export');
      const odd: Diagnostic[] = [];
      const warn = (each: Diagnostic) => odd.push(...namingInks(each, scene));
      const bytes = await namingLayer(scene, resources, () =>
        this.#exportAs(output, marked(lists, options), resources, options, { signal, pause, warn, ...this.#paintTime }),
      );
      watch.lap('export');
      return { bytes, ...(pages > 1 && { pages }), diagnostics: [...diagnostics, ...found, ...odd] };
    });
  }

  /**
   * Runs work on a picture of this size when there is memory and a processor for it, until the deadline.
   *
   * @throws AppError `overloaded` when it was late because it waited for others; TooLate when it was itself slow
   */
  async #whenAdmitted<T>(
    { output, options, fairnessKey }: DrawingJob,
    size: Size,
    resources: Resources,
    signal: AbortSignal,
    watch: Stopwatch,
    work: (pause: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const begun = performance.now();
    /** Until it has begun, it waits; then only while others have the processor. */
    let waited = Number.POSITIVE_INFINITY;
    const pause = async () => {
      const since = performance.now();
      await this.#processor.pause(fairnessKey);
      waited += performance.now() - since;
      watch.goOn();
    };
    const drawn = this.#canvases.run(canvasBytes(size, output, options), fairnessKey, signal, () =>
      this.#gateFor(resources).pass(
        signal,
        async () => {
          waited = performance.now() - begun;
          await pause();
          // Abandoned work must not begin: shaping cannot be interrupted.
          signal.throwIfAborted();
          return inTime(signal, work(pause));
        },
        fairnessKey,
      ),
    );
    return inTime(signal, drawn).catch((error: unknown) => {
      if (!(error instanceof TooLate) || waited < WAITED * (performance.now() - begun)) throw error;
      throw overloaded(error);
    });
  }

  #gateFor({ images }: Resources): Gate {
    return [...images.values()].some((image) => isHeavy(costOf(image))) ? this.#heavy : this.#gate;
  }

  /** Like `#drawScene`, for an html page that satori lays out. */
  async #drawPage(
    job: DrawingJob,
    page: HtmlPage,
    load: (needs: Needs) => Promise<LoadedResources>,
    signal: AbortSignal,
    watch: Stopwatch,
  ): Promise<Drawing> {
    // Loaded here because most servers draw no html templates, and its libraries take memory.
    const { composeHtml } = await import('#draw/html/compose-html.ts');
    watch.begin('compose');
    const { list, resources, diagnostics } = await inTime(signal, composeHtml(page, load));
    // Satori loads its fonts and pictures during layout, so there is no separate lap for loading.
    watch.lap('compose');
    const { output, options } = job;
    const bytes = await this.#whenAdmitted(job, list, resources, signal, watch, (pause) => {
      watch.lap('wait');
      watch.begin('export');
      const lists = marked([list], options);
      return this.#exportAs(output, lists, resources, options, { signal, pause, ...this.#paintTime });
    });
    watch.lap('export');
    return { bytes, diagnostics };
  }
}

/** The scene of a page that our own engine lays out; null = satori does. */
async function ownScene(
  page: HtmlPage,
  { output, options }: Pick<DrawingJob, 'output' | 'options'>,
  images: ImageSources,
  signal: AbortSignal,
): Promise<PageScene | null> {
  const { openPageScene } = await import('./page-scene.ts');
  return inTime(
    signal,
    openPageScene(page, output, options, (source) => images.read(source, signal)),
  );
}

const papersIn = ({ output, options }: DrawingJob, drawable: Scene | HtmlPage): Papers =>
  output === 'pdf' && !isHtmlPage(drawable) ? 'shown' : options.isPreview ? 'left-out' : 'refused';

/** The lists, with a watermark where that is wanted. */
function marked(lists: Iterable<DisplayList>, { watermark }: ExportOptions): Iterable<DisplayList> {
  if (!watermark) return lists;
  return {
    *[Symbol.iterator]() {
      for (const list of lists) yield withWatermark(list);
    },
  };
}

/**
 * Draws with images of which only the header was read, so that a new photo is decoded only once, when it is scaled. If
 * that fails, draws again with every image decoded first: then the layer is named, left out, or uses its fallback.
 */
async function decodedOnce<T>(output: Output, drawWith: (look: InspectionDepth) => Promise<T>): Promise<T> {
  // Vectors may embed a picture as it is, without ever decoding it.
  if (isVector(output)) return drawWith('pixels');
  try {
    return await drawWith('header');
  } catch (error) {
    if (!(error instanceof DamagedImage)) throw error;
    return drawWith('pixels');
  }
}

/** The largest size that the sheet may have. */
function sheetOf({ width, height, page }: Scene, { paged }: ExportOptions): Size {
  return { width, height: page && paged === false ? MAX_SIDE : height };
}

/** The deadline has passed. */
class TooLate extends Error {
  override readonly name = 'TooLate';
}

/** Waits for `work` until the deadline; work that ignores the signal is abandoned. @throws TooLate */
async function inTime<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    return await Promise.race([late, work]);
  } catch (cause) {
    if (!signal.aborted || cause instanceof AppError) throw cause;
    // It may have waited for memory at several steps, each time for less than the limit of one step.
    if (hasWaitedForMemory(MEMORY_WAIT)) throw waitedForMemory(cause);
    throw new TooLate('The render took too long.', { cause });
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

// Shares the processor of a drawing thread fairly between accounts (round robin).
//
// Jobs pause every few milliseconds; each turn of the event loop resumes one of them, accounts taking turns. So a small
// picture of one account waits for one time slice of another's, however many jobs that has, and messages are read in
// between.

export class CooperativeScheduler {
  readonly #stopped = new RoundRobin<() => void>();
  #isDue = false;

  /** Waits for the next turn of the account `whose`; the turn lasts until the caller awaits something. */
  pause(whose: string): Promise<void> {
    return new Promise((resolve) => {
      this.#stopped.push(whose, resolve);
      this.#comeBack();
    });
  }

  #comeBack(): void {
    if (this.#isDue || this.#stopped.isEmpty) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#stopped.shift()?.();
      this.#comeBack();
    });
  }
}

// Reads the images of a job for its renderer: data: URIs directly, uploads from the cache where possible, all others
// from the job's supplies.

/** Cached by id, whose bytes never change; whether an owner may use an upload is checked elsewhere. */
const uploads = resourceCache.of<Uint8Array>('uploaded files');

function suppliedImages({ uploads: known }: Subject, supplies: Supplies): ImageSources {
  return {
    async read(source, signal, onWarning) {
      if (isDataUri(source)) return readImageUri(source);
      const found = knownId(known, source) ?? (await supplies.image(source, signal));
      if (typeof found !== 'string') {
        for (const warning of found.warnings) onWarning?.(warning);
        return found.bytes;
      }
      const kept = uploads.get(found);
      if (kept) return kept;
      const bytes = await supplies.upload(found, signal);
      uploads.set(found, bytes, bytes.length);
      return bytes;
    },
  };
}

const knownId = (known: Subject['uploads'], source: string) =>
  Object.hasOwn(known, source) ? known[source] : undefined;
