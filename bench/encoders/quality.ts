// Measures the similarity of two pictures, which defines "equal quality" in a race of encoders.

/** Side of a window, px, and the distance between windows. */
const WINDOW = 8;
const STEP = 4;
/** SSIM's constants for 8 bits a channel (Wang et al. 2004, "Image Quality Assessment"). */
const [C1, C2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];

/** Peak signal to noise ratio, dB, over all bytes; at most 99. */
export function psnr(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2;
  return Math.min(99, 10 * Math.log10(255 ** 2 / (sum / a.length)));
}

/** Mean structural similarity of luma over square windows, at most 1. @param a RGB, row by row */
export function ssim(a: Uint8Array, b: Uint8Array, width: number, height: number): number {
  const [x, y] = [luma(a), luma(b)];
  const [across, down] = [Math.min(WINDOW, width), Math.min(WINDOW, height)];
  const count = across * down;
  let total = 0;
  let windows = 0;
  for (let top = 0; top + down <= height; top += STEP) {
    for (let left = 0; left + across <= width; left += STEP) {
      let [sx, sy, sxx, syy, sxy] = [0, 0, 0, 0, 0];
      for (let row = top; row < top + down; row++) {
        for (let i = row * width + left, end = i + across; i < end; i++) {
          const [p, q] = [x[i] ?? 0, y[i] ?? 0];
          sx += p;
          sy += q;
          sxx += p * p;
          syy += q * q;
          sxy += p * q;
        }
      }
      const [mx, my] = [sx / count, sy / count];
      const [vx, vy, cov] = [sxx / count - mx * mx, syy / count - my * my, sxy / count - mx * my];
      total += ((2 * mx * my + C1) * (2 * cov + C2)) / ((mx * mx + my * my + C1) * (vx + vy + C2));
      windows++;
    }
  }
  return total / windows;
}

/** ITU-R BT.601 */
function luma(rgb: Uint8Array): Float32Array {
  const found = new Float32Array(rgb.length / 3);
  for (let i = 0, at = 0; i < found.length; i++, at += 3) {
    found[i] = 0.299 * (rgb[at] ?? 0) + 0.587 * (rgb[at + 1] ?? 0) + 0.114 * (rgb[at + 2] ?? 0);
  }
  return found;
}

/** `value` at the point where `quality` is `wanted`, interpolated linearly between the two nearest known points. */
export function atQuality(points: readonly { quality: number; value: number }[], wanted: number): number {
  const sorted = points.toSorted((a, b) => a.quality - b.quality);
  const above = Math.min(
    sorted.length - 1,
    Math.max(
      1,
      sorted.findIndex(({ quality }) => quality >= wanted),
    ),
  );
  const [low, high] = [sorted[above - 1], sorted[above]];
  if (!low || !high || high.quality === low.quality) return sorted[0]?.value ?? Number.NaN;
  const share = Math.min(1, Math.max(0, (wanted - low.quality) / (high.quality - low.quality)));
  return low.value + share * (high.value - low.value);
}
