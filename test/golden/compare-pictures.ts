// Compares two pictures by the same rasteriser.
//
// They are equal if their sizes are and no channel of any pixel differs by more than 1, the rounding by which another
// build of the same arithmetic may differ. The colour of fully transparent pixels does not count.

import type { Picture } from './picture.ts';

const TOLERANCE = 1;

export interface Difference {
  /** What differs, in a few words. */
  readonly summary: string;
  /** Red where the pictures differ over a faint print of the expected one; null when their sizes differ. */
  readonly picture: Picture | null;
}

/** Returns null if the pictures are equal. */
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

/**
 * Paints the pixels that `isMarked` accepts red, and the rest faintly. It is called with the index of a pixel's first
 * byte.
 */
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
