// What the painter of one kind of node hands back: its operations, and what of them casts a box shadow.

import type { Rect } from '../geometry.ts';
import type { Outline } from '../resolve/scene.ts';
import type { PaintOp } from './display-list.ts';

export interface Painted {
  /** The node by itself: without outer shadows, rotation, mask, opacity. */
  readonly ops: readonly PaintOp[];
  /** null when the node has no box to speak of, so that its shadow follows what was painted. */
  readonly caster: Caster | null;
}

/** An outline that casts a box shadow. */
export interface Caster {
  readonly outline: Outline;
  readonly box: Rect;
  /** How far paint reaches beyond the outline: half of a stroke's width. */
  readonly reach: number;
  /** Whether nothing shows through, so that the shadow need not be cut out under it. */
  readonly opaque: boolean;
}
