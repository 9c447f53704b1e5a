// Turns presses, movements and the wheel on the canvas into gestures.

import { signal } from '@preact/signals';
import { type Point, rectContains, union } from '#core/geometry.ts';
import { boxesAt, type LocatedBox } from '#core/layout/located-boxes.ts';
import { framesAround, guidesOf, layersByName, type RawDocument } from '../document/document.ts';
import { changeLayer, setGuides } from '../document/edits.ts';
import { isPage } from '../document/hand-pages.ts';
import { setColumn } from '../document/table-edits.ts';
import { boundsOf, boundsOfAll } from '../geometry/geometry-of.ts';
import { type ColumnEdge, columnEdgeAt } from '../geometry/table-places.ts';
import { RULER } from '../geometry/viewport.ts';
import type { EditorState } from '../state/editor-state.ts';
import { enterLayer, enterTable } from '../state/enter-layer.ts';
import { isOutermost } from '../state/page-actions.ts';
import { DrawGesture, MarqueeGesture } from './draw-gestures.ts';
import { DragGesture, type Gesture, type GestureContext, type Keys, NO_MARKS } from './gesture.ts';
import { cursorOf, handleBoxOf, panelZoneAt, type Zone, zoneAt } from './handle-zones.ts';
import { MoveGesture } from './move-gesture.ts';
import { ResizeGesture } from './resize-gesture.ts';
import { ArcGesture, PanelGesture, RadiusGesture, RotateGesture } from './rotate-gestures.ts';

/** View px that the pointer may move during a click. */
const STILL = 3;
/** View px: a layer beside the selection that is smaller is not overlapped by the selection's handles. */
const ROOMY = 32;

/** A press or a movement of the pointer. */
export interface Stroke extends Keys {
  /** View px. */
  readonly at: Point;
  /** The button that was pressed: 0 the main one, 1 the middle one. */
  readonly button: number;
  /** Names the finger, of a touch: two of them zoom and pan. */
  readonly finger?: number | undefined;
  /** What is pressed besides layers. */
  readonly on: { readonly ruler: 'x' | 'y' } | { readonly guide: number } | null;
}

type Begin = () => Gesture | null;

export class PointerInput {
  /** The CSS cursor over the canvas; '' = that of the tool. */
  readonly cursor = signal('');
  readonly isSpaceDown = signal(false);
  /** Where it was last, view px. */
  readonly last = signal<Point>({ x: 0, y: 0 });
  readonly #context: GestureContext;
  #gesture: Gesture | null = null;
  /** A press that becomes a gesture when the pointer moves, and a click otherwise. */
  #pending: { readonly at: Point; readonly begin: Begin; readonly click: () => void } | null = null;
  #isPanning = false;
  /** Fingers on the canvas, view px. */
  readonly #fingers = new Map<number, Point>();
  /** What was selected before the first of them. */
  #selected: readonly string[] = [];

  constructor(context: GestureContext) {
    this.#context = context;
  }

