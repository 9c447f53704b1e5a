import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { compose } from '#core/compose.ts';
import { htmlScene } from '#draw/html/html-scene.ts';
import { rasterize } from '#draw/output/raster/rasterize.ts';
import { compareRasterizers } from '../../../golden/compare-rasterizers.ts';
import { decodePicture } from '../../../golden/picture.ts';
import { countGlyphs } from '../../../golden/word-origins.ts';
import { loadNeeds } from '../pages.ts';
import { CANVAS, EXAMPLES } from './examples.ts';
import { exampleTemplate, drawExample } from './draw-example.ts';
mkdirSync('/tmp/tw', { recursive: true });
const sheets = new Map<string, any>();
let alike = 0; const diff: string[] = [];
const only = process.argv[2];
for (const example of EXAMPLES) {
  if (only && !example.name.includes(only)) continue;
  const f = join(import.meta.dirname, `recorded/${example.group.replaceAll(' ', '-')}.png`);
  if (!sheets.has(example.group)) sheets.set(example.group, await decodePicture(readFileSync(f)));
  const index = EXAMPLES.filter((e) => e.group === example.group).findIndex((e) => e.name === example.name);
  const size = 4 * CANVAS.width * CANVAS.height;
  const rec = { ...CANVAS, pixels: sheets.get(example.group).pixels.subarray(index * size, (index + 1) * size) };
  try {
    const page: any = exampleTemplate(example);
    const p = { ...page, template: { ...page.template, renderer: 'platen' } };
    const { scene } = await htmlScene(p, 'png', {}, () => Promise.reject(new Error('x')));
    const { resources, diagnostics } = await loadNeeds(scene.needs);
    const { list } = compose(scene, resources);
    const { pixels, width, height } = await rasterize(list, resources, 1);
    const { agrees, alien, allowed } = compareRasterizers(rec, { width, height, pixels }, countGlyphs(list.ops));
    let was = ''; try { const d = await drawExample(example); was = compareRasterizers(rec, d.picture, d.glyphs).agrees ? 'satori alike' : 'satori differs'; } catch { was = 'satori refused'; }
    if (agrees) alike++; else { diff.push(example.name); console.log(`${example.name}: ${alien}/${allowed} ${was} | ${scene.diagnostics.map((d) => d.message).join(' ')}`);
      const a = await sharp(rec.pixels, { raw: { ...CANVAS, channels: 4 } }).png().toBuffer(); const b = await sharp(Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength), { raw: { width, height, channels: 4 } }).png().toBuffer();
      await sharp({ create: { width: CANVAS.width * 2 + 8, height: CANVAS.height, channels: 3, background: '#f0f' } }).composite([{ input: a, left: 0, top: 0 }, { input: b, left: CANVAS.width + 8, top: 0 }]).png().toFile(`/tmp/tw/${example.name.replaceAll(/[^a-z0-9]+/gi, '_')}.png`); }
  } catch (e: any) { diff.push(example.name); console.log(`${example.name}: ERROR ${e.message.slice(0, 200)}`); }
}
console.log('alike', alike, 'of', EXAMPLES.length, 'diff', diff.length);
process.exit(0);
