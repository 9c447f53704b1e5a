// Encodes QR codes and barcodes. The encoder of barcodes is loaded when a template first needs it: it is the largest
// library of a render, and few templates have one.

import { LruCache } from '#core/lru-cache.ts';
import { type EncodeSymbol, encodeCode } from '#core/resolve/encode-code.ts';
import type { CodeModules, CodeNeed } from '#core/resolve/scene.ts';

/** Codes that were encoded before, since templates draw the same ones again and again; limited by modules of 8 bytes. */
const known = new LruCache<string, CodeModules>(1_000_000);

/** The modules of codes, by their keys. @throws ValidationError when a format cannot hold its value */
export async function loadCodes(needs: readonly CodeNeed[]): Promise<ReadonlyMap<string, CodeModules>> {
  const codes = new Map<string, CodeModules>();
  for (const need of needs) {
    const modules = known.get(need.key) ?? encodeCode(need, await encoderFor(need));
    known.set(need.key, modules, modules.dark.length);
    codes.set(need.key, modules);
  }
  return codes;
}

async function encoderFor({ format }: CodeNeed): Promise<EncodeSymbol> {
  if (format === 'qr') return () => [];
  const { encodeBarcode } = await import('./encode-barcode.ts');
  return encodeBarcode;
}
