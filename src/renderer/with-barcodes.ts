// Resolves a template with the barcode encoder, which is loaded when a template first needs it: it is the largest
// library of a render, and few templates have a barcode.

import { type Drawable, isHtmlPage } from '#core/resolve/resolve-any.ts';

/** Returns what `resolve` returns; it is called once more where barcodes lack their modules. */
export async function withBarcodes<T extends Drawable>(resolve: () => T): Promise<T> {
  const resolved = resolve();
  const drawable: Drawable = resolved;
  if (isHtmlPage(drawable) || !drawable.needs.codes) return resolved;
  await import('./barcodes.ts');
  return resolve();
}
