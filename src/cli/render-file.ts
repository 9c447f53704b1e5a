// Renders a template file to an image or PDF file: the render pipeline without a server.

import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { AppError } from '#base/errors.ts';
import { type HtmlPage, resolveHtml } from '#core/resolve/resolve-html.ts';
import { exportAs } from '#draw/output/export.ts';
import { EXTENSIONS, type ExportOptions, type Extension, type Output } from '#draw/output/formats.ts';
import { drawScene, openLoader } from '#draw/renderer/draw-scene.ts';
import type { Drawing } from '#draw/renderer/renderer.ts';
import { loadRenderConfig } from '#server/config/config.ts';
import { toModifications } from '#server/service/rendering/parameters.ts';
import type { NamedValue } from '#server/service/rendering/signed-url.ts';
import { type DesignedFile, type DesignOptions, designFile, nameOf, readDesignOptions } from './design-file.ts';
import { openFileScene, reachOfFile } from './file-scene.ts';
import { readTemplateFile, type TemplateFile } from './template-file.ts';

/** Longest wait for a style sheet or a font of a page, ms. */
const READ_TIME = 30_000;

export interface RenderFileOptions extends ExportOptions {
  readonly out: string;
  /** Override the file's own modifications of the same layer. */
  readonly set: readonly NamedValue[];
}

export interface RenderedFile {
  readonly output: Output;
  /** Bytes. */
  readonly size: number;
  readonly warnings: readonly string[];
}

/** @throws AppError or ValidationError saying what is wrong with the file, its images or the wanted format */
export async function renderFile(path: string, { out, set, ...options }: RenderFileOptions): Promise<RenderedFile> {
  const file = await readTemplateFile(path);
  return renderDesigned(path, file, designFile(file), { out, output: outputOf(out), set }, options);
}

/** Writes a file for each combination of the sizes and languages that are asked for. @throws as `renderFile` */
export async function renderFiles(
  path: string,
  { out, set, size, lang, brand, ...options }: RenderFileOptions & DesignOptions,
): Promise<readonly (RenderedFile & { readonly file: string })[]> {
  const output = outputOf(out);
  const { file, choices } = await readDesignOptions(await readTemplateFile(path), { size, lang, brand });
  const rendered: (RenderedFile & { readonly file: string })[] = [];
  for (const choice of choices) {
    const name = nameOf(out, choice, choices.length > 1);
    const target = { out: name, output, set };
    rendered.push({ file: name, ...(await renderDesigned(path, file, designFile(file, choice), target, options)) });
  }
  return rendered;
}

async function renderDesigned(
  path: string,
  file: TemplateFile,
  designed: DesignedFile,
  { out, output, set }: Pick<RenderFileOptions, 'out' | 'set'> & Pick<RenderedFile, 'output'>,
  options: ExportOptions,
): Promise<RenderedFile> {
  const { template } = designed;
  const { bytes, diagnostics } =
    template.engine === 'layers'
      ? await drawScene(await openFileScene(path, set, designed, output === 'pdf'), output, options)
      : await drawPage(
          resolveHtml(template, { ...file.modifications, ...toModifications(template, set) }),
          path,
          output,
          options,
        );
  await writeFile(out, bytes);
  return { output, size: bytes.length, warnings: diagnostics.map(({ message }) => message) };
}

async function drawPage(page: HtmlPage, path: string, output: Output, options: ExportOptions): Promise<Drawing> {
  const config = loadRenderConfig();
  await using loader = await openLoader(reachOfFile(path, config));
  if (page.template.renderer === 'chromium') {
    const [{ openPages }, { pageFiles }] = await Promise.all([
      import('#server/service/pages/pages.ts'),
      import('#server/service/pages/page-files.ts'),
    ]);
    await using chromium = openPages(config, { fonts: loader.fonts });
    return await chromium.pages.drawHtml(page, output, options, pageFiles(loader.fonts, loader.sources, 'file:'));
  }
  const { openPageScene } = await import('#draw/renderer/page-scene.ts');
  const read = (source: string) => loader.sources.read(source, AbortSignal.timeout(READ_TIME));
  const own = await openPageScene(page, output, options, read);
  if (own) {
    const { scene, faces, diagnostics } = own;
    const loaded = await loader.load(scene.needs, output === 'pdf', faces);
    const drawn = await drawScene({ scene, loaded }, output, options);
    return { ...drawn, diagnostics: [...drawn.diagnostics, ...diagnostics] };
  }
  const { composeHtml } = await import('#draw/html/compose-html.ts');
  const { list, resources, diagnostics } = await composeHtml(page, (needs) => loader.load(needs, false));
  return { bytes: await exportAs(output, [list], resources, options), diagnostics };
}

/**
 * @throws AppError `invalid_request` when the file name has no known extension
 */
function outputOf(out: string): Output {
  const extension = extname(out).slice(1).toLowerCase();
  if (Object.hasOwn(EXTENSIONS, extension)) return EXTENSIONS[extension as Extension];
  throw new AppError('invalid_request', `${out} must end in .${Object.keys(EXTENSIONS).join(', .')}.`);
}
