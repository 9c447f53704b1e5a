// Decoded pixels, in the two forms that are passed between libraries.

/** Device pixels, 8 bits per channel, row by row, no padding. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  /** RGBA, alpha premultiplied. */
  readonly pixels: Uint8Array;
  /** Digests of its rows, equally many bytes each: equal rows have equal ones. */
  readonly digests?: Uint8Array;
  /** Its colours; null where there are more than a palette holds; absent where they were not counted. */
  readonly palette?: Palette | null;
}

/** At most 256 colours. */
export interface Palette {
  /** Premultiplied RGBA, red lowest. */
  readonly colors: Uint32Array;
  /** The kernels' hash table from colours to indices. */
  readonly slots: Uint8Array;
}

/** Pixels of a picture in sRGB, 8 bits per channel, row by row, no padding. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** 3 = RGB, 4 = RGBA with straight alpha. */
  readonly channels: 3 | 4;
  readonly data: Uint8Array;
}
