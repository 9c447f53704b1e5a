// SVG text in, usvg's simplified SVG text out: no CSS, no units, no inheritance, shapes as paths.
//
// For drawings that a library of ours writes, never for files from outside. It loads no font: text must be outlines.

import { Resvg } from '@resvg/resvg-js';

/** @throws Error when it is no SVG */
export function simplifySvg(svg: string): string {
  const simplified = new Resvg(svg, { font: { loadSystemFonts: false }, logLevel: 'off' }).toString();
  // It forgets to declare the prefix where pictures stand in patterns alone.
  return simplified.includes('xmlns:xlink') ? simplified : simplified.replace('<svg ', `<svg ${XLINK} `);
}

const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
