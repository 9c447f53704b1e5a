// A fixture in, its PNG and PDF out, by the pipeline that the server uses.
//
// The catalogue's fonts and the files under fixtures/ are all that it reads: no network, no database, no system fonts.

import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type Composition, compose } from '#core/compose.ts';
import { resolve } from '#core/resolve/resolve.ts';
import type { Resources } from '#core/resources.ts';
import { parseTemplate } from '#core/template/template.ts';
import { AppError } from '#errors';
import { openFontLibrary } from '#fonts/font-library.ts';
import { exportAs } from '#output/export.ts';
import { DEFAULT_EXPORT } from '#output/formats.ts';
import { parseDataUri } from '#pixels/data-uri.ts';
import { type ImageSources, loadResources } from '#service/resources.ts';
import { FIXTURES } from './cases.ts';

/** What is to be rendered: a fixture, or any template with its modifications. */
export interface Renderable {
  readonly template: unknown;
  readonly modifications: Readonly<Record<string, unknown>>;
}

export interface Drawn extends Composition {
  readonly resources: Resources;
  readonly png: Uint8Array;
  readonly pdf: Uint8Array;
}

const library = await openFontLibrary({ folders: [] });

/** False where the large East Asian faces, which are optional, are asked for and not installed. */
export function canDraw({ template }: Renderable): boolean {
  return library.missing.length === 0 || !/[\p{scx=Han}\p{scx=Hangul}]/u.test(JSON.stringify(template));
}

/** Relative paths are files below `folder`; `data:` URLs say what they hold. */
const filesIn = (folder: string): ImageSources => ({
  async read(source) {
    if (source.startsWith('data:')) return parseDataUri(source).bytes;
    const path = join(folder, source);
    const missing = new AppError('invalid_request', `There is no file ${JSON.stringify(source)} in the fixtures.`);
    if (relative(folder, path).startsWith('..')) throw missing;
    return readFile(path).catch(() => {
      throw missing;
    });
  },
});

export async function draw({ template, modifications }: Renderable, folder: string = FIXTURES): Promise<Drawn> {
  const scene = resolve(parseTemplate(template), modifications);
  const signal = new AbortController().signal;
  const { resources, diagnostics } = await loadResources(scene.needs, library, filesIn(folder), signal);
  const composition = compose(scene, resources);
  const { list } = composition;
  const [png, pdf] = [
    await exportAs('png', list, resources, DEFAULT_EXPORT),
    await exportAs('pdf', list, resources, DEFAULT_EXPORT),
  ];
  return { list, diagnostics: [...composition.diagnostics, ...diagnostics], resources, png, pdf };
}
