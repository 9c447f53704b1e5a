// What an image from outside may weigh before Platen refuses it.
//
// Checked from the header, before a pixel is decoded, and again by the decoder itself.

/** Bytes of one encoded image. */
export const MAX_IMAGE_BYTES = 15 * 1024 * 1024;
/** Pixels of one image, and pixels a side. */
export const MAX_IMAGE_PIXELS = 50_000_000;
export const MAX_IMAGE_SIDE = 16_384;

/** Bytes of memory that decoding raster images takes at any time, and so the most that one may take (decode-cost.ts). */
export const MAX_DECODE_BYTES = 400_000_000;

export const MAX_SVG_BYTES = 1024 * 1024;
export const MAX_SVG_ELEMENTS = 50_000;
/** Nested elements; each level is a stack frame in the drawing library. */
export const MAX_SVG_DEPTH = 100;
/** Characters of one text element, whose layout costs the square of them, and of all of them. */
export const MAX_SVG_TEXT = 4_000;
export const MAX_SVG_TEXT_TOTAL = 20_000;

/** Longest time that looking at a file from outside may take, seconds. */
export const DECODE_SECONDS = 5;
/** And at one that takes much memory, in a process of its own. */
export const HEAVY_DECODE_SECONDS = 12;
/** And, once it was found sound, scaling or encoding it on a busy machine. */
export const SCALE_SECONDS = 25;
/** Pixels of one scaled or encoded picture: the largest canvas at its largest scale. */
export const MAX_OUTPUT_PIXELS = 52_000_000;
