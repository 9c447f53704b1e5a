// Encodes QR codes and barcodes. The encoder of barcodes is loaded when a template first needs it: it is the largest
// library of a render, and few templates have one.

import { LruCache } from '#core/lru-cache.ts';
import { type EncodeSymbol, encodeCode } from '#core/resolve/encode-code.ts';
import { laterCode } from '#core/resolve/needs.ts';
import type { CodeModules, CodeNeed } from '#core/resolve/scene.ts';
import type { Resources } from '#core/resources.ts';

/** Codes that were encoded before, since templates draw the same ones again and again; limited by modules of 8 bytes. */
const known = new LruCache<string, CodeModules>(1_000_000);

/**
 * The modules of codes, by their keys; also of others of these formats, which are encoded when they are asked for.
 *
 * @throws ValidationError when a format cannot hold its value
 */
export async function loadCodes(needs: readonly CodeNeed[]): Promise<Resources['codes']> {
  const codes = new Map<string, CodeModules>();
  const encoders = new Map<CodeNeed['format'], EncodeSymbol>();
  const encoded = (need: CodeNeed): CodeModules => {
    const modules = known.get(need.key) ?? encodeCode(need, encoders.get(need.format) ?? (() => []));
    known.set(need.key, modules, modules.dark.length);
    return modules;
  };
  for (const need of needs) {
    encoders.set(need.format, await encoderFor(need));
    codes.set(need.key, encoded(need));
  }
  const later = (key: string) => {
    const need = laterCode(key);
    return need ? encoded(need) : undefined;
  };
  return { get: (key) => codes.get(key) ?? later(key) };
}

async function encoderFor({ format }: CodeNeed): Promise<EncodeSymbol> {
  if (format === 'qr') return () => [];
  const { encodeBarcode } = await import('./encode-barcode.ts');
  return encodeBarcode;
}
