// A display list in, SVG text out: for resvg, and as the browser's preview.
//
// Text becomes outlines, so the picture depends on no font of the viewer's.

import type { DisplayList, PaintOp } from '../paint/display-list.ts';
import type { Resources } from '../resources.ts';

type ImageOp = Extract<PaintOp, { kind: 'image' }>;

export interface SvgOptions {
  /**
   * The URL of the picture that fills `op.dest`, or null to leave it out. A raster back end hands in pixels already
   * cropped and scaled; the default embeds the resource's own file and crops it by `op.source`.
   */
  readonly imageHref?: (op: ImageOp) => string | null;
  /** Multiplies the width and height attributes; the viewBox stays in canvas px. Default 1. */
  readonly scale?: number;
}

export function writeSvg(_list: DisplayList, _resources: Resources, _options: SvgOptions = {}): string {
  throw new Error('not built yet');
}
