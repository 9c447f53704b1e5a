// Encodes QR codes and barcodes. The encoder of barcodes is loaded when a template first needs it. Only this file imports
// bwip-js in the studio.

import { LruCache } from '#core/lru-cache.ts';
import { type EncodeSymbol, encodeCode } from '#core/resolve/encode-code.ts';
import type { CodeModules, CodeNeed } from '#core/resolve/scene.ts';

/** Codes that were encoded before, which a template draws again and again; limited by modules of 8 bytes. */
const known = new LruCache<string, CodeModules>(1_000_000);
let encoder: EncodeSymbol | null = null;
let loading: Promise<void> | null = null;

/**
 * The modules of codes, by their keys; null if the encoder must be loaded first.
 *
 * @throws ValidationError when a format cannot hold its value
 */
export function readyCodes(needs: readonly CodeNeed[]): ReadonlyMap<string, CodeModules> | null {
  const codes = new Map<string, CodeModules>();
  for (const need of needs) {
    if (need.format !== 'qr' && encoder === null) return null;
    const modules = known.get(need.key) ?? encodeCode(need, encoder ?? (() => []));
    known.set(need.key, modules, modules.dark.length);
    codes.set(need.key, modules);
  }
  return codes;
}

/** Loads the encoder, if there are barcodes. */
export async function loadCodes(needs: readonly CodeNeed[]): Promise<void> {
  if (needs.every(({ format }) => format === 'qr')) return;
  loading ??= import('bwip-js/generic').then(({ default: bwip }) => {
    encoder = bwip.raw as EncodeSymbol;
  });
  return loading;
}
