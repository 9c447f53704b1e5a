// What laying a node out gives, and what a frame asks of its children while it does.

import type { Size } from '../geometry.ts';
import type { FrameNode, SceneNode } from '../resolve/scene.ts';

/** A node laid out at one size: its border box, and where the children that flow in it lie. */
export interface Fragment {
  readonly size: Size;
  /** From the top of the box down to its first line's baseline, px; null where nothing in it has one. */
  readonly baseline: number | null;
  readonly children: readonly PlacedFragment[];
}

/** A child's margin-less box, px from the top left of its frame's border box. */
export interface PlacedFragment {
  readonly node: SceneNode;
  readonly x: number;
  readonly y: number;
  readonly fragment: Fragment;
}

/** The border box that a node is to be laid out in. */
export interface BoxSize {
  readonly width: number;
  /** null = as tall as the content. */
  readonly height: number | null;
  /** Whether the width came from what is in the box: then there is nothing yet for `fill` to share equally. */
  readonly hugs: boolean;
  /** Whether a height that is not given is the content's own, whatever the node's minimum and maximum say. */
  readonly isUnbounded?: boolean;
}

/** Min- and max-content: the border box's narrowest without overflow, and its widest without a wrap. */
export interface IntrinsicWidths {
  readonly min: number;
  readonly max: number;
}

/** Of which the narrowest is worked out when it is first asked for: most content has room, and is never measured for it. */
export class LazyWidths implements IntrinsicWidths {
  readonly max: number;
  readonly #minOf: () => number;
  #min: number | null = null;

  constructor(max: number, minOf: () => number) {
    this.max = max;
    this.#minOf = minOf;
  }

  get min(): number {
    this.#min ??= this.#minOf();
    return this.#min;
  }
}

/** CSS fit-content: what there is room for, but no more than the content fills and no less than it can do with. */
export function fitContent(widths: IntrinsicWidths, room: number): number {
  return room >= widths.max ? widths.max : Math.min(widths.max, Math.max(widths.min, room));
}

/** What the layout of a frame may ask about any node. Answers are remembered for the length of a render. */
export interface Flow {
  /** The children that take part: neither absolutely placed nor an image that was left out. */
  items(frame: FrameNode): readonly SceneNode[];
  layOut(node: SceneNode, box: BoxSize): Fragment;
  /**
   * By content alone, without the node's own width, minimum and maximum.
   *
   * @param height the border box's height where it is known: a node with a ratio follows it
   */
  contentWidths(node: SceneNode, height: number | null): IntrinsicWidths;
  /** Whether the node has proportions of its own: its aspect ratio, its picture's or its modules'. */
  keepsRatio(node: SceneNode): boolean;
  /** CSS's automatic minimum size is that of the content, unless that is cut or fitted. A photograph may shrink. */
  keepsWhole(node: SceneNode): boolean;
}
