// Loads the barcode encoder when a template first needs it. Only this file imports bwip-js in the studio.

import { type EncodeSymbol, provideBarcodes } from '#core/resolve/barcode-encoder.ts';

let loading: Promise<void> | null = null;

export function loadBarcodes(): Promise<void> {
  loading ??= import('bwip-js/generic').then(({ default: bwip }) => provideBarcodes(bwip.raw as EncodeSymbol));
  return loading;
}
