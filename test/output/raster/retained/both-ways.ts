// A template drawn in one piece and from kept rasters: what the two pictures differ by.

import { compose } from '#core/compose.ts';
import { isHtmlPage, resolveAny } from '#core/resolve/resolve-any.ts';
import type { Needs } from '#core/resolve/scene.ts';
import type { Resources } from '#core/resources.ts';
import type { AnyTemplate } from '#core/template/any-template.ts';
import { type FontLibrary, openFontLibrary } from '#fonts/font-library.ts';
import { composeHtml } from '#html/compose-html.ts';
import type { Raster } from '#images/raster.ts';
import { drawList } from '#output/raster/draw-list.ts';
import { type PlacedList, placeImages } from '#output/raster/place-images.ts';
import { snapped } from '#output/raster/rasterize.ts';
import { drawRetained } from '#output/raster/retained/draw-retained.ts';
import { toDevice } from '#output/raster/to-device.ts';
import { type ImageSources, loadResources } from '#renderer/load-resources.ts';

let library: Promise<FontLibrary> | null = null;

export interface Placed {
  readonly list: PlacedList;
  readonly resources: Resources;
}

/** @param scale must make whole pixels of the canvas */
export async function placeTemplate(
  template: AnyTemplate,
  modifications: Readonly<Record<string, unknown>>,
  sources: ImageSources,
  scale = 1,
): Promise<Placed> {
  library ??= openFontLibrary({ folders: [] });
  const fonts = await library;
  const load = (needs: Needs) => loadResources(needs, fonts, sources, new AbortController().signal);
  const drawable = resolveAny(template, modifications);
  const { list, resources } = isHtmlPage(drawable)
    ? await composeHtml(drawable, load)
    : await load(drawable.needs).then(({ resources }) => ({ ...compose(drawable, resources), resources }));
  const size = { width: list.width * scale, height: list.height * scale };
  return { list: placeImages(toDevice(list, scale, size, resources), resources.images), resources };
}

export const plainly = ({ list, resources }: Placed) => drawList(snapped(list), resources);
export const retained = ({ list, resources }: Placed) => drawRetained(list, resources);

export interface Deviation {
  /** Of 255, in any channel. */
  readonly most: number;
  /** The share of pixels with a channel off by more than 1. */
  readonly share: number;
}

export function deviation(a: Raster, b: Raster): Deviation {
  let most = 0;
  let off = 0;
  for (let at = 0; at < a.pixels.length; at += 4) {
    let worst = 0;
    for (let c = at; c < at + 4; c++) worst = Math.max(worst, Math.abs((a.pixels[c] ?? 0) - (b.pixels[c] ?? 0)));
    if (worst > 1) off++;
    most = Math.max(most, worst);
  }
  return { most, share: (off * 4) / a.pixels.length };
}
