// Renders the specimen sheet to a file. The sheet is laid out once to find its height, then drawn.

import { layOut } from '#core/layout/layout.ts';
import { parseTemplate } from '#core/template/template.ts';
import type { ExportOptions } from '#output/formats.ts';
import { specimenSheet } from '#specimen/sheet.ts';
import { openScene } from './file-scene.ts';
import { outputOf, type RenderedFile, writePicture } from './render-file.ts';

/**
 * @throws AppError when the file name has no known extension
 */
export async function renderSpecimen(out: string, options: ExportOptions): Promise<RenderedFile> {
  const output = outputOf(out);
  const { scene, loaded } = await openScene(parseTemplate(specimenSheet(1)), {}, '.');
  const { boxes } = layOut(scene, loaded.resources);
  const height = Math.ceil(Math.max(1, ...boxes.map(({ rect }) => rect.y + rect.height)));
  return writePicture(out, output, { scene: { ...scene, height }, loaded }, options);
}
