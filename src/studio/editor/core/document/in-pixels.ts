// A document as the editor works on it: with the size of its sheet, and lengths in px where they have other units.

import type { Layer } from '#core/template/layer.ts';
import { inPixels as px } from '#core/template/page-setup.ts';
import { withSheetSize } from '#core/template/template.ts';
import { withPixels } from '#design/scale-layer.ts';
import type { RawDocument, RawLayer } from './document.ts';

const UNIT = /"-?\d{1,6}(?:\.\d{1,6})?(?:px|pt|pc|mm|cm|in)"/;

/** The same object if it has no other lengths. */
export function inPixels(document: RawDocument): RawDocument {
  const { width, height } = document;
  const sized = withSheetSize(
    typeof width === 'string' || typeof height === 'string'
      ? { ...document, width: px(width) as number, height: px(height) as number }
      : document,
  );
  if (!sized.layers || !UNIT.test(JSON.stringify(sized.layers))) return sized;
  const layers = sized.layers.map((layer) => withPixels(layer as unknown as Layer) as unknown as RawLayer);
  return { ...sized, layers };
}
