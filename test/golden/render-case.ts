// Renders a fixture to PNG and PDF by the same pipeline as the server.
//
// It reads only the catalogue's fonts and the files under fixtures/: no network, no database, no system fonts.

import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { AppError } from '#base/errors.ts';
import { composePages } from '#core/compose.ts';
import type { Composition } from '#core/composition.ts';
import type { Matrix } from '#core/geometry.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import { group } from '#core/paint/group.ts';
import { rectPath } from '#core/paint/outline.ts';
import { isHtmlPage, resolveAny } from '#core/resolve/resolve-any.ts';
import type { Needs, Scene } from '#core/resolve/scene.ts';
import type { Resources } from '#core/resources.ts';
import { parseAnyTemplate } from '#core/template/any-template.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { composeHtml } from '#draw/html/compose-html.ts';
import { parseDataUri } from '#draw/images/data-uri.ts';
import { setSvgFonts } from '#draw/images/svg-process.ts';
import { exportAs } from '#draw/output/export.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import { type ImageSources, loadResources, type Papers } from '#draw/renderer/load-resources.ts';
import { openPageScene } from '#draw/renderer/page-scene.ts';
import { FIXTURES } from './cases.ts';

/** What can be rendered: a fixture, or any template with its modifications. */
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
setSvgFonts(library.folders, library.generic);

/** False if the template needs the large East Asian faces, which are optional, and they are not installed. */
export function canDraw({ template }: Renderable): boolean {
  return library.missing.length === 0 || !/[\p{scx=Han}\p{scx=Hangul}]/u.test(JSON.stringify(template));
}

/** Relative paths are files below `folder`; `data:` URLs contain their data. */
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
  const { list, resources, diagnostics } = await composed({ template, modifications }, folder);
  const [png, pdf] = [
    await exportAs('png', [list], resources, DEFAULT_EXPORT),
    await exportAs('pdf', [list], resources, { ...DEFAULT_EXPORT, pdf: { reproducible: true } }),
  ];
  return { list, diagnostics, resources, png, pdf };
}

/** Draws one file alone. @param page of a document, from 1; absent = all of them */
export async function drawAs(
  output: 'png' | 'pdf',
  { template, modifications }: Renderable,
  page?: number,
): Promise<Uint8Array> {
  const drawable = resolveAny(parseAnyTemplate(template), modifications);
  if (page === undefined || isHtmlPage(drawable)) {
    const { list, resources } = await composed({ template, modifications });
    return exportAs(output, [list], resources, DEFAULT_EXPORT);
  }
  const { resources } = await loaded(drawable.needs, FIXTURES);
  const list = [...composePages(drawable, resources, {}).lists][page - 1];
  if (!list) throw new Error(`There is no page ${page}.`);
  return exportAs(output, [list], resources, DEFAULT_EXPORT);
}

const loaded = (needs: Needs, folder: string, papers: Papers = 'refused') =>
  loadResources(needs, library, filesIn(folder), new AbortController().signal, 'pixels', papers);

/** Loads the fonts and images that a scene needs. @param papers what becomes of the pages of PDFs */
export async function resourcesOf(needs: Needs, folder: string = FIXTURES, papers?: Papers): Promise<Resources> {
  return (await loaded(needs, folder, papers)).resources;
}

/** Returns the display list of a scene, or of a page laid out by satori. */
export async function composed(
  { template, modifications }: Renderable,
  folder: string = FIXTURES,
): Promise<Composition & { readonly resources: Resources }> {
  const load = (needs: Needs) => loaded(needs, folder);
  const drawable = resolveAny(parseAnyTemplate(template), modifications);
  const read = (source: string) => filesIn(folder).read(source, new AbortController().signal);
  const own = isHtmlPage(drawable) ? await openPageScene(drawable, 'png', DEFAULT_EXPORT, read) : null;
  if (isHtmlPage(drawable) && !own) return composeHtml(drawable, load);
  const scene = own?.scene ?? (drawable as Scene);
  const { resources, diagnostics } = await load(scene.needs);
  const { lists, diagnostics: found } = composePages(scene, resources, {});
  return {
    list: onOneSheet([...lists]),
    resources,
    diagnostics: [...found, ...diagnostics, ...(own?.diagnostics ?? [])],
  };
}

/** The pages of a document, each as a PNG, and all as one PDF. */
export async function drawPages({ template, modifications }: Renderable): Promise<{
  readonly lists: readonly DisplayList[];
  readonly pngs: readonly Uint8Array[];
  readonly pdf: Uint8Array;
}> {
  const scene = resolveAny(parseAnyTemplate(template), modifications);
  if (isHtmlPage(scene)) throw new Error('A document has layers.');
  const { resources } = await loaded(scene.needs, FIXTURES);
  const lists = [...composePages(scene, resources, {}).lists];
  const pngs: Uint8Array[] = [];
  for (const list of lists) pngs.push(await exportAs('png', [list], resources, DEFAULT_EXPORT));
  return { lists, pngs, pdf: await exportAs('pdf', lists, resources, DEFAULT_EXPORT) };
}

/** The pages of a document beside each other, so that one picture shows them; the list itself of what has one page. */
function onOneSheet(lists: readonly DisplayList[]): DisplayList {
  const [first] = lists;
  if (!first) throw new Error('There is at least one page.');
  if (lists.length === 1) return first;
  const gap = 4;
  const height = Math.round(first.height);
  const width = Math.round(lists.reduce((sum, list) => sum + list.width + gap, -gap));
  const ops = lists.flatMap((list, i) => {
    const area = { x: 0, y: 0, width: list.width, height };
    const transform: Matrix = [1, 0, 0, 1, i * (list.width + gap), 0];
    const paper: PaintOp = {
      kind: 'fill',
      path: rectPath(area),
      rule: 'nonzero',
      brush: { kind: 'solid', color: WHITE },
    };
    return group({ transform, clip: { path: rectPath(area), rule: 'nonzero' } }, [paper, ...list.ops]);
  });
  return { width, height, ops };
}

const WHITE = { r: 255, g: 255, b: 255, a: 1 };
