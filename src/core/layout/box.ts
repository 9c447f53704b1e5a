// Where everything is: the scene's nodes with their final boxes.
//
// Boxes are in canvas px before any node's own rotation; a parent's rotation turns its children with it.

import type { Rect } from '../geometry.ts';
import type { CodeNode, FrameNode, ImageNode, ShapeNode, TextNode } from '../resolve/scene.ts';
import type { Paragraph } from '../text/paragraph.ts';

interface Placed {
  /** Border box, absolute, before the node's own transform. */
  readonly rect: Rect;
}

export interface TextBox extends Placed {
  readonly kind: 'text';
  readonly node: TextNode;
  readonly paragraph: Paragraph;
  /** Where the paragraph lies, canvas px: the rect less the room beside the lines that alignment leaves. */
  readonly content: Rect;
}

export interface LeafBox extends Placed {
  readonly kind: 'leaf';
  readonly node: ImageNode | ShapeNode;
}

export interface CodeBox extends Placed {
  readonly kind: 'code';
  readonly node: CodeNode;
  /** Where the modules go, quiet zone included; square ones are centred in what the caption leaves. */
  readonly modules: Rect;
  readonly caption: { readonly paragraph: Paragraph; readonly content: Rect } | null;
}

export interface FrameBox extends Placed {
  readonly kind: 'frame';
  readonly node: FrameNode;
  /** In painting order. */
  readonly children: readonly LayoutBox[];
}

export type LayoutBox = TextBox | LeafBox | CodeBox | FrameBox;
