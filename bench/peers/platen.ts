// Platen's own pipeline as the server runs it: from a stored template and modifications to the file.

import { compose } from '../../src/core/compose.ts';
import { resolve } from '../../src/core/resolve/resolve.ts';
import { openFontLibrary } from '../../src/draw/fonts/font-library.ts';
import { exportAs } from '../../src/draw/output/export.ts';
import { DEFAULT_EXPORT } from '../../src/draw/output/formats.ts';
import { type ImageSources, loadResources } from '../../src/draw/renderer/load-resources.ts';
import { warmUp } from '../../src/draw/renderer/warm-up.ts';
import { type OpenPeer, QUALITY } from './peer.ts';

export const open: OpenPeer = async ({ images }) => {
  // The catalogue's Inter consists of the same files as the other peers get.
  const fonts = await openFontLibrary({ folders: [] });
  // The server does this after it has started to listen.
  await warmUp(fonts);
  const sources: ImageSources = {
    async read(source) {
      const image = images.get(source);
      if (!image) throw new Error(`no image "${source}"`);
      return image.bytes;
    },
  };
  const signal = new AbortController().signal;

  return {
    outputs: ['png', 'jpeg', 'webp', 'pdf'],
    async render({ template, scale = 1 }, strings, output, quality = QUALITY) {
      const scene = resolve(template, strings);
      const { resources } = await loadResources(scene.needs, fonts, sources, signal, 'header');
      const { list } = compose(scene, resources);
      return exportAs(output, [list], resources, { ...DEFAULT_EXPORT, quality, scale });
    },
  };
};
