// The result of painting one node: its operations, and the outline that casts its box shadow.

import type { Rect } from '../geometry.ts';
import type { Outline } from '../resolve/scene.ts';
import type { PaintOp } from './display-list.ts';

export interface PaintResult {
  /** The node by itself: without outer shadows, rotation, mask, opacity. */
  readonly ops: readonly PaintOp[];
  /** null when the node has no outline of its own, so that its shadow follows what was painted. */
  readonly caster: Caster | null;
}

/** An outline that casts a box shadow. */
export interface Caster {
  readonly outline: Outline;
  readonly box: Rect;
  /** How far paint extends beyond the outline: half of a stroke's width, px. */
  readonly reach: number;
  /** Whether nothing shows through, so that the shadow need not be cut out below it. */
  readonly opaque: boolean;
}
