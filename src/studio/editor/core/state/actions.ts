// What menus, keys and buttons do with the selected layers.

import { centreOf, IDENTITY, invert, type Point, transformPoint } from '#core/geometry.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import { isSymbol } from '#core/text/counters.ts';
import { texts } from '../../../texts/editor.ts';
import { type Alignment, aligned, distributed } from '../document/arrange.ts';
import { styleOf, stylePatchFor } from '../document/copied-style.ts';
import { childrenOf, layersByName, outermost, parentOf, type RawLayer } from '../document/document.ts';
import {
  changeLayer,
  duplicateLayers,
  insertLayers,
  moveLayers,
  namesOfCopies,
  orderLayers,
  type Patch,
  removeLayers,
  setLayer,
  setLayers,
} from '../document/edits.ts';
import { flowFrame, isPage } from '../document/hand-pages.ts';
import { uniqueName } from '../document/names.ts';
import type { Entries } from '../document/read-entries.ts';
import { type Said, saying } from '../document/said-of-layers.ts';
import { setEntries } from '../document/table-edits.ts';
import { textOf } from '../document/text-edits.ts';
import { type Range, styleWords, type Toggle, toggledStyle } from '../document/word-styles.ts';
import { boundsOf, boundsOfAll, flipped, flows, paddingBox, placeIn, tidy, vectorIn } from '../geometry/geometry-of.ts';
import { brandOf, withTextStyle } from './brand-names.ts';
import type { EditorState } from './editor-state.ts';
import { currentPage, scopeOf } from './page-actions.ts';

const movableBoxes = (editor: EditorState): readonly LocatedBox[] => {
  const names = new Set(editor.movable());
  return editor.selectedBoxes.peek().filter((box) => names.has(box.name) && !flows(box));
};

function moveBy(
  editor: EditorState,
  boxes: readonly LocatedBox[],
  moves: readonly { readonly dx: number; readonly dy: number }[],
): void {
  const patches = new Map(
    boxes.map((box, i): [string, Patch] => {
      const { dx = 0, dy = 0 } = moves[i] ?? {};
      const by = vectorIn(box.outer, { x: dx, y: dy });
      const origin = paddingBox(box.parent);
      return [box.name, { x: tidy(box.rect.x + by.x - origin.x), y: tidy(box.rect.y + by.y - origin.y) }];
    }),
  );
  editor.edit(setLayers(patches));
}

/** Aligns one layer in its frame or on the canvas, several with each other. */
export function align(editor: EditorState, to: Alignment): void {
  const boxes = movableBoxes(editor);
  const [only, ...others] = boxes;
  if (!only) return;
  const { width, height } = editor.document.peek();
  const around = only.parent ? boundsOf(only.parent) : { x: 0, y: 0, width, height };
  const within = others.length > 0 ? (boundsOfAll(boxes) ?? around) : around;
  moveBy(editor, boxes, aligned(boxes.map(boundsOf), within, to));
}

export function distribute(editor: EditorState, axis: 'x' | 'y'): void {
  const boxes = movableBoxes(editor);
  moveBy(editor, boxes, distributed(boxes.map(boundsOf), axis));
}

/** Moves the selection by arrow keys; a layer placed by a flow swaps places with its neighbour. */
export function nudge(editor: EditorState, dx: number, dy: number): void {
  const document = editor.document.peek();
  const movable = new Set(editor.movable());
  const boxes = editor.selectedBoxes.peek().filter(({ name }) => movable.has(name));
  const flowing = boxes.filter(flows);
  if (flowing.length > 0 && flowing.length === boxes.length) {
    const step = dx + dy > 0 ? 'forward' : 'backward';
    editor.edit(
      orderLayers(
        flowing.map(({ name }) => name),
        step,
      ),
    );
    return;
  }
  const patches = new Map(
    boxes
      .filter((box) => !flows(box))
      .map((box): [string, Patch] => {
        const layer = layersByName(document).get(box.name)?.layer;
        const by = vectorIn(box.outer, { x: dx, y: dy });
        const { inset, margin } = box.box.node.placement;
        const origin = paddingBox(box.parent);
        // A layer that its sides place keeps its place, but from now on by x and y.
        const [x, y] = inset
          ? [box.rect.x - origin.x - margin.left, box.rect.y - origin.y - margin.top]
          : [Number(layer?.x ?? 0), Number(layer?.y ?? 0)];
        return [box.name, { x: tidy(x + by.x), y: tidy(y + by.y) }];
      }),
  );
  editor.edit(setLayers(patches), { kind: `nudge ${boxes.map(({ name }) => name).join()}` });
}

