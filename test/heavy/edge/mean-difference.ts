// Measures how far two pictures of the same size differ.

import sharp from 'sharp';

/** Returns the mean difference over all channels of all pixels, 0..255. */
export async function meanDifference(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [a, b] = await Promise.all([one, other].map((file) => sharp(file).ensureAlpha().raw().toBuffer()));
  if (!a || a.length !== b?.length) throw new Error('The pictures are not of one size.');
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs((a[i] ?? 0) - (b[i] ?? 0));
  return sum / a.length;
}
