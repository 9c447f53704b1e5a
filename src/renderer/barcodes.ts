// Hands core the encoder of barcodes, when this file is imported. The server's door to bwip-js.

import bwip from 'bwip-js/generic';
import { type EncodeSymbol, provideBarcodes } from '#core/resolve/barcode-encoder.ts';

provideBarcodes(bwip.raw as EncodeSymbol);
