// Copies the colours of pixels without their alpha, which lossy WebP stores separately.

/**
 * Writes the colours of premultiplied pixels as opaque pixels. Where nothing shows, the colour before is repeated,
 * which takes the fewest bits.
 */
export function copyColors(pixels: Uint8Array, colors: Uint8Array): void {
  let [red, green, blue] = [0, 0, 0];
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0;
    if (alpha > 0) {
      red = unpremultiplied(pixels[at] ?? 0, alpha);
      green = unpremultiplied(pixels[at + 1] ?? 0, alpha);
      blue = unpremultiplied(pixels[at + 2] ?? 0, alpha);
    }
    colors[at] = red;
    colors[at + 1] = green;
    colors[at + 2] = blue;
    colors[at + 3] = 255;
  }
}

function unpremultiplied(value: number, alpha: number): number {
  return alpha === 255 ? value : Math.min(255, ((255 * value + (alpha >> 1)) / alpha) | 0);
}
