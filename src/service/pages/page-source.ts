// A page as the source of an image layer: `"src": "screenshot:https://…"` draws the page's first screen, 1200 × 630 px.

import type { ImageSources } from '#renderer/load-resources.ts';
import type { PageDrawing } from './pages.ts';
import { defaultScreenshot } from './screenshot-options.ts';

const PREFIX = /^screenshot:/i;
/** ms: leaves time to draw the render within its own deadline. */
const TIMEOUT = 20_000;

export const isPageSource = (source: string): boolean => PREFIX.test(source);

/** Adds pages by URL to `outside`. */
export function withPages(outside: ImageSources, pages: Pick<PageDrawing, 'capture'>): ImageSources {
  return {
    async read(source, signal) {
      if (!isPageSource(source)) return outside.read(source, signal);
      const { bytes } = await pages.capture({ ...defaultScreenshot(source.replace(PREFIX, '')), timeout: TIMEOUT });
      return bytes;
    },
  };
}
