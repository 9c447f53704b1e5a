// The encoder of barcodes, in a file of its own: it is loaded when a template first needs it, and bundles for the edge
// leave out all of its exports but this.

import bwip from 'bwip-js/generic';
import type { EncodeSymbol } from '#core/resolve/encode-code.ts';

export const encodeBarcode = bwip.raw as EncodeSymbol;
