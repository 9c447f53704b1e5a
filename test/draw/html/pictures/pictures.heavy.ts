// Compares small pages, drawn by our own engine, with their recorded pictures, by the measure of the goldens: each is
// alike, or a warning names what is not drawn as written.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compose } from '#core/compose.ts';
import { resolveHtml } from '#core/resolve/resolve-html.ts';
import { HtmlTemplate } from '#core/template/html-template.ts';
import { htmlScene } from '#draw/html/html-scene.ts';
import { rasterize } from '#draw/output/raster/rasterize.ts';
import { compareRasterizers } from '../../../golden/compare-rasterizers.ts';
import { decodePicture } from '../../../golden/picture.ts';
import { countGlyphs } from '../../../golden/word-origins.ts';
import { loadNeeds } from '../pages.ts';
import { CANVAS, documentOf, PAGES } from './fixtures.ts';

/** Pages that differ, and of which no warning says so, by the reason. */
const UNSAID: Readonly<Record<string, readonly string[]>> = {
  'dashes of borders that collapse, and dots of outlines, begin a pixel or two elsewhere': [
    'table collapse styles',
    'outlines over neighbours',
  ],
  'fields are as large as letters of a font that is ours': ['forms'],
  'a picture that is not there shows no words, of which the loader warns': ['inline image'],
};
/** Pages that differ, of which a warning names what is not drawn. */
const NAMED: readonly string[] = [
  'border styles',
  'units',
  'background attachment fixed',
  'text decoration',
  'underline offset position',
  'hyphens',
  'text indent',
  'vertical align inline',
  'overflow',
  'font misc',
  'contain',
  'zoom',
  'outline',
  'blend',
  'flex align',
  'subgrid',
  'table row bg',
  'counter style',
  'writing mode',
  'writing mode text',
  'writing mode sideways',
  'inline box',
  'fieldset',
  'visibility',
  'shape outside',
  'ruby',
  'text box trim',
  'light dark',
  'at rules',
  'corner shapes and paths',
  'percent paddings',
  'overlays of a table',
  'dots at the left',
  'markers of kinds',
];

const unsaid = Object.values(UNSAID).flat();
const recorded = await decodePicture(readFileSync(join(import.meta.dirname, 'recorded.png')));

async function draw(html: string) {
  const fields = { ...CANVAS, engine: 'html', renderer: 'platen', background: '#fff', html: documentOf(html) };
  const page = resolveHtml(HtmlTemplate.parse({ name: 'Page', ...fields }), {});
  const { scene } = await htmlScene(page, 'png', {}, () => Promise.reject(new Error('no network in tests')));
  const { resources } = await loadNeeds(scene.needs);
  const { list } = compose(scene, resources);
  return { picture: await rasterize(list, resources, 1), glyphs: countGlyphs(list.ops), scene };
}

const all = Object.entries(PAGES).map(([name, html], index) => ({ name, html, index }));
test.each(all)('$name', async ({ name, html, index }) => {
  const { picture, glyphs, scene } = await draw(html);
  const size = 4 * CANVAS.width * CANVAS.height;
  const theirs = { ...CANVAS, pixels: recorded.pixels.subarray(index * size, (index + 1) * size) };
  const { agrees } = compareRasterizers(theirs, picture, glyphs);
  const isSaid = scene.diagnostics.length > 0;
  expect(agrees ? 'alike' : isSaid ? 'named' : 'unsaid').toBe(
    unsaid.includes(name) ? 'unsaid' : NAMED.includes(name) ? 'named' : 'alike',
  );
});

test('every page is recorded, and every one that differs is a page', () => {
  expect(recorded.height).toBe(all.length * CANVAS.height);
  expect([...NAMED, ...unsaid].filter((name) => !(name in PAGES))).toEqual([]);
});
