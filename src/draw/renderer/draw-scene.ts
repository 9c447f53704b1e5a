// Draws a template where there is no server: resolve → load → compose → export, for the library and for files.

import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { AppError } from '#base/errors.ts';
import { composePages, namingInks } from '#core/compose.ts';
import { type Diagnostic, quoted } from '#core/diagnostics.ts';
import type { AvailableFace } from '#core/fonts/match-face.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import { resolve as resolveScene } from '#core/resolve/resolve.ts';
import type { Needs, Scene } from '#core/resolve/scene.ts';
import type { Template } from '#core/template/template.ts';
import { type FontLibrary, openFontLibrary } from '#draw/fonts/font-library.ts';
import { setSvgFonts } from '#draw/images/svg-process.ts';
import { exportAs } from '#draw/output/export.ts';
import { bled, type ExportOptions, type Output, pagesFor } from '#draw/output/formats.ts';
import { namingLayer } from '#draw/output/raster/too-much-to-draw.ts';
import { type ImageSources, type LoadedResources, loadResources } from '#draw/renderer/load-resources.ts';

/** What a template may reach. */
export interface Reach {
  /** Sources without a scheme are files in it. */
  readonly folder: string;
  /** Whether they may also be in the folders above it, or anywhere on the disk by an absolute path. */
  readonly isWholeDisk: boolean;
  /** Beside the catalogue; absent folders are left out. */
  readonly fontFolders: readonly string[];
  /** Opens what reads `data:` URIs and addresses; called on first use. */
  readonly openOutside: () => Promise<ImageSources & AsyncDisposable>;
}

export interface OpenedScene {
  readonly scene: Scene;
  readonly loaded: LoadedResources;
}

export interface Loader extends AsyncDisposable {
  readonly fonts: FontLibrary;
  readonly sources: ImageSources;
  /** @param faces of a page, beside those of the library */
  readonly load: (needs: Needs, isForPdf: boolean, faces?: readonly AvailableFace[]) => Promise<LoadedResources>;
}

/** Total time for loading all images of a template, ms. */
const DEADLINE = 120_000;

/**
 * Resolves a template and loads its fonts and images.
 *
 * @param isForPdf whether pictures may be pages of PDF files
 * @throws AppError or ValidationError naming what is wrong
 */
export async function openScene(
  template: Template,
  modifications: Modifications,
  reach: Reach,
  isForPdf: boolean,
): Promise<OpenedScene> {
  const scene = resolveScene(template, modifications);
  await using loader = await openLoader(reach);
  return { scene, loaded: await loader.load(scene.needs, isForPdf) };
}

/** Draws all pages that the options ask for. @throws AppError naming the layer that is too much to draw */
export async function drawScene(
  { scene, loaded: { resources, diagnostics: found } }: OpenedScene,
  output: Output,
  options: ExportOptions,
): Promise<{ readonly bytes: Uint8Array; readonly diagnostics: readonly Diagnostic[] }> {
  const printed = bled(scene, options);
  const { lists, diagnostics } = composePages(printed, resources, pagesFor(output, options));
  const odd: Diagnostic[] = [];
  const watched = { warn: (each: Diagnostic) => odd.push(...namingInks(each, scene)) };
  const bytes = await namingLayer(scene, resources, () => exportAs(output, lists, resources, options, watched));
  return { bytes, diagnostics: [...diagnostics, ...found, ...odd] };
}

/** Loads what templates need; its connections are closed on disposal. */
export async function openLoader({ folder, isWholeDisk, fontFolders, openOutside }: Reach): Promise<Loader> {
  const fonts = await openFontLibrary({ folders: fontFolders });
  setSvgFonts(fonts.folders, fonts.generic);
  let outside: Promise<ImageSources & AsyncDisposable> | null = null;
  const sources: ImageSources = {
    async read(source, signal) {
      if (source !== '' && !/^[a-z][a-z0-9+.-]*:/i.test(source))
        return isWholeDisk ? readUpwards(folder, source) : readWithin(folder, source);
      outside ??= openOutside();
      return (await outside).read(source, signal);
    },
  };
  return {
    fonts,
    sources,
    load: (needs, isForPdf, faces = []) => {
      const all = faces.length > 0 ? fonts.with(faces) : fonts;
      return loadResources(
        needs,
        all,
        sources,
        AbortSignal.timeout(DEADLINE),
        'pixels',
        isForPdf ? 'shown' : 'refused',
      );
    },
    [Symbol.asyncDispose]: async () => (await outside)?.[Symbol.asyncDispose](),
  };
}

/** @throws AppError `invalid_request` naming a folder that is none */
export async function checkFontFolder(folder: string): Promise<void> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new AppError('invalid_request', `fontFolders: ${JSON.stringify(folder)} is not a folder.`);
}

/** A file in the folder, or in the nearest folder above that has it. */
async function readUpwards(folder: string, source: string): Promise<Uint8Array> {
  for (let here = folder; ; here = dirname(here)) {
    const bytes = await readFile(resolve(here, source)).catch(() => null);
    if (bytes) return bytes;
    if (here === dirname(here))
      throw new AppError('invalid_request', `There is no file ${quoted(source)} beside the template.`);
  }
}

/** A file in the folder, also after links are followed. What lies outside is refused alike, whether it exists or not. */
async function readWithin(folder: string, source: string): Promise<Uint8Array> {
  const root = (await realpath(folder).catch(() => resolve(folder))) + sep;
  const named = resolve(folder, source);
  const file = named.startsWith(resolve(folder) + sep) ? await realpath(named).catch(() => null) : '';
  if (file?.startsWith(root)) return readFile(file);
  throw new AppError(
    'invalid_request',
    file === null
      ? `There is no file ${quoted(source)} in the folder.`
      : `${quoted(source)} is outside of the folder; name the folder that has it by the option folder, or give a data: URI.`,
  );
}
