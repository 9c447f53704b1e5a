// The encoder of barcodes: handed in from outside, as it is by far the largest library of core (930 KB).
//
// A server provides it when it starts. A browser does when a template first asks for it: `needs.codes` says so, and the
// codes have no modules until then.

/** What bwip-js's `raw` gives: widths of bars and spaces in turn, or modules row by row. */
export type RawSymbol =
  | { readonly sbs: readonly number[] }
  | { readonly pixs: readonly number[]; readonly pixx: number; readonly pixy: number };

/** @throws Error whose message says, after a colon, why the value cannot be encoded */
export type EncodeSymbol = (options: { readonly bcid: string; readonly text: string }) => readonly RawSymbol[];

let encodeSymbol: EncodeSymbol | null = null;

/** Hands in bwip-js's `raw`. Once is enough. */
export function provideBarcodes(encode: EncodeSymbol): void {
  encodeSymbol = encode;
}

export function barcodeEncoder(): EncodeSymbol | null {
  return encodeSymbol;
}
