// Lists the fonts and images that the first page of a PDF names.

import { PdfFile, type PdfValue } from './pdf-file.ts';

export function firstPageOf(bytes: Uint8Array): {
  readonly fonts: readonly string[];
  readonly images: readonly string[];
} {
  const file = new PdfFile(bytes);
  const pages = file.dict(file.dict(file.trailer.get('/Root')).get('/Pages'));
  const [first] = file.resolve(pages.get('/Kids')) as readonly PdfValue[];
  const resources = file.dict(file.dict(first).get('/Resources'));
  const objects = [...file.dict(resources.get('/XObject'))];
  return {
    fonts: [...file.dict(resources.get('/Font')).keys()],
    images: objects.filter(([, object]) => file.dict(object).get('/Subtype') === '/Image').map(([name]) => name),
  };
}
