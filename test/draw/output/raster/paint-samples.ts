// Paints the samples without their photos, and prints digests of the pixels and the native modules that the process has
// loaded.

import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compose } from '#core/compose.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import { resolve } from '#core/resolve/resolve.ts';
import type { ImageResource, Resources } from '#core/resources.ts';
import { parseTemplate } from '#core/template/template.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { rasterize } from '#draw/output/raster/rasterize.ts';
import { loadCodes } from '#draw/renderer/load-codes.ts';

export interface PaintedSamples {
  /** Digests of the pixels, by sample. */
  readonly pixels: Readonly<Record<string, string>>;
  /** Files of the native modules. */
  readonly natives: readonly string[];
}

const FOLDER = join(import.meta.dirname, '../../../../samples');

function withoutPhotos(ops: readonly PaintOp[]): PaintOp[] {
  return ops
    .filter(({ kind }) => kind !== 'image')
    .map((op) => (op.kind === 'group' ? { ...op, ops: withoutPhotos(op.ops) } : op));
}

export async function paintSamples(): Promise<PaintedSamples> {
  const fonts = await openFontLibrary({ folders: [] });
  const pixels: Record<string, string> = {};
  for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.json'))) {
    const scene = resolve(parseTemplate(JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))), {});
    const loaded = await fonts.load(scene.needs.fonts);
    const images = scene.needs.images.map(({ key }): [string, ImageResource] => [
      key,
      { key, format: 'jpeg', width: 600, height: 400, bytes: new Uint8Array(0), hasAlpha: false, focus: null },
    ]);
    const resources: Resources = {
      fonts: loaded.fonts,
      images: new Map(images),
      codes: await loadCodes(scene.needs.codes),
      hyphenators: new Map(),
    };
    const { list } = compose(scene, resources);
    const painted: DisplayList = { ...list, ops: withoutPhotos(list.ops) };
    const raster = await rasterize(painted, resources, 1);
    pixels[name] = hash('sha256', raster.pixels);
  }
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: readonly string[] };
  return { pixels, natives: sharedObjects.filter((file) => file.endsWith('.node') || /vips|resvg/.test(file)) };
}

if (import.meta.main) console.log(JSON.stringify(await paintSamples()));
