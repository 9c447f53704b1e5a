// Shared by the tests of pages: a photo, the fonts that a render would load, the loader of what a page needs, and a page as
// renders compose it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compose } from '#core/compose.ts';
import type { HtmlPage } from '#core/resolve/resolve-html.ts';
import type { Needs } from '#core/resolve/scene.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { type ComposedPage, composeHtml, type LoadNeeds } from '#draw/html/compose-html.ts';
import { satoriFonts } from '#draw/html/satori-text.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import { loadResources } from '#draw/renderer/load-resources.ts';
import { openPageScene } from '#draw/renderer/page-scene.ts';
import type { OutboundClient } from '#server/net/outbound-client.ts';
import { outsideImages } from '#server/service/files/image-sources.ts';

const photo = readFileSync(join(import.meta.dirname, '../../../fixtures/assets/photo.jpg'));
export const PHOTO = `data:image/jpeg;base64,${photo.toString('base64')}`;

const library = await openFontLibrary({ folders: [] });
/** Rejects every request: only `data:` URIs can be loaded. */
const noNetwork = { get: () => Promise.reject(new Error('no network in tests')) } as unknown as OutboundClient;

export const loadNeeds: LoadNeeds = (needs: Needs) =>
  loadResources(needs, library, outsideImages(noNetwork), AbortSignal.timeout(20_000));

/** By satori, or by our own engine what satori does not lay out. */
export async function composePage(page: HtmlPage, load: LoadNeeds = loadNeeds): Promise<ComposedPage> {
  const own = await openPageScene(page, 'png', DEFAULT_EXPORT, () => Promise.reject(new Error('no files in tests')));
  if (!own) return composeHtml(page, load);
  const { resources, diagnostics } = await load(own.scene.needs);
  const { list, diagnostics: found } = compose(own.scene, resources);
  return { list, resources, diagnostics: [...own.diagnostics, ...found, ...diagnostics] };
}

/** The faces of Inter and of the generic families that the tests' pages use. */
export async function satoriFontFiles() {
  const queries = [400, 700].flatMap((weight) =>
    (['normal', 'italic'] as const).flatMap((style) =>
      ['inter', 'monospace', 'serif'].map((family) => ({
        families: [family],
        weight,
        style,
        variations: {},
        lang: null,
      })),
    ),
  );
  const { resources } = await loadNeeds({
    fonts: queries.map((query) => ({ query, text: 'A', layer: '' })),
    images: [],
    hyphenation: [],
    codes: [],
  });
  return satoriFonts(queries, resources.fonts).map(({ file, name, weight, style }) => ({
    name,
    data: Buffer.from(file ?? []),
    weight: weight as 400 | 700,
    style,
  }));
}