export function remove(editor: EditorState, names = editor.movable()): void {
  editor.edit(removeLayers(names), { select: [] });
}

export function duplicate(editor: EditorState): void {
  const names = editor.movable();
  const by = names.every((name) => isPage(editor.layer(name))) ? 0 : 16;
  // As it is stored, so that a copy that is made in a language or a size has what it says and is in the others.
  const made = duplicateLayers(editor.stored.peek(), names, { x: by, y: by });
  editor.editStored(() => made.document);
  editor.select(made.names);
}

export const order = (editor: EditorState, to: 'forward' | 'backward' | 'front' | 'back'): void =>
  editor.edit(orderLayers(editor.movable(), to));

/** Puts the selected layers into a new frame around them; they keep their place on the canvas. */
export function group(editor: EditorState): void {
  const document = editor.document.peek();
  const names = outermost(document, editor.movable());
  const boxes = editor.selectedBoxes.peek().filter(({ name }) => names.includes(name));
  const [first] = boxes;
  const last = names.at(-1);
  if (!first || last === undefined) return;
  const parent = parentOf(document, last)?.name ?? null;
  const around = editor.picture.peek()?.byName.get(parent ?? '') ?? null;
  const inParent = boxes.map((box) => placedRect(box, around));
  const [x, y] = [Math.min(...inParent.map((rect) => rect.x)), Math.min(...inParent.map((rect) => rect.y))];
  const right = Math.max(...inParent.map((rect) => rect.x + rect.width));
  const bottom = Math.max(...inParent.map((rect) => rect.y + rect.height));
  const name = uniqueName('group', new Set(layersByName(document).keys()));
  const frame: RawLayer = {
    type: 'frame',
    name,
    x: tidy(x),
    y: tidy(y),
    width: tidy(right - x),
    height: tidy(bottom - y),
    shadowType: 'drop',
    children: [],
  };
  const index = childrenOf(document, parent).findIndex((layer) => layer.name === last) + 1;
  const patches = new Map(
    boxes.map((box, i): [string, Patch] => [
      box.name,
      { x: tidy((inParent[i]?.x ?? 0) - x), y: tidy((inParent[i]?.y ?? 0) - y) },
    ]),
  );
  editor.edit(
    (before) => {
      const withFrame = insertLayers(before, [frame], parent, index).document;
      return moveLayers(names, name, 0, patches)(withFrame);
    },
    { select: [name] },
  );
}

/** The x, y and size that a box would have as a layer of `frame`. */
function placedRect(box: LocatedBox, frame: LocatedBox | null) {
  const { x, y } = placeIn(frame, box);
  return { x, y, width: box.rect.width, height: box.rect.height };
}

/** The selected frames that can be replaced by their children. */
export const groupsIn = (editor: EditorState): readonly string[] =>
  editor.movable().filter((name) => editor.layer(name)?.type === 'frame');

/** Replaces the selected frames by their children. */
export function ungroup(editor: EditorState): void {
  const document = editor.document.peek();
  const frames = groupsIn(editor);
  const freed: string[] = [];
  let next = document;
  for (const name of frames) {
    const parent = parentOf(next, name)?.name ?? null;
    const children = childrenOf(next, name).map((layer) => layer.name);
    // Located with the frame: if it is hidden, so are they.
    const boxes = editor.boxesOf([name, ...children, ...(parent === null ? [] : [parent])]);
    const around = boxes.find((box) => box.name === parent) ?? null;
    const patches = new Map<string, Patch>();
    for (const box of boxes) {
      if (children.includes(box.name)) patches.set(box.name, placeIn(around, box));
    }
    const index = childrenOf(next, parent).findIndex((layer) => layer.name === name);
    next = removeLayers([name])(moveLayers(children, parent, index, patches)(next));
    freed.push(...children);
  }
  if (freed.length > 0 || frames.length > 0) editor.edit(() => next, { select: freed });
}

export function toggleHidden(editor: EditorState, names: readonly string[]): void {
  const document = editor.document.peek();
  const index = layersByName(document);
  const anyShown = names.some((name) => index.get(name)?.layer.visible !== false);
  editor.edit(
    setLayers(new Map(names.map((name): [string, Patch] => [name, { visible: anyShown ? false : undefined }]))),
  );
}

export function toggleLocked(editor: EditorState, names: readonly string[]): void {
  const anyFree = names.some((name) => editor.layer(name)?.locked !== true);
  editor.edit(setLayers(new Map(names.map((name): [string, Patch] => [name, { locked: anyFree || undefined }]))));
}

