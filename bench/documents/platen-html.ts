// Platen's own html renderer, as the server runs it, given the page that WeasyPrint and Chromium get.

import { writeFile } from 'node:fs/promises';
import { composePages } from '../../src/core/compose.ts';
import { resolveHtml } from '../../src/core/resolve/resolve-html.ts';
import { parseHtmlTemplate } from '../../src/core/template/html-template.ts';
import { openFontLibrary } from '../../src/draw/fonts/font-library.ts';
import { exportAs } from '../../src/draw/output/export.ts';
import { DEFAULT_EXPORT } from '../../src/draw/output/formats.ts';
import { loadResources } from '../../src/draw/renderer/load-resources.ts';
import { openPageScene } from '../../src/draw/renderer/page-scene.ts';
import { htmlOf } from './html.ts';
import type { OpenWriter } from './writer.ts';

export const open: OpenWriter = async (fonts) => {
  const library = await openFontLibrary({ folders: [] });
  const read = async (source: string): Promise<never> => {
    throw new Error(`no file "${source}"`);
  };
  const options = { width: 794, height: 1123, engine: 'html', renderer: 'platen' };
  const template = parseHtmlTemplate({ name: 'Report', html: '<p>', ...options });
  return async (rows, file) => {
    // The service takes pages of at most 2,000,000 characters: 5,000 rows with their fonts, not 50,000.
    const page = { ...resolveHtml(template, {}), template: { ...template, html: htmlOf(rows, fonts) } };
    const made = await openPageScene(page, 'pdf', DEFAULT_EXPORT, read);
    if (!made) throw new Error('It is no page of this renderer.');
    const { scene, faces } = made;
    const own = library.with(faces);
    const { resources } = await loadResources(scene.needs, own, { read }, new AbortController().signal, 'header');
    const { lists } = composePages(scene, resources, {});
    await writeFile(file, await exportAs('pdf', lists, resources, DEFAULT_EXPORT));
  };
};
