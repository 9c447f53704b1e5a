// The default font of elements: the Latin letters of Inter, by Rasmus Andersson (OFL 1.1).
//
// The bundler replaces this module's import by the subset (scripts/build-edge.ts), as text, so that runtimes with their
// own way of loading files only need to load modules.

import { bytesOfBase64 } from '#base/runtime.ts';
import type { OgFont } from './draw-elements.ts';
import subset from './inter-latin.ts';

export function defaultFont(): OgFont {
  return { name: 'Inter', data: bytesOfBase64(subset), weight: 400, style: 'normal' };
}
