// Limits for untrusted images.
//
// They are checked from the header, before any pixel is decoded, and again by the decoder itself.

/** Bytes of one encoded image. */
export const MAX_IMAGE_BYTES = 15 * 1024 * 1024;
/** Most pixels of one image, and per side. */
export const MAX_IMAGE_PIXELS = 50_000_000;
export const MAX_IMAGE_SIDE = 16_384;

/**
 * Bytes of memory that decoding raster images takes at any time in total, and so the most for one image
 * (decode-cost.ts).
 */
export const MAX_DECODE_BYTES = 400_000_000;

export const MAX_SVG_BYTES = 1024 * 1024;
/** Most characters of a file as it is rewritten: styles are repeated for each element that has them. */
export const MAX_SVG_WRITTEN = 16 * 1024 * 1024;
export const MAX_SVG_ELEMENTS = 50_000;
/** Nested elements; each level is a stack frame in the drawing library. */
export const MAX_SVG_DEPTH = 100;
/** Most characters of one text element, whose layout takes quadratic time, and of all of them. */
export const MAX_SVG_TEXT = 4_000;
export const MAX_SVG_TEXT_TOTAL = 20_000;

/** Most seconds for checking an untrusted file. */
export const DECODE_SECONDS = 5;
/** The same for a file that takes much memory, in its own process. */
export const HEAVY_DECODE_SECONDS = 12;
/** Most seconds for scaling or encoding a checked file on a busy machine. */
export const SCALE_SECONDS = 25;
/** Most pixels of one scaled or encoded picture: the largest canvas at its largest scale. */
export const MAX_OUTPUT_PIXELS = 52_000_000;
