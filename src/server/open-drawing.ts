// Opens what draws and fetches: fonts, the renderer's threads, browsers, and the guarded way to addresses.

import { Gate } from '#base/concurrency/gate.ts';
import { type FontLibrary, openFontLibrary } from '#draw/fonts/font-library.ts';
import { MAX_DECODE_BYTES } from '#draw/images/limits.ts';
import { MemoryBudget } from '#draw/images/memory-budget.ts';
import { setSvgFonts } from '#draw/images/svg-process.ts';
import type { ImageSources } from '#draw/renderer/load-resources.ts';
import type { Renderer } from '#draw/renderer/renderer.ts';
import { SlowJobIsolation } from '#draw/renderer/slow-job-isolation.ts';
import { ThreadedRenderer } from '#draw/renderer/threaded-renderer.ts';
import type { Config } from '#server/config/config.ts';
import type { Log } from '#server/observability/log.ts';
import { openOutside } from '#server/service/files/image-sources.ts';
import { withPages } from '#server/service/pages/page-source.ts';
import { openPages, type PageDrawing } from '#server/service/pages/pages.ts';
import { pagesElsewhere } from '#server/service/rendering/without-browser.ts';
import type { ServerMetrics } from './server-metrics.ts';

/** Maximum renders that hold their images and fonts in memory at the same time. */
const RENDERS_IN_HAND = 64;
/** Additional places for accounts that hold none. */
const SPARE = 4;

export interface DrawingParts {
  readonly library: FontLibrary;
  readonly renderer: Renderer;
  readonly pages: PageDrawing;
  /** Where renders, and pages where there is a browser, wait for their turn. */
  readonly gates: { readonly admission: Gate; readonly pages?: Gate };
  /** Pictures of addresses, also of pages. */
  readonly outside: ImageSources;
}

/** @param parts closes what is opened here */
export async function openDrawing(
  config: Config,
  log: Log,
  parts: AsyncDisposableStack,
  { waited, countedRenderer, countedPages }: ServerMetrics,
  open: (config: Config, log: Log) => Renderer | Promise<Renderer> = openRenderer,
): Promise<DrawingParts> {
  const library = await openFontLibrary({ folders: config.fontFolders });
  setSvgFonts(library.folders, library.generic);
  for (const problem of [...library.missing, ...library.skipped]) log.info(problem);
  const chromium = config.roles.has('browser')
    ? parts.use(
        openPages(config, {
          fonts: library,
          onWarning: (message) => log.warn(message),
          onDenied: (err) => log.info({ err }, 'a page was refused a connection'),
          onAdmitted: (ms) => waited('pages', ms),
        }),
      )
    : null;
  const pages = chromium ? countedPages(chromium.pages) : pagesElsewhere(config);
  const admission = new Gate({
    concurrency: RENDERS_IN_HAND,
    waiting: config.renderQueue,
    spare: SPARE,
    onAdmitted: (ms) => waited('admission', ms),
  });
  // Its threads start in parallel with the rest.
  const renderer = parts.use(countedRenderer(await open(config, log)));
  const outside = withPages(parts.use(openOutside(config)), pages);
  return { library, renderer, pages, gates: { admission, ...(chromium && { pages: chromium.gate }) }, outside };
}

/** The longest turn of the thread for quick jobs, ms: a hundred times what one is estimated to take at most. */
const MOST_TURN = 5_000;

/** One worker thread, and another while slow renders are drawn. */
export function openRenderer({ fontFolders, renderConcurrency, rasterMemory, fontMemory }: Config, log: Log): Renderer {
  const memory = new MemoryBudget(MAX_DECODE_BYTES);
  const warn = (message: string, err: unknown) => log.error({ err }, message);
  const open = (concurrency: number, keptMemory: number, fontShare: number, turn: { readonly mostTurn?: number }) =>
    new ThreadedRenderer(
      { fontFolders, concurrency, keptMemory, fontMemory: fontMemory * fontShare, ...turn },
      warn,
      memory,
    );
  const quick = open(renderConcurrency, rasterMemory, 2 / 3, { mostTurn: MOST_TURN });
  return new SlowJobIsolation(quick, () => open(1, 0, 1 / 3, {}));
}
