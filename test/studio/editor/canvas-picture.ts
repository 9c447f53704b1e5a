// Takes screenshots of the editor's canvas at 100 % without overlays, and compares two of them.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodePicture, encodePicture, type Picture } from '../../golden/picture.ts';
import type { OpenEditor } from './open-editor.ts';

/** Distance from the canvas's corner to the template's, view px. */
const OFFSET = 24;

/** Shows the canvas at 100 %, without rulers, overlays and the paper below. */
export async function bareCanvas({ page }: OpenEditor): Promise<void> {
  await page.evaluate((offset) => {
    const { viewport } = platenEditor;
    // After a zoom by the user, the zoom no longer follows the window's size.
    viewport.zoomTo(1);
    viewport.zoom.value = 1;
    viewport.offset.value = { x: offset, y: offset };
    for (const element of document.querySelectorAll<HTMLElement>('.overlay, .ruler, .ruler-corner, .paper'))
      element.style.display = 'none';
    for (const element of document.querySelectorAll<HTMLElement>('.canvas')) element.style.background = '#fff';
    for (const element of document.querySelectorAll<HTMLElement>('.artboard')) element.style.boxShadow = 'none';
  }, OFFSET);
}

/** A screenshot of the template's area, taken after the next two frames. */
export async function shot({ page }: OpenEditor): Promise<Picture> {
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
  const clip = await page.evaluate((offset) => {
    const { left, top } = document.querySelector('.canvas')?.getBoundingClientRect() ?? new DOMRect();
    const [, , width = 0, height = 0] = (document.querySelector('.artboard')?.getAttribute('viewBox') ?? '')
      .split(' ')
      .map(Number);
    return { x: left + offset, y: top + offset, width, height };
  }, OFFSET);
  return decodePicture(await page.screenshot({ clip }));
}

/**
 * Mean difference of the colour channels, 0..255, and the share of pixels with a channel that differs by more than 48.
 */
export function compare(a: Picture, b: Picture): { readonly mean: number; readonly share: number } {
  if (a.width !== b.width || a.height !== b.height) return { mean: 255, share: 1 };
  let [sum, off] = [0, 0];
  for (let i = 0; i < a.pixels.length; i += 4) {
    let worst = 0;
    for (let c = 0; c < 3; c++) {
      const difference = Math.abs((a.pixels[i + c] ?? 0) - (b.pixels[i + c] ?? 0));
      sum += difference;
      worst = Math.max(worst, difference);
    }
    if (worst > 48) off++;
  }
  const pixels = a.width * a.height;
  return { mean: sum / (3 * pixels), share: off / pixels };
}

/** Writes the pictures to the folder that `LOOK` names, one file each; without `LOOK`, nothing. */
export async function keep(name: string, pictures: Readonly<Record<string, Picture>>): Promise<void> {
  const folder = process.env.LOOK;
  if (!folder) return;
  for (const [of, picture] of Object.entries(pictures))
    await writeFile(join(folder, `${name.replaceAll(/[/ ]/g, '-')}-${of}.png`), await encodePicture(picture));
}
