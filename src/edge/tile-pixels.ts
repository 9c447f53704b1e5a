// How much of a canvas is painted at once at the edge.

/** Most pixels of a tile including its layers: 8 MB of an isolate's 128. */
export const TILE_PIXELS = 1 << 21;
