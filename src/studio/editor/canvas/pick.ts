// Determines the layer that a click selects: the outermost that is not entered yet, or the front layer with the deep key.

import type { Point } from '#core/geometry.ts';
import { boxesAt, type LocatedBox } from '#core/layout/located-boxes.ts';
import { framesAround, layersByName, type RawDocument } from '../document/document.ts';
import type { EditorState } from '../state/editor-state.ts';

/** View px of tolerance around thin layers. */
const SLACK = 3;

export function pickAt(editor: EditorState, point: Point, zoom: number, deep: boolean): LocatedBox | null {
  const picture = editor.picture.peek();
  if (!picture) return null;
  const hits = boxesAt(picture.boxes, point, 0).filter(({ name }) => !editor.isLocked(name));
  const hit = hits[0] ?? boxesAt(picture.boxes, point, SLACK / zoom).find(({ name }) => !editor.isLocked(name));
  const document = editor.document.peek();
  if (!hit || deep) return hit ? (componentOf(document, hit) ?? hit) : null;
  const entered = new Set(editor.selection.peek().flatMap((name) => framesAround(document, name)));
  // Walks outwards from the layer that was hit, up to the first whose parent is entered. The frame that flows is the pages
  // themselves, which nobody has to enter.
  let picked = hit;
  for (let at: LocatedBox | null = hit; at; at = at.parent) {
    picked = at;
    if (at.parent === null || entered.has(at.parent.name) || at.parent.box.node.fragmentation?.isFlow) break;
  }
  return picked;
}

/** The component that shows a box, which is no layer of the document. */
function componentOf(document: RawDocument, box: LocatedBox): LocatedBox | null {
  for (let at = box.parent; at; at = at.parent) {
    if (layersByName(document).get(at.name)?.layer.type === 'template') return at;
  }
  return null;
}

/** The layer at a point that is one level inside `frame`. */
export function pickInside(editor: EditorState, point: Point, frame: string): LocatedBox | null {
  const picture = editor.picture.peek();
  if (!picture) return null;
  for (const hit of boxesAt(picture.boxes, point)) {
    for (let at: LocatedBox | null = hit; at; at = at.parent) {
      if (at.parent?.name !== frame || editor.isLocked(at.name)) continue;
      return componentOf(editor.document.peek(), at) ? null : at;
    }
  }
  return null;
}
