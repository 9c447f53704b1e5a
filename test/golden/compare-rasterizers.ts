// Decides whether two rasterisers' pictures show the same drawing.
//
// Every rasteriser has its own antialiasing, so a pixel is compared with the 3 × 3 px around the same place in the
// other picture. It counts as alien if some channel is lighter or darker than all nine by more than DELTA. An edge that
// is up to one px off has no alien pixels; beyond that, it has a line of them along its whole length.

import { mark } from './compare-pictures.ts';
import { onWhite, type Picture } from './picture.ts';

/** Of 255. A black edge on white shows as alien from 1 + DELTA / 255 px, about 1.2 px. */
const DELTA = 56;
/** Alien pixels that are put down to antialiasing, of thin lines and of the corners where edges meet. */
const ALLOWED_SHARE = 0.0005;
const ALLOWED_AT_LEAST = 6;
/** And those caused by snapping: a raster moves a letter by up to an eighth of a pixel, and a PDF does not. */
const ALLOWED_PER_GLYPH = 1;

export interface Agreement {
  readonly agrees: boolean;
  /** Pixels of either picture that the other does not show within one px. */
  readonly alien: number;
  readonly allowed: number;
  /** A copy of the picture in which they are red. */
  readonly picture: Picture | null;
}

/** @param glyphs how many glyphs are drawn: each may be at another subpixel position */
export function compareRasterizers(first: Picture, second: Picture, glyphs: number): Agreement {
  const a = onWhite(first);
  const b = onWhite(second);
  const edges = Math.max(ALLOWED_AT_LEAST, Math.round(ALLOWED_SHARE * a.width * a.height));
  const allowed = edges + ALLOWED_PER_GLYPH * glyphs;
  if (a.width !== b.width || a.height !== b.height) {
    return { agrees: false, alien: a.width * a.height, allowed, picture: null };
  }
  const aliens = [alienPixels(a, b), alienPixels(b, a)];
  const { count, picture } = mark(a, (byte) => aliens.some((found) => found.has(byte)));
  return { agrees: count <= allowed, alien: count, allowed, picture };
}

/** The indices of the first bytes of those pixels of `a` that are outside the range that `b` has around them. */
function alienPixels(a: Picture, b: Picture): Set<number> {
  const { width, height } = a;
  const found = new Set<number>();
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const byte = 4 * (y * width + x);
      for (let c = 0; c < 3; c++) {
        const value = a.pixels[byte + c] ?? 0;
        // Most are alike at the same place.
        if (Math.abs(value - (b.pixels[byte + c] ?? 0)) <= DELTA) continue;
        let low = 255;
        let high = 0;
        for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
          for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
            const near = b.pixels[4 * (v * width + u) + c] ?? 0;
            if (near < low) low = near;
            if (near > high) high = near;
          }
        }
        if (value < low - DELTA || value > high + DELTA) {
          found.add(byte);
          break;
        }
      }
    }
  }
  return found;
}
