// Takes a template from its brand: every name becomes the value that it stands for.

import { parseBrand, valuesOf } from '#design/brand.ts';
import { references } from '#design/references.ts';
import type { RawDocument } from '../document/document.ts';
import type { Designs } from './designs.ts';

/** @throws ValidationError naming what the brand does not have */
export function withoutBrand({ brand, ...document }: RawDocument, designs: Designs): RawDocument {
  const known = typeof brand === 'string' ? designs.brands.get(brand) : undefined;
  if (known === undefined) return document as RawDocument;
  return references(valuesOf(parseBrand(known)), String(brand)).resolved(document, '') as RawDocument;
}
