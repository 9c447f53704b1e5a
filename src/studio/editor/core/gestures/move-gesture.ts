// Moves the selected layers over the canvas, into and out of frames, and within a frame's flow, which is laid out live.

import type { Point, Rect } from '#core/geometry.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import { childrenOf, layersByName, parentOf, type RawDocument } from '../document/document.ts';
import { moveLayers, type Patch, setLayers } from '../document/edits.ts';
import { boundsOfAll, flows, flowTarget, frameAt, placeIn, vectorIn } from '../geometry/geometry-of.ts';
import { NOTHING_CAUGHT, type SnapTargets, snapRect } from '../geometry/snap.ts';
import type { DraggedCopies } from '../state/editor-state.ts';
import { CATCH, DragGesture, type GestureContext, type Keys, NO_MARKS } from './gesture.ts';
import { snapTargets } from './snap-targets.ts';

export class MoveGesture extends DragGesture {
  readonly #from: Point;
  #names: readonly string[];
  /** The document and the boxes before the drag. */
  #boxes: readonly LocatedBox[];
  #bounds: Rect;
  #targets: SnapTargets;
  #copied: DraggedCopies | null = null;
  /** Whether the drag moves layers out of their frames into the frame below the pointer. */
  readonly #reparents: boolean;

  constructor(context: GestureContext, from: Point, names: readonly string[]) {
    super(context);
    const { editor } = context;
    this.#from = from;
    this.#names = names;
    const byName = editor.picture.peek()?.byName;
    this.#boxes = names.flatMap(
      (name) => byName?.get(name) ?? editor.selectedBoxes.peek().find((box) => box.name === name) ?? [],
    );
    this.#bounds = boundsOfAll(this.#boxes) ?? { ...from, width: 0, height: 0 };
    this.#targets = snapTargets(editor, new Set(names));
    const parents = new Set(names.map((name) => parentOf(this.base, name)?.name ?? null));
    this.#reparents = parents.size === 1;
  }

  move(point: Point, keys: Keys): void {
    const { editor, viewport, marks } = this.context;
    let delta = { x: point.x - this.#from.x, y: point.y - this.#from.y };
    if (keys.shift) delta = Math.abs(delta.x) > Math.abs(delta.y) ? { x: delta.x, y: 0 } : { x: 0, y: delta.y };

    if (keys.alt) this.#copied ??= editor.dragCopies(this.#names);
    const copies = keys.alt ? this.#copied : null;
    const { document, names } = copies ?? { document: this.base, names: this.#names };
    const into = this.#frameBelow(point, keys);
    const frame = into.frame;
    const isFlow = frame !== null && into.flows;
    if (isFlow) {
      marks.value = { ...NO_MARKS, into: frame.name };
      editor.drag(this.#flowed(document, names, frame, point), names, copies);
      return;
    }

    const reach = CATCH / viewport.zoom.peek();
    const moved = { ...this.#bounds, x: this.#bounds.x + delta.x, y: this.#bounds.y + delta.y };
    const whole = { x: Math.round(moved.x) - moved.x, y: Math.round(moved.y) - moved.y };
    const isFree = !editor.preferences.snap.peek() || keys.mod;
    const caught = isFree ? NOTHING_CAUGHT : snapRect(moved, this.#targets, reach);
    const dx =
      delta.x +
      (caught.dx !== 0 || caught.lines.some(({ axis }) => axis === 'x')
        ? caught.dx
        : keys.shift && delta.x === 0
          ? 0
          : whole.x);
    const dy =
      delta.y +
      (caught.dy !== 0 || caught.lines.some(({ axis }) => axis === 'y')
        ? caught.dy
        : keys.shift && delta.y === 0
          ? 0
          : whole.y);
    const isMovedOver = this.#reparents && (frame?.name ?? null) !== (this.#boxes[0]?.parent?.name ?? null);
    marks.value = {
      ...NO_MARKS,
      lines: caught.lines,
      gaps: caught.gaps,
      into: isMovedOver ? (frame?.name ?? null) : null,
    };

    const patches = new Map<string, Patch>();
    for (const [i, box] of this.#boxes.entries()) {
      const name = names[i] ?? box.name;
      const at = { ...box, ...shiftedBox(box, dx, dy) };
      patches.set(name, placeIn(isMovedOver ? frame : box.parent, at));
    }
    const placed = isMovedOver
      ? moveLayers(names, frame?.name ?? null, childrenOf(document, frame?.name ?? null).length, patches)(document)
      : setLayers(this.#onlyPlaced(patches, document))(document);
    editor.drag(placed, names, copies);
  }

  /** Layers placed by a flow have no x and y to change. */
  #onlyPlaced(patches: ReadonlyMap<string, Patch>, document: RawDocument): ReadonlyMap<string, Patch> {
    if (this.#copied) return patches;
    const flowing = new Set(this.#boxes.filter(flows).map(({ name }) => name));
    if (flowing.size === 0) return patches;
    const index = layersByName(document);
    return new Map(
      [...patches].filter(([name]) => !flowing.has(name) || index.get(name)?.layer.position === 'absolute'),
    );
  }

  #frameBelow(point: Point, keys: Keys): { readonly frame: LocatedBox | null; readonly flows: boolean } {
    const picture = this.context.editor.picture.peek();
    const own = this.#boxes[0]?.parent ?? null;
    if (!picture || !this.#reparents) return { frame: own, flows: false };
    const without = new Set([...this.#names, ...(this.#copied?.names ?? [])]);
    const below = frameAt(picture, point, without);
    const target = below && !this.context.editor.isLocked(below.name) ? below : null;
    // A layer that is much larger than a frame (more than 1.5 times its width or height) is not dropped into it.
    const fits = target === null || target.name === own?.name || keys.mod || this.#fitsInto(target);
    const frame = fits ? target : own;
    const box = frame?.box;
    const isAbsolute = this.#boxes.some((one) => one.box.node.placement.absolute);
    return { frame, flows: box?.kind === 'frame' && box.node.layout !== null && !isAbsolute };
  }

  #fitsInto({ rect }: LocatedBox): boolean {
    return this.#boxes.every((box) => box.rect.width <= rect.width * 1.5 && box.rect.height <= rect.height * 1.5);
  }

  #flowed(document: RawDocument, names: readonly string[], frame: LocatedBox, point: Point): RawDocument {
    const picture = this.context.editor.picture.peek();
    if (!picture) return document;
    const before = flowTarget(picture, frame, point, new Set([...names, ...this.#names]));
    const siblings = childrenOf(document, frame.name);
    const at = before === null ? siblings.length : siblings.findIndex(({ name }) => name === before);
    const patches = new Map(names.map((name): [string, Patch] => [name, { x: undefined, y: undefined }]));
    const isOwn = this.#boxes[0]?.parent?.name === frame.name;
    return moveLayers(names, frame.name, Math.max(0, at), isOwn ? undefined : patches)(document);
  }
}

/** A box after a movement on the canvas, in its own outer coordinates. */
function shiftedBox(box: LocatedBox, dx: number, dy: number): Pick<LocatedBox, 'rect'> {
  const by = vectorIn(box.outer, { x: dx, y: dy });
  return { rect: { ...box.rect, x: box.rect.x + by.x, y: box.rect.y + by.y } };
}
