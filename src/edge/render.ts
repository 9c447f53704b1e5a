// Renders a template with modifications to PNG, JPEG, WebP, SVG or PDF wherever WebAssembly and ES modules run: without
// files, threads or sockets.
//
// Layout, letters and kernels are the same as on the server, so that without photos the bytes are too. Photos are
// decoded and scaled by other code (docs/edge.md).

import { AppError } from '#base/errors.ts';
import { drawChart } from '#core/chart/draw-chart.ts';
import { compose, composePages } from '#core/compose.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import { YogaTreeCache } from '#core/layout/yoga-tree-cache.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import { resolve } from '#core/resolve/resolve.ts';
import type { Scene } from '#core/resolve/scene.ts';
import type { Resources } from '#core/resources.ts';
import { writeSvg } from '#core/svg/write-svg.ts';
import { parseTemplate, type Template, type TemplateDocument } from '#core/template/template.ts';
import { namingLayer } from '#draw/output/raster/too-much-to-draw.ts';
import { loadCodes } from '#draw/renderer/load-codes.ts';
import { drawList } from './draw-list.ts';
import { checkedOptions, type EdgeEncodeOptions } from './encode-picture.ts';
import { type EdgeFont, openFonts } from './fonts.ts';
import { type EdgeImages, loadImages } from './images.ts';

export interface EdgeComposeOptions extends EdgeImages {
  /** At least one; the first family is the default, and the others are fallbacks, in order. */
  readonly fonts: readonly EdgeFont[];
  /** Layer name → text, source, value, fill, visibility, or a merge patch. */
  readonly modifications?: Modifications | undefined;
}

export interface EdgeRenderOptions extends EdgeComposeOptions, EdgeEncodeOptions {
  /** Device px per canvas px, 0.1 to 3. Default: 1. */
  readonly scale?: number | undefined;
}

export interface EdgeRendered {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The media type, `image/png`. */
  readonly type: string;
  /** Problems that did not prevent rendering. */
  readonly warnings: readonly string[];
}

export interface EdgeSvg {
  /** Letters are outlines; pictures are embedded unchanged. */
  readonly svg: string;
  readonly warnings: readonly string[];
}

/** For callers without types that pass none; `openFonts` names what is missing. */
const NO_OPTIONS = {} as EdgeRenderOptions;

/** Of earlier layouts of the same documents. */
const trees = new YogaTreeCache();

/** By document object: if the same object is passed again, it is not parsed again. It must not change. */
const parsed = new WeakMap<object, Template>();

/**
 * Renders a template of layers to a picture.
 *
 * @throws Error whose message says what is wrong, where, and how to fix it
 */
export async function render(
  template: TemplateDocument,
  options: EdgeRenderOptions = NO_OPTIONS,
): Promise<EdgeRendered> {
  const { scale = 1 } = options;
  if (!(scale >= 0.1 && scale <= 3)) throw new AppError('invalid_request', 'scale: must be from 0.1 to 3.');
  const wanted = checkedOptions(options);
  if (wanted.output === 'pdf') return renderPdf(template, options, wanted.type);
  const { scene, list, resources, warnings } = await composed(template, options);
  const bytes = await namingLayer(scene, resources, () => drawList(list, resources, scale, wanted));
  return { bytes: bytes as Uint8Array<ArrayBuffer>, type: wanted.type, warnings };
}

/** All pages of a document; its letters are text, its shapes vectors. */
async function renderPdf(document: TemplateDocument, options: EdgeComposeOptions, type: string): Promise<EdgeRendered> {
  const { scene, resources, warnings } = await loaded(document, options);
  const { lists, diagnostics } = composePages(scene, resources, {}, trees);
  const { writeEdgePdf } = await import('./write-pdf.ts');
  const bytes = (await writeEdgePdf(lists, resources)) as Uint8Array<ArrayBuffer>;
  return { bytes, type, warnings: [...diagnostics.map(({ message }) => message), ...warnings] };
}

/** Renders a template of layers to SVG. */
export async function renderToSvg(
  template: TemplateDocument,
  options: EdgeComposeOptions = NO_OPTIONS,
): Promise<EdgeSvg> {
  const { list, resources, warnings } = await composed(template, options);
  return { svg: writeSvg(list, resources), warnings };
}

async function composed(document: TemplateDocument, options: EdgeComposeOptions) {
  const { scene, resources, warnings } = await loaded(document, options);
  const { list, diagnostics } = compose(scene, resources, trees);
  return { scene, list, resources, warnings: [...diagnostics.map(({ message }) => message), ...warnings] };
}

/** A scene with what it needs. */
async function loaded(document: TemplateDocument, options: EdgeComposeOptions) {
  const template = parsedTemplate(document);
  const scene = resolve(template, options.modifications ?? {});
  const fonts = await openFonts(options.fonts);
  const text = fonts.load(scene.needs.fonts);
  const pictures = await loadImages(scene.needs.images, options);
  const resources: Resources = {
    fonts: text.fonts,
    images: pictures.images,
    codes: await loadCodes(scene.needs.codes),
    hyphenators: new Map(),
    drawChart,
  };
  const found = [...text.diagnostics, ...pictures.diagnostics, ...unhyphenated(scene)];
  return { scene, resources, warnings: found.map(({ message }) => message) };
}

function parsedTemplate(document: TemplateDocument): Template {
  if (typeof document !== 'object' || document === null) return parseTemplate(document);
  // Callers without types may pass any template.
  if ((document as { engine?: string }).engine === 'html') {
    throw new AppError('invalid_request', 'engine: html templates are drawn by a server; platen/og draws JSX here.');
  }
  const known = parsed.get(document) ?? parseTemplate(document);
  parsed.set(document, known);
  return known;
}

function unhyphenated({ needs }: Scene): readonly Diagnostic[] {
  if (needs.hyphenation.length === 0) return [];
  const message = 'hyphens: auto has no effect at the edge; soft hyphens in the text have.';
  return [{ code: 'unknown-property', layer: null, message }];
}
