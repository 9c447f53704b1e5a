// A template file to a picture file: the render pipeline without a server around it.

import { readFile, writeFile } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { compose } from '#core/compose.ts';
import { resolve as resolveScene } from '#core/resolve/resolve.ts';
import { parseTemplate } from '#core/template/template.ts';
import { AppError } from '#errors';
import { openFontLibrary } from '#fonts/font-library.ts';
import { exportAs } from '#output/export.ts';
import { EXTENSIONS, type ExportOptions, type Extension, type Output } from '#output/formats.ts';
import { openOutside } from '#service/image-sources.ts';
import { toModifications } from '#service/parameters.ts';
import { type ImageSources, loadResources } from '#service/resources.ts';
import type { Parameter } from '#service/signed-url.ts';
import { loadConfig } from '../config.ts';
import { readTemplateFile } from './template-file.ts';

export interface RenderFileOptions extends ExportOptions {
  readonly out: string;
  /** They win over the file's own modifications of the same layer. */
  readonly set: readonly Parameter[];
}

export interface RenderedFile {
  readonly output: Output;
  /** Bytes. */
  readonly size: number;
  readonly warnings: readonly string[];
}

const DEADLINE = 120_000;

/** @throws AppError or ValidationError saying what is wrong with the file, its images or the wanted format */
export async function renderFile(
  path: string,
  { out, set, scale, quality, compression }: RenderFileOptions,
): Promise<RenderedFile> {
  const output = outputOf(out);
  const file = await readTemplateFile(path);
  const template = parseTemplate(file.template);
  const scene = resolveScene(template, { ...file.modifications, ...toModifications(template, set) });

  const config = loadConfig();
  const fonts = await openFontLibrary({ folders: config.fontFolders });
  await using outside = openOutside(config);
  const sources = besideFile(dirname(resolve(path)), outside);
  const loaded = await loadResources(scene.needs, fonts, sources, AbortSignal.timeout(DEADLINE));
  const { list, diagnostics } = compose(scene, loaded.resources);
  const bytes = await exportAs(output, list, loaded.resources, { scale, quality, compression });

  await writeFile(out, bytes);
  const warnings = [...diagnostics, ...loaded.diagnostics].map(({ message }) => message);
  return { output, size: bytes.length, warnings };
}

function outputOf(out: string): Output {
  const extension = extname(out).slice(1).toLowerCase();
  if (Object.hasOwn(EXTENSIONS, extension)) return EXTENSIONS[extension as Extension];
  throw new AppError('invalid_request', `${out} must end in .${Object.keys(EXTENSIONS).join(', .')}.`);
}

/** Reads a source without a scheme as a file in the template's folder, or in the nearest folder above that has it. */
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
