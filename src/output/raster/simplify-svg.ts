// Simplifies SVG text with usvg: no CSS, no units, no inheritance, shapes as paths.
//
// Only for drawings that a library of ours writes, never for untrusted files. It loads no font, so text must be
// outlines.

import { Resvg } from '@resvg/resvg-js';

/** @throws Error when it is not SVG */
export function simplifySvg(svg: string): string {
  const simplified = new Resvg(svg, { font: { loadSystemFonts: false }, logLevel: 'off' }).toString();
  // usvg omits the prefix declaration when images occur only in patterns.
  return simplified.includes('xmlns:xlink') ? simplified : simplified.replace('<svg ', `<svg ${XLINK} `);
}

const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
