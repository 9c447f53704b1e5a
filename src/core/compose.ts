// Makes the display list of a scene with its resources: layout, then paint. Pure and synchronous.

import type { Diagnostic } from './diagnostics.ts';
import { layOut } from './layout/layout.ts';
import type { YogaTreeCache } from './layout/yoga-tree-cache.ts';
import { lostContent } from './lost-content.ts';
import type { DisplayList } from './paint/display-list.ts';
import { layerOfOp, paint } from './paint/paint.ts';
import type { Scene } from './resolve/scene.ts';
import type { Resources } from './resources.ts';

export interface Composition {
  readonly list: DisplayList;
  /** Those of the scene, then of layout, then about content that is cut off. */
  readonly diagnostics: readonly Diagnostic[];
}

/** @param trees of earlier layouts; absent: none is kept */
export function compose(scene: Scene, resources: Resources, trees?: YogaTreeCache): Composition {
  const layout = layOut(scene, resources, { ...(trees && { trees }) });
  return {
    list: paint(scene, layout.boxes, resources),
    diagnostics: [...scene.diagnostics, ...layout.diagnostics, ...lostContent(scene, layout.boxes, resources.fonts)],
  };
}

/** The layer of the composed list's operation at `index`; null = none. Lays out again: for messages only. */
export function layerOf(scene: Scene, resources: Resources, index: number): string | null {
  return layerOfOp(scene, layOut(scene, resources).boxes, resources, index);
}
