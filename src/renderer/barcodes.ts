// Provides core with the barcode encoder, bwip-js, when this file is imported.

import bwip from 'bwip-js/generic';
import { type EncodeSymbol, provideBarcodes } from '#core/resolve/barcode-encoder.ts';

provideBarcodes(bwip.raw as EncodeSymbol);
