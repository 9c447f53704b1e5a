// Resizes the canvas or layers from fields and keys: what lies inside follows by its constraints.
//
// Steps of one movement, such as dragging a field's prefix, are each counted from the document before the first, so that
// nothing drifts and a size that is passed on the way leaves no trace.

import type { Rect, Size } from '#core/geometry.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import { findLayer, type RawDocument, walk } from '../document/document.ts';
import { type Patch, setDocument, setLayers } from '../document/edits.ts';
import { borderOf, resizeContents } from '../document/resize-contents.ts';
import { paddingBox } from '../geometry/geometry-of.ts';
import type { EditorState } from './editor-state.ts';

/** Boxes by name, as they were before. */
type Boxes = ReadonlyMap<string, LocatedBox>;

interface Movement {
  readonly kind: string;
  readonly from: RawDocument;
  readonly boxes: Boxes;
  readonly to: RawDocument;
}

const movements = new WeakMap<EditorState, Movement>();

export function resizeCanvas(editor: EditorState, patch: Partial<Size>): void {
  const kind = `canvas ${Object.keys(patch).join()}`;
  step(editor, kind, (document, boxes) =>
    resizeContents(setDocument(patch)(document), null, document, { ...sizeOf(document), ...patch }, placesIn(boxes)),
  );
}

/** Sets the width or height of layers, in px or by a word. */
export function resizeLayers(editor: EditorState, patches: ReadonlyMap<string, Patch>): void {
  const sides = new Set([...patches.values()].flatMap((patch) => Object.keys(patch)));
  const kind = `set ${[...sides].join()} ${[...patches.keys()].join()}`;
  step(editor, kind, (document, boxes) => withResizedLayers(document, patches, boxes));
}

/** The document with sizes set, and the contents of frames moved along. @param boxes of `document` */
export function withResizedLayers(
  document: RawDocument,
  patches: ReadonlyMap<string, Patch>,
  boxes: Boxes,
): RawDocument {
  return [...patches].reduce((before, [name, { width, height }]) => {
    const box = boxes.get(name);
    const layer = findLayer(document, name);
    if (box?.box.kind !== 'frame' || !layer) return before;
    const border = 2 * borderOf(layer);
    const inner = (w: unknown, h: unknown) => ({
      width: (typeof w === 'number' ? w : box.rect.width) - border,
      height: (typeof h === 'number' ? h : box.rect.height) - border,
    });
    return resizeContents(before, name, inner(null, null), inner(width, height), placesIn(boxes));
  }, setLayers(patches)(document));
}

function step(editor: EditorState, kind: string, resized: (from: RawDocument, boxes: Boxes) => RawDocument): void {
  const now = editor.document.peek();
  const known = movements.get(editor);
  const isOn = known?.kind === kind && known.to === now;
  const from = isOn ? known.from : now;
  const boxes = isOn ? known.boxes : boxesIn(editor, now);
  const to = resized(from, boxes);
  editor.edit(() => to, { kind });
  movements.set(editor, { kind, from, boxes, to });
}

/** Hidden layers too, which are not in the picture. */
export function boxesIn(editor: EditorState, document: RawDocument): Boxes {
  const names = [...walk(document.layers)].map(({ layer }) => layer.name);
  return new Map(editor.boxesOf(names).map((box) => [box.name, box]));
}

const placesIn =
  (boxes: Boxes) =>
  (name: string): Rect | null => {
    const box = boxes.get(name);
    if (!box) return null;
    const origin = paddingBox(box.parent);
    return { ...box.rect, x: box.rect.x - origin.x, y: box.rect.y - origin.y };
  };

const sizeOf = ({ width, height }: RawDocument): Size => ({ width, height });
