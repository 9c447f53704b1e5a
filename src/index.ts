// Rendering without a server: `import { render } from 'platen'`.
//
// Works like `platen render`: fonts from the catalogue; images from the disk, from data URLs, or from the web through
// the outbound guard. Nothing is stored, and nothing listens.

import { compose as composeScene } from '#core/compose.ts';
import { nearestName } from '#core/nearest-name.ts';
import type { DisplayList } from '#core/paint/display-list.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import { writeSvg } from '#core/svg/write-svg.ts';
import { parseTemplate, type TemplateDocument } from '#core/template/template.ts';
import { AppError } from '#errors';
import { OUTPUTS, type Output } from '#output/formats.ts';
import { openScene } from './cli/file-scene.ts';

export type { Diagnostic } from '#core/diagnostics.ts';
export { ValidationError } from '#core/diagnostics.ts';
export type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
export type { LayerDocument } from '#core/template/layer.ts';
export type { TemplateDocument } from '#core/template/template.ts';
export { AppError } from '#errors';
export type { Output } from '#output/formats.ts';

export interface ComposeOptions {
  /** Layer name → text, source, value, fill, visibility, or a merge patch. */
  readonly modifications?: Modifications;
  /** Base folder of relative image sources; default: the working directory. */
  readonly folder?: string;
  /**
   * Folders of font files (TTF, OTF, WOFF, WOFF2), whose families the template may name; they win over equal ones of the
   * catalogue.
   */
  readonly fontFolders?: readonly string[];
}

export interface RenderOptions extends ComposeOptions {
  /** Default: `png`. */
  readonly output?: Output;
  /** Device px per canvas px, 0.1 to 3. Default: 1. */
  readonly scale?: number;
  /** Quality of JPEG and WebP, 0 to 100. Default: 80. */
  readonly quality?: number;
  /** `small` takes up to ten times as long, for a somewhat smaller file. Default: `fast`. */
  readonly compression?: 'fast' | 'small';
}

export interface Rendered {
  readonly bytes: Uint8Array;
  /** Problems that did not prevent rendering. */
  readonly warnings: readonly string[];
}

export interface Composed {
  /** The display list, as plain JSON. */
  readonly list: DisplayList;
  readonly warnings: readonly string[];
  /** The list as SVG text, with text as outlines. */
  readonly toSvg: () => string;
}

/**
 * Renders a layers template, given as its document.
 *
 * @throws ValidationError or AppError, whose message says what is wrong and where
 */
export async function render(template: TemplateDocument, options: RenderOptions = {}): Promise<Rendered> {
  const { exportAs } = await import('#output/export.ts');
  const { DEFAULT_EXPORT } = await import('#output/formats.ts');
  refuseUnknown(options, RENDER_OPTIONS);
  const { output = 'png', scale, quality, compression } = options;
  if (!OUTPUTS.includes(output)) {
    throw new AppError('invalid_request', `output: must be one of ${OUTPUTS.join(', ')}, not ${shown(output)}.`);
  }
  const { list, resources, warnings } = await composed(template, options);
  const bytes = await exportAs(output, list, resources, {
    scale: scale ?? DEFAULT_EXPORT.scale,
    quality: quality ?? DEFAULT_EXPORT.quality,
    compression: compression ?? DEFAULT_EXPORT.compression,
  });
  return { bytes, warnings };
}

/** A vector PDF with selectable text. */
export function renderToPdf(template: TemplateDocument, options: ComposeOptions = {}): Promise<Rendered> {
  return render(template, { ...options, output: 'pdf' });
}

/** Lays a template out and paints it to a display list, without rasterising: for other back ends. */
export async function compose(template: TemplateDocument, options: ComposeOptions = {}): Promise<Composed> {
  refuseUnknown(options, COMPOSE_OPTIONS);
  const { list, resources, warnings } = await composed(template, options);
  return { list, warnings, toSvg: () => writeSvg(list, resources) };
}

const COMPOSE_OPTIONS = ['modifications', 'folder', 'fontFolders'] as const satisfies (keyof ComposeOptions)[];
const RENDER_OPTIONS = [
  ...COMPOSE_OPTIONS,
  'output',
  'scale',
  'quality',
  'compression',
] as const satisfies (keyof RenderOptions)[];

/** For callers without types: a misspelt option would be ignored in silence. */
function refuseUnknown(options: object, known: readonly string[]): void {
  const name = Object.keys(options).find((each) => !known.includes(each));
  if (name === undefined) return;
  const near = nearestName(name, known);
  const hint = near === null ? `there are ${known.join(', ')}` : `did you mean ${near}?`;
  throw new AppError('invalid_request', `${name}: is no option; ${hint}${near === null ? '.' : ''}`);
}

const shown = (value: unknown) => String(JSON.stringify(value)).slice(0, 60);

async function composed(
  template: TemplateDocument,
  { modifications = {}, folder = process.cwd(), fontFolders = [] }: ComposeOptions,
) {
  const { scene, loaded } = await openScene(parseTemplate(template), modifications, folder, fontFolders);
  const { list, diagnostics } = composeScene(scene, loaded.resources);
  const warnings = [...diagnostics, ...loaded.diagnostics].map(({ message }) => message);
  return { list, resources: loaded.resources, warnings };
}
