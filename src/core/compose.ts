// Scene and resources in, display list out: layout, then paint. Pure and synchronous.

import type { Diagnostic } from './diagnostics.ts';
import { layOut } from './layout/layout.ts';
import type { DisplayList } from './paint/display-list.ts';
import { paint } from './paint/paint.ts';
import type { Scene } from './resolve/scene.ts';
import type { Resources } from './resources.ts';

export interface Composition {
  readonly list: DisplayList;
  /** The scene's, then what layout found. */
  readonly diagnostics: readonly Diagnostic[];
}

export function compose(scene: Scene, resources: Resources): Composition {
  const layout = layOut(scene, resources);
  return {
    list: paint(scene, layout.boxes, resources),
    diagnostics: [...scene.diagnostics, ...layout.diagnostics],
  };
}
