// The PDF of a page, written by the engine of html.

import { composePages } from '#core/compose.ts';
import { resolveHtml } from '#core/resolve/resolve-html.ts';
import { HtmlTemplate } from '#core/template/html-template.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { exportAs } from '#draw/output/export.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import { loadResources } from '#draw/renderer/load-resources.ts';
import { openPageScene } from '#draw/renderer/page-scene.ts';

const fonts = openFontLibrary({ folders: [] });

/** Of `data:` addresses. */
async function read(source: string): Promise<Uint8Array> {
  if (!source.startsWith('data:')) throw new Error(`no file "${source}"`);
  return new Uint8Array(await (await fetch(source)).arrayBuffer());
}

/**
 * @param html a whole document, for print, whose `@page` rules say the size of its sheets
 */
export async function pdfOf(html: string): Promise<Uint8Array> {
  const template = HtmlTemplate.parse({
    ...{ name: 'page', engine: 'html', renderer: 'platen', width: 816, height: 1056 },
    html: html || '<p>',
  });
  const own = await openPageScene(resolveHtml(template, {}), 'pdf', DEFAULT_EXPORT, read);
  if (!own) throw new Error('Our own engine draws it.');
  const { scene } = own;
  const { resources } = await loadResources(scene.needs, await fonts, { read }, new AbortController().signal, 'pixels');
  const { lists } = composePages(scene, resources, {});
  return exportAs('pdf', lists, resources, DEFAULT_EXPORT);
}
