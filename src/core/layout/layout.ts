// Scene in, boxes out: yoga for frames, lay-out-text for words.

import type { Diagnostic } from '../diagnostics.ts';
import type { Scene } from '../resolve/scene.ts';
import type { Resources } from '../resources.ts';
import type { LayoutBox } from './box.ts';

export interface Layout {
  /** Top-level boxes, back to front. */
  readonly boxes: readonly LayoutBox[];
  /** Missing glyphs, once per layer. */
  readonly diagnostics: readonly Diagnostic[];
}

export function layOut(_scene: Scene, _resources: Resources): Layout {
  throw new Error('not built yet');
}
