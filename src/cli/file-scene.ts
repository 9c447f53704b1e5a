// Turns a template file into its scene with all resources: shared by rendering and measuring files.

import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AppError } from '#base/errors.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import { resolve as resolveScene } from '#core/resolve/resolve.ts';
import type { Needs, Scene } from '#core/resolve/scene.ts';
import { parseTemplate, type Template, walkLayers } from '#core/template/template.ts';
import { type FontLibrary, openFontLibrary } from '#draw/fonts/font-library.ts';
import { setSvgFonts } from '#draw/images/svg-process.ts';
import { type ImageSources, type LoadedResources, loadResources } from '#draw/renderer/load-resources.ts';
import { type Config, loadConfig } from '#server/config/config.ts';
import { toModifications } from '#server/service/rendering/parameters.ts';
import type { Parameter } from '#server/service/rendering/signed-url.ts';
import { type DesignedFile, designFile } from './design-file.ts';
import { readTemplateFile } from './template-file.ts';

export interface FileScene {
  readonly scene: Scene;
  readonly loaded: LoadedResources;
}

/** Total time for loading all images of a file, ms. */
const DEADLINE = 120_000;

/**
 * Reads a template file and loads its fonts and images.
 *
 * @param set modifications that override those in the file for the same layer
 * @param designed the template of the file as it is chosen; absent: as the file has it
 * @throws AppError or ValidationError saying what is wrong with the file or its images
 */
export async function openFileScene(
  path: string,
  set: readonly Parameter[],
  designed?: DesignedFile,
): Promise<FileScene> {
  const file = await readTemplateFile(path);
  const { template: made, diagnostics: odd } = designed ?? designFile(file);
  const template = parseTemplate(made);
  const modifications = { ...file.modifications, ...toModifications(template, set) };
  const { scene, loaded } = await openScene(template, modifications, dirname(resolve(path)));
  const diagnostics = [...odd, ...scene.diagnostics, ...takenAsWords(template, set)];
  return { scene: { ...scene, diagnostics }, loaded };
}

/**
 * A hint for each text or code layer that was set to `true` or `false`: the word became its content instead of changing
 * its visibility.
 */
function takenAsWords(template: Template, set: readonly Parameter[]): readonly Diagnostic[] {
  const layers = new Map([...walkLayers(template.layers)].map(({ layer }) => [layer.name, layer]));
  return set.flatMap(([name, value]): Diagnostic[] => {
    const type = layers.get(name)?.type ?? '';
    if (!/^(text|qr|barcode)$/.test(type) || !/^(true|false)$/.test(value)) return [];
    const [layer, hint] = [JSON.stringify(name), `--set ${name}.visible=${value}`];
    const message = `Layer ${layer} has the word ${value} for its ${type === 'text' ? 'text' : 'value'} now; to ${value === 'true' ? 'show' : 'hide'} it: ${hint}.`;
    return [{ code: 'unknown-property', layer: name, message }];
  });
}

/**
 * Resolves a template and loads its fonts and images.
 *
 * @param folder base folder of relative image sources
 * @param fontFolders in addition to those of the configuration
 */
export async function openScene(
  template: Template,
  modifications: Modifications,
  folder: string,
  fontFolders: readonly string[] = [],
): Promise<FileScene> {
  const scene = resolveScene(template, modifications);
  await using loader = await openLoader(folder, fontFolders);
  return { scene, loaded: await loader.load(scene.needs) };
}

export interface Loader extends AsyncDisposable {
  readonly fonts: FontLibrary;
  readonly sources: ImageSources;
  readonly load: (needs: Needs) => Promise<LoadedResources>;
}

/**
 * Loads the resources of a template in `folder`; its connections are closed on disposal.
 *
 * @param fontFolders in addition to those of the configuration
 * @throws AppError `invalid_request` naming a font folder that is none
 */
export async function openLoader(folder: string, fontFolders: readonly string[] = []): Promise<Loader> {
  const config = loadConfig();
  for (const each of fontFolders) await checkFontFolder(each);
  const fonts = await openFontLibrary({ folders: [...fontFolders, ...config.fontFolders] });
  setSvgFonts(fonts.folders, fonts.generic);
  const outside = new LazyOutside(config);
  const sources = besideFile(folder, outside);
  return {
    fonts,
    sources,
    load: (needs) => loadResources(needs, fonts, sources, AbortSignal.timeout(DEADLINE)),
    [Symbol.asyncDispose]: () => outside[Symbol.asyncDispose](),
  };
}

async function checkFontFolder(folder: string): Promise<void> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new AppError('invalid_request', `fontFolders: ${JSON.stringify(folder)} is not a folder.`);
}

/** Reads sources from the network and `data:` URIs; the client is loaded on first use. */
class LazyOutside implements ImageSources, AsyncDisposable {
  readonly #config: Config;
  #opened: Promise<ImageSources & AsyncDisposable> | null = null;

  constructor(config: Config) {
    this.#config = config;
  }

  async read(source: string, signal: AbortSignal): Promise<Uint8Array> {
    this.#opened ??= import('#server/service/files/image-sources.ts').then(({ openOutside }) =>
      openOutside(this.#config),
    );
    return (await this.#opened).read(source, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#opened)?.[Symbol.asyncDispose]();
  }
}

/**
 * Reads a source without a scheme as a file in the template's folder, or in the nearest ancestor folder that has it.
 */
function besideFile(folder: string, outside: ImageSources): ImageSources {
  return {
    async read(source, signal) {
      if (source === '' || /^[a-z][a-z0-9+.-]*:/i.test(source)) return outside.read(source, signal);
      for (let here = folder; ; here = dirname(here)) {
        const bytes = await readFile(resolve(here, source)).catch(() => null);
        if (bytes) return bytes;
        if (here === dirname(here))
          throw new AppError('invalid_request', `There is no file ${source} beside the template.`);
      }
    },
  };
}