  /** @returns whether the press began something at once, rather than with a movement or by its end */
  down(stroke: Stroke): boolean {
    const { editor, viewport } = this.#context;
    const { button, on, finger } = stroke;
    if (finger !== undefined && this.#isPinch(finger, stroke.at)) return true;
    this.last.value = stroke.at;
    const tool = editor.tool.peek();
    this.#isPanning = button === 1 || (button === 0 && (this.isSpaceDown.peek() || tool === 'hand'));
    if (this.#isPanning || button !== 0) return false;
    const at = viewport.toCanvas(stroke.at);
    const column = columnEnd(editor, at, viewport.zoom.peek());
    const zone = this.#zoneAt(at, stroke.mod, finger !== undefined);
    const isBeside = zone !== null && !isOnTop(zone) && this.#neighbourAt(at, stroke.mod) !== null;
    const begin: Begin | null = column
      ? () => new ColumnGesture(this.#context, column, at)
      : this.#beginOf(on, at, isBeside ? null : zone);
    if (begin) {
      this.#gesture = begin();
      return true;
    }
    if (tool !== 'select' && tool !== 'hand') this.#gesture = new DrawGesture(this.#context, at, tool);
    else if (zone) {
      // A click beside the selection selects what lies there; only a drag rotates or resizes.
      const begin = () =>
        zone.kind === 'resize'
          ? new ResizeGesture(this.#context, at, zone.handle, this.#movableBoxes())
          : new RotateGesture(this.#context, at, this.#movableBoxes());
      this.#pending = { at: stroke.at, begin, click: () => this.#select(at, stroke) };
    } else this.#press(stroke, at);
    return false;
  }

  /** @param isPressed whether a button is held */
  move({ at: point, finger, ...keys }: Pick<Stroke, 'at' | 'finger' | keyof Keys>, isPressed: boolean): void {
    const { editor, viewport } = this.#context;
    if (finger !== undefined && this.#fingers.size > 1) {
      this.#pinch(finger, point);
      return;
    }
    if (finger !== undefined && this.#fingers.has(finger)) this.#fingers.set(finger, point);
    if (this.#isPanning) {
      this.#pan(point.x - this.last.peek().x, point.y - this.last.peek().y);
      this.last.value = point;
      return;
    }
    this.last.value = point;
    const at = viewport.toCanvas(point);
    const pending = this.#pending;
    if (pending && Math.hypot(point.x - pending.at.x, point.y - pending.at.y) > STILL) {
      this.#pending = null;
      this.#gesture = pending.begin();
    }
    if (this.#gesture) this.#gesture.move(at, keys);
    else if (!isPressed) {
      this.cursor.value = this.#cursorAt(at, keys.mod);
      const over = pickAt(editor, at, viewport.zoom.peek(), keys.mod);
      editor.hovered.value = editor.tool.peek() === 'select' ? (over?.name ?? null) : null;
    }
  }

  up(finger?: number): void {
    // The finger that stays after a pinch begins nothing.
    if (finger !== undefined) this.#fingers.delete(finger);
    this.#isPanning = false;
    const [pending, gesture] = [this.#pending, this.#gesture];
    this.#pending = null;
    this.#gesture = null;
    pending?.click();
    gesture?.end();
  }

  /** Whether a finger is the second or a further one; what the first has begun is taken back then. */
  #isPinch(finger: number, at: Point): boolean {
    const { editor } = this.#context;
    if (this.#fingers.size === 0) this.#selected = editor.selection.peek();
    this.#fingers.set(finger, at);
    if (this.#fingers.size === 1) return false;
    const fingers = [...this.#fingers];
    this.cancel();
    for (const [one, place] of fingers) this.#fingers.set(one, place);
    if (fingers.length === 2) editor.select(this.#selected);
    return true;
  }

  /** Zooms by how far two fingers move apart, and pans by what their middle moves. */
  #pinch(finger: number, to: Point): void {
    const { viewport } = this.#context;
    const [one, other] = [...this.#fingers.keys()];
    const spread = () => {
      const [a, b] = [this.#fingers.get(one ?? 0) ?? to, this.#fingers.get(other ?? 0) ?? to];
      return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) };
    };
    const before = spread();
    this.#fingers.set(finger, to);
    const after = spread();
    this.#pan(after.x - before.x, after.y - before.y);
    viewport.zoomTo((viewport.zoom.peek() * after.apart) / before.apart, after);
  }

  /** Takes back what the pointer does, as by Escape, or when the browser takes the pointer away. @returns whether it did anything */
  cancel(): boolean {
    this.#fingers.clear();
    const was = this.#gesture !== null || this.#pending !== null;
    this.#gesture?.cancel();
    this.#gesture = null;
    this.#pending = null;
    this.#isPanning = false;
    return was;
  }

  /** Enters the layer at a point of the view: edits a text, crops a picture, goes into a frame. */
  doubleClick(point: Point): void {
    const { editor, viewport } = this.#context;
    const at = viewport.toCanvas(point);
    const [selected, ...others] = editor.selection.peek();
    if (selected === undefined || others.length > 0) return;
    const layer = editor.layer(selected);
    if (layer?.type === 'table') {
      if (!editor.isLocked(selected)) enterTable(editor, layer, at);
      return;
    }
    const box = editor.picture.peek()?.byName.get(selected);
    if (box?.box.kind === 'frame') {
      const inside = pickInside(editor, at, selected);
      if (!inside) return;
      editor.select([inside.name]);
      if (inside.box.kind === 'text') enterLayer(editor, inside);
    } else if (box) enterLayer(editor, box);
  }

  /** A right click: selects what lies there, unless it is selected already. Returns where, on the canvas. */
  pressMenu(point: Point, deep: boolean): Point {
    const { editor, viewport } = this.#context;
    const at = viewport.toCanvas(point);
    const hit = pickAt(editor, at, viewport.zoom.peek(), deep);
    const selected = editor.selection.peek();
    if (!hit) editor.select([]);
    else if (!namesAround(editor, hit).some((name) => selected.includes(name))) editor.select([hit.name]);
    return at;
  }

  /** @param wheel a turn of the wheel as the browser tells it, and where in the view */
  wheel(wheel: Pick<Stroke, 'at' | 'shift' | 'mod'> & { dx: number; dy: number; isLines: boolean }): void {
    const { viewport } = this.#context;
    const { at, dx, dy, isLines } = wheel;
    const unit = isLines ? 16 : 1;
    if (wheel.mod) {
      const speed = !isLines && Math.abs(dy) < 40 ? 0.01 : 0.0025;
      viewport.zoomTo(viewport.zoom.peek() * Math.exp(-dy * unit * speed), at);
    } else if (wheel.shift && dx === 0) this.#pan(-dy * unit, 0);
    else this.#pan(-dx * unit, -dy * unit);
  }

  /** Scrolls, as far as there is something to be seen. */
  #pan(dx: number, dy: number): void {
    const { editor, viewport } = this.#context;
    const picture = editor.picture.peek();
    const { width, height } = picture?.scene ?? editor.document.peek();
    const outer = boundsOfAll(picture?.boxes.filter(({ parent }) => parent === null) ?? []);
    viewport.pan(dx, dy, union(outer, { x: 0, y: 0, width, height }));
  }

  #press(stroke: Stroke, at: Point): void {
    const { editor, viewport } = this.#context;
    const hit = pickAt(editor, at, viewport.zoom.peek(), stroke.mod);
    const adds = stroke.shift;
    if (!hit) {
      if (!adds) editor.select([]);
      this.#pending = { at: stroke.at, begin: () => new MarqueeGesture(this.#context, at, adds), click: () => {} };
      return;
    }
    const choose = () => {
      if (adds) editor.toggle(hit.name);
      else editor.select([hit.name]);
    };
    const selected = editor.selection.peek();
    const isSelected = namesAround(editor, hit).some((name) => selected.includes(name));
    // A selected layer is dragged together with the rest; a click without a drag decides at its end what stays
    // selected.
    if (!isSelected) choose();
    const isGround = isPage(editor.layer(hit.name));
    const begin = () => {
      // A page stays where it is: a drag over its ground selects what lies on it.
      if (isGround) return new MarqueeGesture(this.#context, at, adds);
      const movable = editor.movable();
      return movable.length > 0 ? new MoveGesture(this.#context, at, movable) : null;
    };
    this.#pending = { at: stroke.at, begin, click: () => isSelected && choose() };
  }

  /** Selects what lies at a point, or nothing. */
  #select(at: Point, { mod, shift }: Keys): void {
    const { editor, viewport } = this.#context;
    const hit = pickAt(editor, at, viewport.zoom.peek(), mod);
    if (!hit) editor.select([]);
    else if (shift) editor.toggle(hit.name);
    else editor.select([hit.name]);
  }

  /**
   * The zone of the selection at a point. Another layer in front is what is pressed there; only the edges of layers that
   * adjoin the selection are dragged with its handles, if the layers are large.
   */
  #zoneAt(at: Point, deep: boolean, isTouch = false): Zone | null {
    const { editor, viewport } = this.#context;
    const zoom = viewport.zoom.peek();
    const isSelecting = editor.tool.peek() === 'select';
    const panelZone = isSelecting && panelZoneAt(editor.panelHandles.peek()?.(zoom) ?? null, at, zoom, isTouch);
    if (panelZone) return panelZone;
    const box = isSelecting ? handleBoxOf(editor, zoom) : null;
    const zone = box && zoneAt(box, at);
    if (!zone) return null;
    const neighbour = this.#neighbourAt(at, deep);
    if (!neighbour || isOnTop(zone)) return zone;
    const { width, height } = boundsOf(neighbour);
    return zone.kind === 'resize' && Math.min(width, height) * zoom >= ROOMY ? zone : null;
  }

  /** The layer at a point, unless it is selected or encloses the selection, as a background does. */
  #neighbourAt(at: Point, deep: boolean): LocatedBox | null {
    const { editor, viewport } = this.#context;
    const hit = pickAt(editor, at, viewport.zoom.peek(), deep);
    const selected = editor.selection.peek();
    if (!hit || namesAround(editor, hit).some((name) => selected.includes(name))) return null;
    const chosen = boundsOfAll(editor.selectedBoxes.peek());
    return chosen && rectContains(boundsOf(hit), chosen) ? null : hit;
  }

  #cursorAt(at: Point, deep: boolean): string {
    const { editor, viewport } = this.#context;
    const zoom = viewport.zoom.peek();
    if (columnEnd(editor, at, zoom)) return 'col-resize';
    const zone = this.#zoneAt(at, deep);
    if (zone?.kind === 'panel') return 'pointer';
    const box = zone && handleBoxOf(editor, zoom);
    return box ? cursorOf(zone, box) : '';
  }

  /** The gesture that a press on a ruler, a handle, a corner or a guide starts. */
  #beginOf(on: Stroke['on'], at: Point, zone: Zone | null): Begin | null {
    const { editor } = this.#context;
    if (on && 'ruler' in on) return () => new GuideGesture(this.#context, on.ruler, null);
    if (zone?.kind === 'panel') return () => new PanelGesture(this.#context, zone.of, zone.handle);
    const boxes = this.#movableBoxes();
    const [only] = boxes;
    if (only && zone?.kind === 'resize') return () => new ResizeGesture(this.#context, at, zone.handle, boxes);
    if (only && zone?.kind === 'radius') return () => new RadiusGesture(this.#context, at, only, zone.corner);
    if (only && zone?.kind === 'arc') return () => new ArcGesture(this.#context, at, only);
    if (!on || zone) return null;
    const axis = guidesOf(editor.document.peek())[on.guide]?.axis ?? 'x';
    return () => new GuideGesture(this.#context, axis, on.guide);
  }

  #movableBoxes(): readonly LocatedBox[] {
    const { editor } = this.#context;
    const names = new Set(editor.movable());
    return editor.selectedBoxes.peek().filter(({ name }) => names.has(name));
  }
}

/** The handle of an arc lies on its own words, whatever else is inside of the circle; those of a panel are over all. */
const isOnTop = ({ kind }: Zone) => kind === 'arc' || kind === 'panel';

/** A layer and the frames around it that are dragged with it, up to its page. */
function namesAround(editor: EditorState, { name, parent }: LocatedBox): readonly string[] {
  return parent && !isPage(editor.layer(parent.name)) ? [name, ...namesAround(editor, parent)] : [name];
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
  // Walks outwards from the layer that was hit, up to the first whose parent is entered. The frame that flows, and the pages
  // made by hand, are the canvas, which nobody has to enter.
  let picked = hit;
  for (let at: LocatedBox | null = hit; at; at = at.parent) {
    picked = at;
    if (isOutermost(editor, at) || entered.has(at.parent?.name ?? '')) break;
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

/** Drags a guide out of a ruler, moves it, or removes it when it is dropped back on the ruler. */
class GuideGesture extends DragGesture {
  readonly #axis: 'x' | 'y';
  readonly #index: number;
  #at: number | null = null;

  /** @param index of an existing guide; null = a new one */
  constructor(context: GestureContext, axis: 'x' | 'y', index: number | null) {
    super(context);
    this.#axis = axis;
    this.#index = index ?? guidesOf(this.base).length;
  }

  move(point: Point): void {
    const { editor, marks } = this.context;
    this.#at = Math.round(this.#axis === 'x' ? point.x : point.y);
    const guides = [...guidesOf(this.base)];
    guides[this.#index] = { axis: this.#axis, at: this.#at };
    editor.drag(setGuides(guides)(this.base));
    marks.value = { ...NO_MARKS, label: `${this.#axis} ${this.#at}` };
  }

  override end(): void {
    const { editor, viewport } = this.context;
    if (this.#at !== null) {
      const inView = this.#at * viewport.zoom.peek() + viewport.offset.peek()[this.#axis];
      const left = guidesOf(this.base).filter((_, i) => i !== this.#index);
      if (inView < RULER) editor.drag(setGuides(left)(this.base));
    }
    super.end();
  }
}

// Drags the end of a table's column: from then on the column has a width in px.

/** px: the least width that a drag gives. */
const LEAST = 8;

/** The end of a column of the selected table at a point, which can be dragged. */
function columnEnd(
  editor: EditorState,
  point: Point,
  zoom: number,
): { readonly name: string; readonly edge: ColumnEdge } | null {
  const [table, ...others] = editor.selectedLayers.peek();
  const picture = editor.picture.peek();
  if (table?.type !== 'table' || others.length > 0 || editor.task.peek().kind !== 'select') return null;
  if (!picture || editor.isLocked(table.name)) return null;
  const edge = columnEdgeAt(picture, table, point, zoom);
  return edge && { name: table.name, edge };
}

class ColumnGesture extends DragGesture {
  readonly #name: string;
  readonly #edge: ColumnEdge;
  readonly #from: Point;

  constructor(context: GestureContext, { name, edge }: NonNullable<ReturnType<typeof columnEnd>>, from: Point) {
    super(context);
    this.#name = name;
    this.#edge = edge;
    this.#from = from;
  }

  move(point: Point): void {
    const { editor, marks } = this.context;
    const width = Math.max(LEAST, Math.round(this.#edge.width + point.x - this.#from.x));
    editor.drag(changeLayer(this.base, this.#name, (table) => setColumn(table, this.#edge.column, { width })));
    marks.value = { ...NO_MARKS, label: `${width} px` };
  }
}
