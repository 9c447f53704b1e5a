// Draws PDFs with PDFium, which Chrome uses, compiled to WebAssembly.

import { PDFiumLibrary } from '@hyzyla/pdfium';
import type { Viewer } from './viewer.ts';

export async function openPdfium(): Promise<Viewer> {
  const library = await PDFiumLibrary.init();
  return {
    name: 'PDFium',
    async draw(pdf, canvas, fineness = 1) {
      const document = await library.loadDocument(pdf);
      try {
        const { width, height, data } = await document.getPage(0).render({
          width: canvas.width * fineness,
          height: canvas.height * fineness,
          render: 'bitmap',
        });
        return { width, height, pixels: new Uint8Array(data) };
      } finally {
        document.destroy();
      }
    },
    async [Symbol.asyncDispose]() {
      library.destroy();
    },
  };
}
