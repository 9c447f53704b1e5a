// Two pictures by the same rasteriser in, their difference out.
//
// Equal means: the same size, and no channel of any pixel off by more than 1, the rounding that another build of the
// same arithmetic may show. Where both are fully transparent, colour means nothing.

import type { Picture } from './picture.ts';

const TOLERANCE = 1;

export interface Difference {
  /** What differs, in a few words. */
  readonly summary: string;
  /** Red where the pictures differ over a faint print of the expected one; null when their sizes differ. */
  readonly picture: Picture | null;
}

/** `null` when the pictures are equal. */
export function comparePictures(expected: Picture, actual: Picture): Difference | null {
  if (expected.width !== actual.width || expected.height !== actual.height) {
    return {
      summary: `${actual.width}×${actual.height} px instead of ${expected.width}×${expected.height}`,
      picture: null,
    };
  }
  const different = (i: number) => {
    const bothClear = expected.pixels[i + 3] === 0 && actual.pixels[i + 3] === 0;
    if (bothClear) return false;
    for (let c = i; c < i + 4; c++) {
      if (Math.abs((expected.pixels[c] ?? 0) - (actual.pixels[c] ?? 0)) > TOLERANCE) return true;
    }
    return false;
  };
  const { count, picture } = mark(expected, different);
  return count === 0 ? null : { summary: `${count} ${count === 1 ? 'pixel differs' : 'pixels differ'}`, picture };
}

/** Paints red what `isMarked` says (of a pixel's first byte), and the rest faintly. */
export function mark(picture: Picture, isMarked: (byte: number) => boolean): { count: number; picture: Picture } {
  const pixels = new Uint8Array(picture.pixels.length);
  let count = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    if (isMarked(i)) {
      count += 1;
      pixels.set([220, 0, 0, 255], i);
    } else {
      const luminance =
        0.3 * (picture.pixels[i] ?? 0) + 0.59 * (picture.pixels[i + 1] ?? 0) + 0.11 * (picture.pixels[i + 2] ?? 0);
      const faint = Math.round(255 - ((255 - luminance) * (picture.pixels[i + 3] ?? 0)) / 255 / 4);
      pixels.set([faint, faint, faint, 255], i);
    }
  }
  return { count, picture: { ...picture, pixels } };
}
