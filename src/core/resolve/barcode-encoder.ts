// Holds the barcode encoder, which is injected because it is by far the largest library of core (930 KB).
//
// It is provided when a template first needs it, as `needs.codes` says; until then the codes have no modules.

/** The result of bwip-js's `raw`: alternating widths of bars and spaces, or modules row by row. */
export type RawSymbol =
  | { readonly sbs: readonly number[] }
  | { readonly pixs: readonly number[]; readonly pixx: number; readonly pixy: number };

/** @throws Error whose message says, after a colon, why the value cannot be encoded */
export type EncodeSymbol = (options: { readonly bcid: string; readonly text: string }) => readonly RawSymbol[];

let encodeSymbol: EncodeSymbol | null = null;

/** Sets the encoder, bwip-js's `raw`. Once is enough. */
export function provideBarcodes(encode: EncodeSymbol): void {
  encodeSymbol = encode;
}

export function barcodeEncoder(): EncodeSymbol | null {
  return encodeSymbol;
}
