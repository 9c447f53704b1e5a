// Boxes in, display list out.

import type { LayoutBox } from '../layout/box.ts';
import type { Scene } from '../resolve/scene.ts';
import type { Resources } from '../resources.ts';
import type { DisplayList } from './display-list.ts';

export function paint(_scene: Scene, _boxes: readonly LayoutBox[], _resources: Resources): DisplayList {
  throw new Error('not built yet');
}
