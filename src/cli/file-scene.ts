// Turns a template file into its scene with all resources: shared by rendering and measuring files.

import { dirname, resolve } from 'node:path';
import type { Diagnostic } from '#core/diagnostics.ts';
import { parseTemplate, type Template, walkLayers } from '#core/template/template.ts';
import { type OpenedScene, openScene, type Reach } from '#draw/renderer/draw-scene.ts';
import { type Config, loadRenderConfig } from '#server/config/config.ts';
import { toModifications } from '#server/service/rendering/parameters.ts';
import type { NamedValue } from '#server/service/rendering/signed-url.ts';
import { type DesignedFile, designFile } from './design-file.ts';
import { readTemplateFile } from './template-file.ts';

/**
 * Reads a template file and loads its fonts and images.
 *
 * @param set modifications that override those in the file for the same layer
 * @param isForPdf whether pictures may be pages of PDF files
 * @param designed the template of the file as it is chosen; absent: as the file has it
 * @throws AppError or ValidationError saying what is wrong with the file or its images
 */
export async function openFileScene(
  path: string,
  set: readonly NamedValue[],
  designed?: DesignedFile,
  isForPdf = false,
): Promise<OpenedScene> {
  const file = await readTemplateFile(path);
  const { template: made, diagnostics: odd } = designed ?? designFile(file);
  const template = parseTemplate(made);
  const modifications = { ...file.modifications, ...toModifications(template, set) };
  const { scene, loaded } = await openScene(template, modifications, reachOfFile(path), isForPdf);
  const diagnostics = [...odd, ...scene.diagnostics, ...takenAsWords(template, set)];
  return { scene: { ...scene, diagnostics }, loaded };
}

/**
 * A hint for each text or code layer that was set to `true` or `false`: the word became its content instead of changing
 * its visibility.
 */
function takenAsWords(template: Template, set: readonly NamedValue[]): readonly Diagnostic[] {
  const layers = new Map([...walkLayers(template.layers)].map(({ layer }) => [layer.name, layer]));
  return set.flatMap(([name, value]): Diagnostic[] => {
    const type = layers.get(name)?.type ?? '';
    if (!/^(text|qr|barcode)$/.test(type) || !/^(true|false)$/.test(value)) return [];
    const [layer, hint] = [JSON.stringify(name), `--set ${name}.visible=${value}`];
    const message = `Layer ${layer} has the word ${value} for its ${type === 'text' ? 'text' : 'value'} now; to ${value === 'true' ? 'show' : 'hide'} it: ${hint}.`;
    return [{ code: 'unknown-property', layer: name, message }];
  });
}

/** What a template in a file may reach: all that its user may read, and what the environment allows. */
export function reachOfFile(path: string, config: Config = loadRenderConfig()): Reach {
  return {
    folder: dirname(resolve(path)),
    isWholeDisk: true,
    fontFolders: config.fontFolders,
    openOutside: async () => (await import('#server/service/files/image-sources.ts')).openOutside(config),
  };
}
