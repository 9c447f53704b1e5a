// Reads the SVG properties that style sheets set on elements inside `<svg>`. Satori draws such an element as a file of
// its own, without the style sheets of the page.

import { hex, parseColor } from '#core/color.ts';
import type { Cascade } from './cascade.ts';
import type { HtmlElement } from './parse-html.ts';

/** Properties of SVG that HTML's elements do not have. */
export const OF_DRAWINGS =
  /^(fill|fill-opacity|fill-rule|clip-rule|stroke|stroke-(dasharray|dashoffset|linecap|linejoin|miterlimit|opacity|width)|stop-color|stop-opacity|paint-order)$/;
const NAMES = `fill fill-opacity fill-rule clip-rule stroke stroke-dasharray stroke-dashoffset stroke-linecap
  stroke-linejoin stroke-miterlimit stroke-opacity stroke-width stop-color stop-opacity paint-order`.split(/\s+/);

/** The declarations of an element, in values that SVG files have; of an `<svg>`, those that it inherits too. */
export function drawingProperties(element: HtmlElement, cascade: Cascade): readonly (readonly [string, string])[] {
  return NAMES.flatMap((name) => {
    const value = element.name === 'svg' ? cascade.inherited(element, name) : cascade.declared(element, name);
    return value === null ? [] : [[name, /^(fill|stroke|stop-color)$/.test(name) ? plainColor(value) : value] as const];
  });
}

const FADED = /^color-mix\(\s*in\s+[\w-]+\s*,(.*),\s*transparent\s*\)$/i;

/** A colour without functions that SVG files do not have; others are left as they are. */
function plainColor(value: string): string {
  const mixed = (FADED.exec(value)?.[1] ?? '').trim().split(/\s+/);
  const share = /^([\d.]+)%$/.exec(mixed.at(-1) ?? '')?.[1];
  const color = parseColor(share === undefined ? value : mixed.slice(0, -1).join(' '));
  if (!color) return value;
  const alpha = color.a * (share === undefined ? 1 : Math.min(1, Number(share) / 100));
  return alpha === 1 ? hex(color) : `rgba(${color.r}, ${color.g}, ${color.b}, ${alpha})`;
}
