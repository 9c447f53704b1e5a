// Turns pointer presses, movements and the wheel on the canvas into gestures. Their code is fetched beside the fonts of the
// first picture; a drag that comes before it is done once it is there.

import { type Point, rectContains } from '#core/geometry.ts';
import { boxesAt, type LocatedBox } from '#core/layout/located-boxes.ts';
import { toastError } from '../../parts/toast.tsx';
import { framesAround, guidesOf, layersByName, type RawDocument } from '../document/document.ts';
import { pictureless } from '../scene/pictureless.ts';
import type { EditorState } from '../state/editor-state.ts';
import { boundsOf, boundsOfAll } from './geometry-of.ts';
import type { Gesture, GestureContext, Keys } from './gesture.ts';
import { cursorOf, handleBoxOf, type Zone, zoneAt } from './handle-zones.ts';
import { tableTools } from './table-tools.ts';

/** View px that the pointer may move during a click. */
const STILL = 3;
/** View px: a layer beside the selection that is smaller is not overlapped by the selection's handles. */
const ROOMY = 32;

export const isMod = (event: { readonly ctrlKey: boolean; readonly metaKey: boolean }): boolean =>
  event.ctrlKey || event.metaKey;

type Gestures = typeof import('./gestures.ts');
type Begin = (gestures: Gestures) => Gesture | null;

let gestures: Gestures | null = null;
async function fetchGestures(): Promise<Gestures> {
  gestures = await import('./gestures.ts');
  return gestures;
}
// If it fails, the next drag fetches them.
fetchGestures().catch(() => {});

export class PointerInput {
  readonly #context: GestureContext;
  readonly #view: HTMLElement;
  #gesture: Gesture | null = null;
  /** A press that becomes a gesture when the pointer moves, and a click otherwise. */
  #pending: { readonly at: Point; readonly begin: Begin; readonly click: () => void } | null = null;
  /** Whether a gesture has ended that is done once its code is there. */
  isLate = false;
  #pan: Point | null = null;
  #isSpaceDown = false;
  #last: Point = { x: 0, y: 0 };
  #keys: Keys = { shift: false, alt: false, mod: false };

  constructor(context: GestureContext, view: HTMLElement) {
    this.#context = context;
    this.#view = view;
  }

  setSpace(down: boolean): void {
    this.#isSpaceDown = down;
    this.#view.classList.toggle('is-panning', down || this.#context.editor.tool.peek() === 'hand');
  }

