// A page as the source of an image layer: `"src": "screenshot:https://…"` draws the page's first screen, 1200 × 630 px.

import type { ImageSources } from '#draw/renderer/load-resources.ts';
import { checkAddress, type PageDrawing } from './pages.ts';
import { defaultScreenshot } from './screenshot-options.ts';

const PREFIX = /^screenshot:/i;
/** ms: leaves time to draw the render within its own deadline. */
const TIMEOUT = 20_000;

export const isPageSource = (source: string): boolean => PREFIX.test(source);

/** Adds pages by URL to `outside`. A page that answers 400 to 599 is a source that cannot be loaded. */
export function withPages(outside: ImageSources, pages: Pick<PageDrawing, 'check' | 'capture'>): ImageSources {
  return {
    async read(source, signal, onWarning) {
      if (!isPageSource(source)) return outside.read(source, signal, onWarning);
      checkAddress(pages, source.replace(PREFIX, ''));
      const request = { ...defaultScreenshot(source.replace(PREFIX, '')), failOnStatus: true, timeout: TIMEOUT };
      const { bytes, warnings } = await pages.capture(request);
      for (const warning of warnings) onWarning?.(warning);
      return bytes;
    },
  };
}
