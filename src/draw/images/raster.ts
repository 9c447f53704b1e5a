// Decoded pixels, in the two forms that are passed between libraries.

/** Device pixels, 8 bits per channel, row by row, no padding. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  /** RGBA, alpha premultiplied. */
  readonly pixels: Uint8Array;
  /** Digests of its rows, equally many bytes each: equal rows have equal ones. */
  readonly digests?: Uint8Array;
  /** Whether it is known to have more than 256 colours. */
  readonly isColorful?: boolean;
}

/** Device pixels of at most 256 colours, row by row, no padding. */
export interface IndexedRaster extends Pick<Raster, 'width' | 'height' | 'digests'> {
  /** Premultiplied RGBA, red lowest. */
  readonly colors: Uint32Array;
  /** The index of each pixel's colour. */
  readonly indices: Uint8Array;
}

/** Pixels of a picture in sRGB, 8 bits per channel, row by row, no padding. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** 3 = RGB, 4 = RGBA with straight alpha. */
  readonly channels: 3 | 4;
  readonly data: Uint8Array;
}
