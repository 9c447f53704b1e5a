// The encoder of barcodes in the page: loaded when a template first has one. The studio's door to bwip-js.

import { type EncodeSymbol, provideBarcodes } from '#core/resolve/barcode-encoder.ts';

let loading: Promise<void> | null = null;

export function loadBarcodes(): Promise<void> {
  loading ??= import('bwip-js/generic').then(({ default: bwip }) => provideBarcodes(bwip.raw as EncodeSymbol));
  return loading;
}
