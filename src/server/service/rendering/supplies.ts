// Supplies what a drawing needs from its template's owner: the template, fonts and images.
//
// The renderer requests each by name, at most once. What an owner may access is decided here.

import type { FontLibrary } from '#draw/fonts/font-library.ts';
import { OwnFonts } from '#draw/fonts/own-fonts.ts';
import type { ImageSources } from '#draw/renderer/load-resources.ts';
import type { PageFiles } from '#server/chromium/html-document.ts';
import type { Owner } from '../accounts/owner.ts';
import type { AccountFonts } from '../files/fonts.ts';
import type { ImageLibrary } from '../files/images.ts';
import { pageFiles } from '../pages/page-files.ts';
import type { Pages } from '../pages/pages.ts';
import type { DrawContext } from './render.ts';

export interface SuppliesOptions {
  readonly fonts: AccountFonts;
  readonly images: ImageLibrary;
  /** The faces that every account has. */
  readonly library: FontLibrary;
  readonly pages: Pick<Pages, 'drawHtml'>;
  /** Reads sources that are not uploads. */
  readonly outside: ImageSources;
  /** The server's own URL, with which links begin. */
  readonly address: () => string;
}

export interface OpenSupplies extends Pick<DrawContext, 'supplies' | 'drawHtml'> {
  /** The files that pages of the owner may use. */
  readonly pageFiles: (owner: Owner) => Promise<PageFiles>;
}

/** Makes the parts of a `DrawContext` that supply drawings by the renderer and by a browser. */
export function openSupplies(options: SuppliesOptions): OpenSupplies {
  const { fonts, images, pages, outside, address } = options;
  const ownFonts = new OwnFonts(options.library);
  const filesOf = async (owner: Owner) => {
    const fontsKey = await fonts.keyFor(owner);
    const faces = await ownFonts.libraryOf(fontsKey, () => fonts.records(owner, fontsKey));
    return pageFiles(faces, images.sourcesFor(owner, outside, address()), address());
  };
  return {
    async supplies(found) {
      const fontsKey = await fonts.keyFor(found);
      const sources = images.sourcesFor(found, outside, address());
      return {
        fontsKey,
        known: (named) => sources.known(named),
        template: async () => found.document,
        fonts: () => fonts.records(found, fontsKey),
        image: (source, signal) => sources.find(source, signal),
        upload: (id, signal) => sources.read(id, signal),
      };
    },
    pageFiles: filesOf,
    async drawHtml(owner, page, output, options, fairnessKey) {
      return pages.drawHtml(page, output, options, await filesOf(owner), fairnessKey);
    },
  };
}
