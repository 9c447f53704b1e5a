// How many colour samples a JPEG file has for its pixels.

/** In J:a:b notation: a colour for each pixel, or one for each square of four. */
export const CHROMA_SUBSAMPLINGS = ['4:4:4', '4:2:0'] as const;
export type ChromaSubsampling = (typeof CHROMA_SUBSAMPLINGS)[number];

/** As libvips and ImageMagick choose, if nothing is asked for: from quality 90 on, red letters on dark keep their edges. */
export function chromaOf(quality: number, asked: ChromaSubsampling | undefined): ChromaSubsampling {
  return asked ?? (quality >= 90 ? '4:4:4' : '4:2:0');
}
