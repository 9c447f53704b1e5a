// Simplifies SVG text with usvg: no CSS, no units, no inheritance, shapes as paths.
//
// It cannot be interrupted: only drawings that a library of ours writes get here directly, and files from outside only in
// a process that can be killed (svg-process.ts). It loads no font, so text must be outlines.

import { Resvg } from '@resvg/resvg-js';

/** @throws Error when it is not SVG */
export function simplifySvg(svg: string): string {
  const simplified = new Resvg(svg, { font: { loadSystemFonts: false }, logLevel: 'off' }).toString();
  // usvg omits the prefix declaration when images occur only in patterns.
  return simplified.includes('xmlns:xlink') ? simplified : simplified.replace('<svg ', `<svg ${XLINK} `);
}

const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
