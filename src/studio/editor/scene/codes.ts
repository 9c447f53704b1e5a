// Encodes QR codes and barcodes. The encoders are loaded when a template first needs them. Only this file imports bwip-js
// in the studio.

import { LruCache } from '#core/lru-cache.ts';
import type { EncodeSymbol } from '#core/resolve/encode-code.ts';
import type { CodeModules, CodeNeed } from '#core/resolve/scene.ts';

type EncodeCode = (need: CodeNeed) => CodeModules;

/** Codes that were encoded before, which a template draws again and again; limited by modules of 8 bytes. */
const known = new LruCache<string, CodeModules>(1_000_000);
const encoders: { qr: EncodeCode | null; barcode: EncodeCode | null } = { qr: null, barcode: null };
const kindOf = ({ format }: CodeNeed) => (format === 'qr' ? 'qr' : 'barcode');

/**
 * The modules of codes, by their keys; null if an encoder must be loaded first.
 *
 * @throws ValidationError when a format cannot hold its value
 */
export function readyCodes(needs: readonly CodeNeed[]): ReadonlyMap<string, CodeModules> | null {
  const codes = new Map<string, CodeModules>();
  for (const need of needs) {
    const modules = known.get(need.key) ?? encoders[kindOf(need)]?.(need);
    if (!modules) return null;
    known.set(need.key, modules, modules.dark.length);
    codes.set(need.key, modules);
  }
  return codes;
}

/** Loads the encoders of these codes. */
export async function loadCodes(needs: readonly CodeNeed[]): Promise<void> {
  const kinds = new Set(needs.map(kindOf));
  if (kinds.size === 0) return;
  const [{ encodeCode }, bwip] = await Promise.all([
    import('#core/resolve/encode-code.ts'),
    kinds.has('barcode') ? import('bwip-js/generic') : null,
  ]);
  encoders.qr ??= (need) => encodeCode(need, () => []);
  if (bwip) encoders.barcode ??= (need) => encodeCode(need, bwip.default.raw as EncodeSymbol);
}
