// Draws an example without a browser. Shared by the recorder and the test.

import { compose } from '#core/compose.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import { type HtmlPage, resolveHtml } from '#core/resolve/resolve-html.ts';
import { HtmlTemplate } from '#core/template/html-template.ts';
import { htmlScene } from '#draw/html/html-scene.ts';
import { rasterize } from '#draw/output/raster/rasterize.ts';
import type { Picture } from '../../../golden/picture.ts';
import { countGlyphs } from '../../../golden/word-origins.ts';
import { loadNeeds, PHOTO } from '../pages.ts';
import { CANVAS, type Example, pageOf } from './examples.ts';

/** A class may have 200 characters, and the address of the photo has more. */
const PHOTO_CLASS = /class="([^"]*)\b(bg|mask)-\[url\(photo\)\]([^"]*)"/g;
const NAMES: Readonly<Record<string, string>> = { bg: 'background-image', mask: 'mask-image' };

export function exampleTemplate({ html }: Example): HtmlPage {
  const page = pageOf(html)
    .replaceAll('"photo"', `"${PHOTO}"`)
    .replace(PHOTO_CLASS, (_, before, what, after) => `class="${before}${after}" style="${NAMES[what]}:url(${PHOTO})"`);
  const fields = { ...CANVAS, engine: 'html', renderer: 'satori', tailwind: true, background: '#fff', html: page };
  return resolveHtml(HtmlTemplate.parse({ name: 'Example', ...fields }), {});
}

export interface DrawnExample {
  readonly picture: Picture;
  readonly glyphs: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** By our own engine, which draws all pages with classes. */
export async function drawExample(example: Example): Promise<DrawnExample> {
  const page = exampleTemplate(example);
  const own: HtmlPage = { ...page, template: { ...page.template, renderer: 'platen' } };
  const { scene } = await htmlScene(own, 'png', {}, () => Promise.reject(new Error('no network in tests')));
  const { resources } = await loadNeeds(scene.needs);
  const { list } = compose(scene, resources);
  const { pixels, width, height } = await rasterize(list, resources, 1);
  return { picture: { width, height, pixels }, glyphs: countGlyphs(list.ops), diagnostics: scene.diagnostics };
}
