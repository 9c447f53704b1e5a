// The font of elements for which none is handed in: the Latin letters of Inter, by Rasmus Andersson (OFL 1.1).
//
// The bundle puts the subset in the place of this module's import (scripts/build-edge.ts), as text: a runtime that fetches
// files by ways of its own is asked for no more than modules.

import { bytesOfBase64 } from '#platform/base64.ts';
import type { OgFont } from './draw-elements.ts';
import subset from './inter-latin.ts';

export function defaultFont(): OgFont {
  return { name: 'Inter', data: bytesOfBase64(subset), weight: 400, style: 'normal' };
}
