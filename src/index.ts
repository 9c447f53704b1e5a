// Rendering without a server: `import { render } from 'platen'`.
//
// Works like `platen render`: fonts from the catalogue; images from the disk, from data URLs, or from the web through
// the outbound guard. Nothing is stored, and nothing listens.

import { compose as composeScene } from '#core/compose.ts';
import type { DisplayList } from '#core/paint/display-list.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import { writeSvg } from '#core/svg/write-svg.ts';
import { parseTemplate } from '#core/template/template.ts';
import type { Output } from '#output/formats.ts';
import { openScene } from './cli/file-scene.ts';

export type { Diagnostic } from '#core/diagnostics.ts';
export type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
export type { Output } from '#output/formats.ts';

export interface ComposeOptions {
  /** Layer name → text, source, value, fill, visibility, or a merge patch. */
  readonly modifications?: Modifications;
  /** Base folder of relative image sources; default: the working directory. */
  readonly folder?: string;
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
export async function render(template: unknown, options: RenderOptions = {}): Promise<Rendered> {
  const { exportAs } = await import('#output/export.ts');
  const { DEFAULT_EXPORT } = await import('#output/formats.ts');
  const { list, resources, warnings } = await composed(template, options);
  const { output = 'png', scale, quality, compression } = options;
  const bytes = await exportAs(output, list, resources, {
    scale: scale ?? DEFAULT_EXPORT.scale,
    quality: quality ?? DEFAULT_EXPORT.quality,
    compression: compression ?? DEFAULT_EXPORT.compression,
  });
  return { bytes, warnings };
}

/** A vector PDF with selectable text. */
export function renderToPdf(template: unknown, options: ComposeOptions = {}): Promise<Rendered> {
  return render(template, { ...options, output: 'pdf' });
}

/** Lays a template out and paints it to a display list, without rasterising: for other back ends. */
export async function compose(template: unknown, options: ComposeOptions = {}): Promise<Composed> {
  const { list, resources, warnings } = await composed(template, options);
  return { list, warnings, toSvg: () => writeSvg(list, resources) };
}

async function composed(template: unknown, { modifications = {}, folder = process.cwd() }: ComposeOptions) {
  const { scene, loaded } = await openScene(parseTemplate(template), modifications, folder);
  const { list, diagnostics } = composeScene(scene, loaded.resources);
  const warnings = [...diagnostics, ...loaded.diagnostics].map(({ message }) => message);
  return { list, resources: loaded.resources, warnings };
}