  down(event: PointerEvent): void {
    const { editor, viewport } = this.#context;
    const point = this.#pointOf(event);
    this.#last = point;
    if (event.button === 1 || (event.button === 0 && (this.#isSpaceDown || editor.tool.peek() === 'hand'))) {
      this.#pan = point;
      this.#capture(event);
      return;
    }
    if (event.button !== 0) return;
    const at = viewport.toCanvas(point);
    const tools = tableTools.peek();
    const column = tools?.columnEnd(editor, at, viewport.zoom.peek());
    if (tools && column) {
      this.#gesture = tools.dragColumn(this.#context, column, at);
      this.#capture(event);
      event.preventDefault();
      return;
    }
    const zone = this.#zoneAt(at, isMod(event));
    const isBeside = zone !== null && this.#neighbourAt(at, isMod(event)) !== null;
    const begin = this.#beginOf(event, at, isBeside ? null : zone);
    if (begin) {
      this.#begin(point, begin);
      this.#capture(event);
      event.preventDefault();
      return;
    }
    const tool = editor.tool.peek();
    this.#capture(event);
    if (tool !== 'select' && tool !== 'hand') {
      this.#begin(point, ({ DrawGesture }) => new DrawGesture(this.#context, at, tool));
      return;
    }
    if (zone) {
      // A click beside the selection selects what lies there; only a drag rotates or resizes.
      const begin: Begin = ({ ResizeGesture, RotateGesture }) =>
        zone.kind === 'resize'
          ? new ResizeGesture(this.#context, at, zone.handle, this.#movableBoxes())
          : new RotateGesture(this.#context, at, this.#movableBoxes());
      this.#pending = { at: point, begin, click: () => this.#select(at, event) };
    } else this.#press(event, point, at);
  }

  #begin(at: Point, begin: Begin): void {
    if (gestures) this.#gesture = begin(gestures);
    else this.#pending = { at, begin, click: () => this.#finishLater(begin, false) };
  }

  /** Does all of a gesture that has ended before its code was there. */
  #finishLater(begin: Begin, hasMoved: boolean): void {
    const [at, keys] = [this.#context.viewport.toCanvas(this.#last), this.#keys];
    this.isLate = true;
    fetchGestures()
      .then((fetched) => {
        const gesture = begin(fetched);
        if (hasMoved) gesture?.move(at, keys);
        gesture?.end();
      }, toastError)
      .finally(() => {
        this.isLate = false;
      });
  }

  #hasMoved({ at }: { readonly at: Point }): boolean {
    return Math.hypot(this.#last.x - at.x, this.#last.y - at.y) > STILL;
  }

  move(event: PointerEvent): void {
    const { editor, viewport } = this.#context;
    const point = this.#pointOf(event);
    if (this.#pan) {
      viewport.pan(point.x - this.#last.x, point.y - this.#last.y);
      this.#last = point;
      return;
    }
    this.#last = point;
    this.#keys = keysOf(event);
    const pending = this.#pending;
    if (pending && gestures && this.#hasMoved(pending)) {
      this.#pending = null;
      this.#gesture = pending.begin(gestures);
    }
    if (this.#gesture) {
      this.#gesture.move(viewport.toCanvas(point), keysOf(event));
      return;
    }
    if (event.buttons === 0) {
      this.#showCursor(viewport.toCanvas(point), isMod(event));
      const over = pickAt(editor, viewport.toCanvas(point), viewport.zoom.peek(), isMod(event));
      editor.hovered.value = editor.tool.peek() === 'select' ? (over?.name ?? null) : null;
    }
  }

  up(): void {
    this.#pan = null;
    const pending = this.#pending;
    this.#pending = null;
    if (pending && this.#hasMoved(pending)) this.#finishLater(pending.begin, true);
    else pending?.click();
    this.#gesture?.end();
    this.#gesture = null;
  }

  /** Handles Escape. @returns whether a gesture was cancelled */
  cancel(): boolean {
    const was = this.#gesture !== null || this.#pending !== null;
    this.#gesture?.cancel();
    this.#gesture = null;
    this.#pending = null;
    return was;
  }

  /** Enters the layer below the pointer: edits a text, crops a picture, goes into a frame. */
  doubleClick(event: MouseEvent): void {
    const { editor, viewport } = this.#context;
    const at = viewport.toCanvas(this.#pointOf(event));
    const [selected, ...others] = editor.selection.peek();
    if (selected === undefined || others.length > 0) return;
    const picture = editor.picture.peek();
    const layer = editor.layer(selected);
    if (layer?.type === 'table') {
      if (!editor.isLocked(selected)) tableTools.peek()?.enterTable(editor, layer, at);
      return;
    }
    const box = picture?.byName.get(selected);
    if (box?.box.kind === 'frame') {
      const inside = pickInside(editor, at, selected);
      if (!inside) return;
      editor.select([inside.name]);
      if (inside.box.kind === 'text') enterLayer(editor, inside);
      return;
    }
    if (box) enterLayer(editor, box);
  }

  /** A right click: selects what lies there, unless it is selected already. Returns where, on the canvas. */
  pressMenu(event: MouseEvent): Point {
    const { editor, viewport } = this.#context;
    const at = viewport.toCanvas(this.#pointOf(event));
    const hit = pickAt(editor, at, viewport.zoom.peek(), isMod(event));
    const selected = editor.selection.peek();
    if (!hit) editor.select([]);
    else if (!namesAround(hit).some((name) => selected.includes(name))) editor.select([hit.name]);
    return at;
  }

  wheel(event: WheelEvent): void {
    const { viewport } = this.#context;
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : 1;
    if (isMod(event)) {
      const speed = event.deltaMode === 0 && Math.abs(event.deltaY) < 40 ? 0.01 : 0.0025;
      viewport.zoomTo(viewport.zoom.peek() * Math.exp(-event.deltaY * unit * speed), this.#pointOf(event));
    } else if (event.shiftKey && event.deltaX === 0) viewport.pan(-event.deltaY * unit, 0);
    else viewport.pan(-event.deltaX * unit, -event.deltaY * unit);
  }

  #press(event: PointerEvent, point: Point, at: Point): void {
    const { editor, viewport } = this.#context;
    const hit = pickAt(editor, at, viewport.zoom.peek(), isMod(event));
    const adds = event.shiftKey;
    if (!hit) {
      if (!adds) editor.select([]);
      const begin: Begin = ({ MarqueeGesture }) => new MarqueeGesture(this.#context, at, adds);
      this.#pending = { at: point, begin, click: () => {} };
      return;
    }
    const selected = editor.selection.peek();
    const chain = namesAround(hit);
    const isSelected = chain.some((name) => selected.includes(name));
    // A selected layer is dragged together with the rest; a click without a drag decides at its end what stays
    // selected.
    if (!isSelected) {
      if (adds) editor.toggle(hit.name);
      else editor.select([hit.name]);
    }
    const begin: Begin = ({ MoveGesture }) => {
      const movable = editor.movable();
      return movable.length > 0 ? new MoveGesture(this.#context, at, movable) : null;
    };
    const click = () => {
      if (!isSelected) return;
      if (adds) editor.toggle(hit.name);
      else editor.select([hit.name]);
    };
    this.#pending = { at: point, begin, click };
  }

  /** Selects what lies at a point, or nothing. */
  #select(at: Point, event: PointerEvent): void {
    const { editor, viewport } = this.#context;
    const hit = pickAt(editor, at, viewport.zoom.peek(), isMod(event));
    if (!hit) editor.select([]);
    else if (event.shiftKey) editor.toggle(hit.name);
    else editor.select([hit.name]);
  }

  /**
   * The zone of the selection at a point. Another layer in front is what is pressed there; only the edges of layers that
   * adjoin the selection are dragged with its handles, if the layers are large.
   */
  #zoneAt(at: Point, deep: boolean): Zone | null {
    const { editor, viewport } = this.#context;
    const zoom = viewport.zoom.peek();
    const box = editor.tool.peek() === 'select' ? handleBoxOf(editor, zoom) : null;
    const zone = box && zoneAt(box, at);
    if (!zone) return null;
    const neighbour = this.#neighbourAt(at, deep);
    if (!neighbour) return zone;
    const { width, height } = boundsOf(neighbour);
    return zone.kind === 'resize' && Math.min(width, height) * zoom >= ROOMY ? zone : null;
  }

  /** The layer at a point, unless it is selected or encloses the selection, as a background does. */
  #neighbourAt(at: Point, deep: boolean): LocatedBox | null {
    const { editor, viewport } = this.#context;
    const hit = pickAt(editor, at, viewport.zoom.peek(), deep);
    const selected = editor.selection.peek();
    if (!hit || namesAround(hit).some((name) => selected.includes(name))) return null;
    const chosen = boundsOfAll(editor.selectedBoxes.peek());
    return chosen && rectContains(boundsOf(hit), chosen) ? null : hit;
  }

  #showCursor(at: Point, deep: boolean): void {
    const { editor, viewport } = this.#context;
    const zone = this.#zoneAt(at, deep);
    const box = zone && handleBoxOf(editor, viewport.zoom.peek());
    this.#view.style.cursor = tableTools.peek()?.columnEnd(editor, at, viewport.zoom.peek())
      ? 'col-resize'
      : box
        ? cursorOf(zone, box)
        : '';
  }

  /** The gesture that a press on a ruler, a handle, a corner or a guide starts. */
  #beginOf({ target }: PointerEvent, at: Point, zone: Zone | null): Begin | null {
    const { editor } = this.#context;
    const element = target instanceof Element ? target : null;
    const ruler = element?.closest('[data-ruler]')?.getAttribute('data-ruler');
    if (ruler) return ({ GuideGesture }) => new GuideGesture(this.#context, ruler as 'x' | 'y', null);
    const boxes = this.#movableBoxes();
    const [only] = boxes;
    if (only && zone?.kind === 'resize')
      return ({ ResizeGesture }) => new ResizeGesture(this.#context, at, zone.handle, boxes);
    if (only && zone?.kind === 'radius')
      return ({ RadiusGesture }) => new RadiusGesture(this.#context, at, only, zone.corner);
    const guide = element?.getAttribute('data-guide');
    if (!guide || zone) return null;
    const index = Number(guide);
    const axis = guidesOf(editor.document.peek())[index]?.axis ?? 'x';
    return ({ GuideGesture }) => new GuideGesture(this.#context, axis, index);
  }

  #movableBoxes(): readonly LocatedBox[] {
    const { editor } = this.#context;
    const names = new Set(editor.movable());
    return editor.selectedBoxes.peek().filter(({ name }) => names.has(name));
  }

  #capture(event: PointerEvent): void {
    this.#view.setPointerCapture(event.pointerId);
  }

  #pointOf({ clientX, clientY }: MouseEvent): Point {
    const { left, top } = this.#view.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }
}

const keysOf = (event: PointerEvent): Keys => ({ shift: event.shiftKey, alt: event.altKey, mod: isMod(event) });

function namesAround(box: LocatedBox): readonly string[] {
  return box.parent ? [box.name, ...namesAround(box.parent)] : [box.name];
}

export function enterLayer(editor: EditorState, { name, box }: LocatedBox): void {
  const layer = editor.layer(name);
  if (editor.isLocked(name) || !layer) return;
  if (layer.type === 'table') {
    tableTools.peek()?.enterTable(editor, layer, null);
    return;
  }
  // Markdown source is edited in the inspector, because the canvas shows only its result.
  if (box.kind === 'text' && layer.markup !== 'markdown') editor.editingText.value = name;
  else if (box.kind === 'leaf' && box.node.type === 'image') {
    const picture = editor.picture.peek();
    const isEmpty = picture !== null && pictureless(picture).has(name);
    (isEmpty ? editor.choosingPicture : editor.editingCrop).value = name;
  }
}

// Determines the layer that a click selects: the outermost that is not entered yet, or the front layer with the deep key.

/** View px of tolerance around thin layers. */
const SLACK = 3;

function pickAt(editor: EditorState, point: Point, zoom: number, deep: boolean): LocatedBox | null {
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
function pickInside(editor: EditorState, point: Point, frame: string): LocatedBox | null {
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