/** Begins a page of the document with each of the layers, or no longer where all of them do. */
export function togglePageBreak(editor: EditorState, names: readonly string[]): void {
  const isAll = names.every((name) => editor.layer(name)?.breakBefore === 'page');
  const breakBefore = isAll ? undefined : 'page';
  editor.edit(setLayers(new Map(names.map((name): [string, Patch] => [name, { breakBefore }]))));
}

/** Whether layers are in what flows over the pages of a document, where a page can end. */
export const canBreak = (editor: EditorState, names: readonly string[]): boolean =>
  names.length > 0 &&
  editor.document.peek().page !== undefined &&
  names.every((name) => parentOf(editor.document.peek(), name) !== null);

/** Selects the next or previous sibling in painting order, or the first layer if none is selected. */
export function selectBeside(editor: EditorState, step: 1 | -1): void {
  const document = editor.document.peek();
  const [current] = editor.selection.peek();
  const siblings = childrenOf(document, scopeOf(editor, current)).filter(({ name }) => !editor.isLocked(name));
  const at = siblings.findIndex(({ name }) => name === current);
  const next = siblings[(at + step + siblings.length) % siblings.length] ?? siblings[0];
  if (next) editor.select([next.name]);
}

export function selectAll(editor: EditorState): void {
  const document = editor.document.peek();
  const [current] = editor.selection.peek();
  editor.select(
    childrenOf(document, scopeOf(editor, current))
      .map(({ name }) => name)
      .filter((name) => !editor.isLocked(name)),
  );
}

/** Whether the first selected layer is in a frame. */
export const hasParent = (editor: EditorState): boolean => {
  const [first] = editor.selection.peek();
  return first !== undefined && parentOf(editor.document.peek(), first) !== null;
};

export function selectParent(editor: EditorState): void {
  const [current] = editor.selection.peek();
  const parent = current === undefined ? null : parentOf(editor.document.peek(), current);
  editor.select(parent ? [parent.name] : []);
}

/** Whether a frame is not turned, and at least as large as a layer that has sides. */
function hasRoom(editor: EditorState, frame: string, { width, height }: RawLayer): boolean {
  const box = editor.picture.peek()?.byName.get(frame);
  if (!box) return true;
  const fits = (side: unknown, room: number) => typeof side !== 'number' || side <= room;
  return box.box.node.rotation === 0 && fits(width, box.rect.width) && fits(height, box.rect.height);
}

/** Inserts layers from elsewhere: in the selected frame or beside the selected layer, if they have room there. */
export function paste(
  editor: EditorState,
  layers: readonly RawLayer[],
  at: Point | null,
  said: Said = { texts: {}, changes: {} },
): void {
  const insert = (copies: readonly RawLayer[], frame: string | null, index?: number) => {
    const made = insertLayers(document, copies, frame, index);
    const also = saying(said, namesOfCopies(layers, made));
    editor.edit(() => made.document, { select: made.names, also });
  };
  const document = editor.document.peek();
  const [selected] = editor.selection.peek();
  const target = selected === undefined ? null : editor.layer(selected);
  const page = currentPage(editor);
  if (page !== null && layers.every(isPage)) {
    const flow = flowFrame(document)?.name ?? null;
    const after = childrenOf(document, flow).findIndex(({ name }) => name === page);
    insert(layers, flow, after + 1);
    return;
  }
  const nearest = target?.type === 'frame' ? target : target ? parentOf(document, target.name) : null;
  const isRoomy = nearest !== null && layers.every((layer) => hasRoom(editor, nearest.name, layer));
  const frame = isRoomy ? (nearest?.name ?? null) : page;
  const around = editor.picture.peek()?.byName.get(frame ?? '') ?? null;
  const inner = at === null ? null : transformPoint(invert(around?.matrix ?? IDENTITY) ?? IDENTITY, at);
  const [first] = layers;
  const origin = paddingBox(around);
  const shift =
    inner && first
      ? {
          x: Math.round(inner.x - origin.x - Number(first.x ?? 0)),
          y: Math.round(inner.y - origin.y - Number(first.y ?? 0)),
        }
      : { x: 0, y: 0 };
  const placed = layers.map((layer) => ({
    ...layer,
    x: Number(layer.x ?? 0) + shift.x,
    y: Number(layer.y ?? 0) + shift.y,
  }));
  insert(placed, frame);
}

/** Copies the style of the first selected layer; it outlives the template, so that it can be pasted into another one. */
export function copyStyle(editor: EditorState): void {
  const [layer] = editor.selectedLayers.peek();
  if (layer) editor.preferences.copiedStyle = styleOf(layer);
}

/** Gives the copied style to the selected layers, in one step. */
export function pasteStyle(editor: EditorState): void {
  const { copiedStyle } = editor.preferences;
  if (!copiedStyle) return;
  const layers = editor.selectedLayers.peek().filter(({ name }) => !editor.isLocked(name));
  editor.edit(setLayers(new Map(layers.map((layer) => [layer.name, stylePatchFor(layer, copiedStyle)]))));
}

/** Sets a character style of the selected words, or of all words of the selected texts if none are selected. */
export function styleText(editor: EditorState, style: Patch): void {
  const chosen = editor.chosenWords.peek();
  const layer = chosen && editor.layer(chosen.name);
  const names = chosen ? chosen.name : editor.selection.peek().join();
  const kind = `style ${Object.keys(style).join()} ${chosen?.range.join('-')} ${names}`;
  if (chosen && layer) {
    editor.edit(setLayer(chosen.name, styleWords(withTextStyle(layer, brandOf(editor)), chosen.range, style)), {
      kind,
    });
    return;
  }
  const patches = selectedTexts(editor).map((one) => [one.name, styleWords(one, allOf(one), style)] as const);
  editor.edit(setLayers(new Map(patches)), { kind });
}

/** Makes the selected words, or texts, bold, italic or underlined; or plain again if the first of them is so. */
export function toggleTextStyle(editor: EditorState, toggle: Toggle): void {
  const chosen = editor.chosenWords.peek();
  const layer = chosen ? editor.layer(chosen.name) : selectedTexts(editor)[0];
  if (layer)
    styleText(editor, toggledStyle(withTextStyle(layer, brandOf(editor)), chosen?.range ?? allOf(layer), toggle));
}

/** Makes the selected texts lists with signs or with numbers; or plain again if the first of them is such a list. */
export function toggleList(editor: EditorState, style: 'disc' | 'decimal'): void {
  const chosen = selectedTexts(editor);
  const now = String(chosen[0]?.listStyle ?? 'none');
  const listStyle = now !== 'none' && isSymbol(now) === isSymbol(style) ? undefined : style;
  editor.edit(setLayers(new Map(chosen.map(({ name }) => [name, { listStyle }]))));
}

/**
 * Mirrors the selected layers as they are seen, several of them about the middle of all: what is turned to one side then
 * turns to the other.
 */
export function flip(editor: EditorState, axis: 'x' | 'y'): void {
  const chosen = outermost(editor.document.peek(), editor.selection.peek()).filter((name) => !editor.isLocked(name));
  const boxes = editor.boxesOf(chosen);
  const around = boundsOfAll(boxes);
  if (!around) return;
  const middle = centreOf(around);
  const patches = boxes.map((box) => {
    const { node } = box.box;
    const centre = transformPoint(box.outer, centreOf(box.rect));
    const by = vectorIn(box.outer, {
      x: axis === 'x' ? 2 * (middle.x - centre.x) : 0,
      y: axis === 'y' ? 2 * (middle.y - centre.y) : 0,
    });
    const origin = paddingBox(box.parent);
    const isMoved = boxes.length > 1 && !flows(box);
    const place = { x: tidy(box.rect.x + by.x - origin.x), y: tidy(box.rect.y + by.y - origin.y) };
    const turned = node.rotation === 0 ? {} : { rotation: -node.rotation };
    return [box.name, { ...turned, ...(isMoved && place), flip: flipped(node.flip, axis) }] as const;
  });
  editor.edit(setLayers(new Map(patches)));
}

export const selectedTexts = (editor: EditorState): readonly RawLayer[] =>
  editor.selectedLayers.peek().filter(({ type, name }) => type === 'text' && !editor.isLocked(name));

const allOf = (layer: RawLayer): Range => [0, Math.max(1, textOf(layer).length)];

export const setProperty = (editor: EditorState, name: string, patch: Patch): void =>
  editor.edit(setLayer(name, patch));

/** Replaces the rows of a table layer by rows that were pasted, or read from a file. */
export function fillTable(editor: EditorState, name: string, { names, rows }: Entries): void {
  // What the template has now is what has to show, beside the test data of other layers.
  const before = editor.layer(name)?.footer;
  editor.edit((document) => changeLayer(document, name, (table) => setEntries(table, names, rows)), { own: name });
  if (before && !editor.layer(name)?.footer) editor.host.tell(texts.value.canvas.footerGone);
}
