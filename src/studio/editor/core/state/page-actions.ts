// What keys, menus and the bar of pages do with the pages of a document: go to one, add, copy, delete and order those made by
// hand.

import type { Point, Rect } from '#core/geometry.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import { childrenOf, findLayer, outermost, parentOf } from '../document/document.ts';
import { moveLayers, type Patch, removeLayers } from '../document/edits.ts';
import { addPage, copyPage, isPage, movePage, pageAround, pagesOf } from '../document/hand-pages.ts';
import { boundsOf, tidy } from '../geometry/geometry-of.ts';
import type { Viewport } from '../geometry/viewport.ts';
import type { Picture } from '../scene/compositor.ts';
import type { EditorState } from './editor-state.ts';

/** Of each page of a picture, the page made by hand that is on it; null = what else flows. */
export function pageNames(picture: Picture): readonly (string | null)[] {
  const names: (string | null)[] = picture.pages.map(() => null);
  for (const { name } of pagesOf(picture.document)) {
    const box = picture.byName.get(name);
    if (box) names[pageAt(picture, boundsOf(box).y)] = name;
  }
  return names;
}

/** The page at a height of the canvas, from 0; the ground below a page belongs to it. */
export const pageAt = ({ pages }: Picture, y: number): number =>
  Math.max(
    0,
    pages.findLastIndex((top) => top <= y + 0.5),
  );

/** Where a page is, canvas px. */
export function pageRect({ pages, template, scene }: Picture, index: number): Rect {
  return { x: 0, y: pages[index] ?? 0, width: scene.width, height: pages.length > 0 ? template.height : scene.height };
}

/** The page made by hand that new layers go to: of the selection, or the one in sight; null = none. */
export function currentPage(editor: EditorState): string | null {
  const [selected] = editor.selection.value;
  const around = selected === undefined ? null : pageAround(editor.document.value, selected);
  const picture = editor.picture.value;
  return around ?? (picture && (pageNames(picture)[editor.pageInSight.value] ?? null));
}

/** Whether a layer is chosen without entering a frame: on the canvas, in what flows, or on a page made by hand. */
export const isOutermost = (editor: EditorState, { parent }: LocatedBox): boolean =>
  parent === null || parent.box.node.fragmentation?.isFlow === true || isPage(editor.layer(parent.name));

/** The frame whose children are chosen and added to while `name` is selected; null = the canvas. */
export function scopeOf(editor: EditorState, name: string | undefined): string | null {
  if (name === undefined) return currentPage(editor);
  return isPage(editor.layer(name)) ? name : (parentOf(editor.document.peek(), name)?.name ?? null);
}

/** The middle of the canvas, or of the page that is in sight, canvas px. */
export function middleOf(editor: EditorState): Point {
  const { width, height } = editor.document.peek();
  return { x: width / 2, y: (editor.picture.peek()?.pages[editor.pageInSight.peek()] ?? 0) + height / 2 };
}

/** Shows a page, and selects it if it was made by hand. @param index from 0 */
export function goToPage(editor: EditorState, viewport: Viewport, index: number): void {
  const picture = editor.picture.peek();
  if (!picture || picture.pages[index] === undefined) return;
  viewport.fit(pageRect(picture, index));
  const name = pageNames(picture)[index];
  editor.select(name ? [name] : []);
}

/** Selects a page, and shows it. */
function showPage(editor: EditorState, viewport: Viewport, name: string): void {
  editor.select([name]);
  editor.composeNow();
  const before = editor.picture.peek();
  const isOver = () => {
    if (editor.selection.peek()[0] !== name) return true;
    const picture = editor.picture.peek();
    const index = picture ? pageNames(picture).indexOf(name) : -1;
    if (index !== -1) goToPage(editor, viewport, index);
    return index !== -1;
  };
  if (isOver()) return;
  // What divides pages is loaded with the first document.
  const stop: () => void = editor.picture.subscribe(() => {
    if (editor.picture.peek() !== before && isOver()) stop();
  });
}

/** Adds an empty page after the current one; a picture becomes the first page of two. */
export function insertPage(editor: EditorState, viewport: Viewport): void {
  const { document, name } = addPage(editor.document.peek(), currentPage(editor));
  editor.edit(() => document);
  showPage(editor, viewport, name);
}

export function duplicatePage(editor: EditorState, viewport: Viewport, page = currentPage(editor)): void {
  if (page === null) return;
  const { document, name } = copyPage(editor.stored.peek(), page);
  editor.editStored(() => document);
  showPage(editor, viewport, name);
}

/** Deletes a page, and shows the one before it. */
export function deletePage(editor: EditorState, viewport: Viewport, page = currentPage(editor)): void {
  const names = pagesOf(editor.document.peek()).map(({ name }) => name);
  const at = page === null ? -1 : names.indexOf(page);
  if (page === null || at === -1 || names.length < 2) return;
  editor.edit(removeLayers([page]), { select: [] });
  showPage(editor, viewport, names.filter((name) => name !== page)[Math.max(0, at - 1)] ?? '');
}

/** Moves a page to a place among the pages, from 0, counted without it. */
export function orderPage(editor: EditorState, viewport: Viewport, name: string, to: number): void {
  const count = pagesOf(editor.document.peek()).length;
  if (to < 0 || to >= count || !findLayer(editor.document.peek(), name)) return;
  editor.edit(movePage(name, to));
  showPage(editor, viewport, name);
}

/** Puts the selected layers of a page on every page of the document, or those of every page on the current one alone. */
export function toggleEveryPage(editor: EditorState): void {
  const document = editor.document.peek();
  const picture = editor.picture.peek();
  const names = outermost(document, editor.movable());
  if (!picture || !canBeOnEveryPage(editor)) return;
  const [first = ''] = names;
  const page = parentOf(document, first) === null ? (currentPage(editor) ?? pageNames(picture).find(Boolean)) : null;
  if (page === undefined) return;
  const around = picture.byName.get(page ?? '');
  const origin = around ? boundsOf(around) : { x: 0, y: 0 };
  const top = around ? (picture.pages[pageAt(picture, origin.y)] ?? 0) : 0;
  const patches = names.flatMap((name): [string, Patch][] => {
    const box = picture.byName.get(name);
    if (!box) return [];
    const own = boundsOf(box);
    const y = own.y - (picture.pages[pageAt(picture, own.y + own.height / 2)] ?? 0);
    return [[name, { x: tidy(own.x - origin.x), y: tidy(y - (origin.y - top)) }]];
  });
  editor.edit(moveLayers(names, page, childrenOf(document, page).length, new Map(patches)));
}

/** Whether all that is selected lies right on a page made by hand, or on every page. */
export function canBeOnEveryPage(editor: EditorState): boolean {
  const document = editor.document.peek();
  const names = outermost(document, editor.selection.peek());
  return (
    names.length > 0 &&
    pagesOf(document).length > 0 &&
    names.every((name) => {
      const parent = parentOf(document, name);
      return (parent === null || isPage(parent)) && !isPage(editor.layer(name)) && editor.layer(name)?.flow !== true;
    }) &&
    new Set(names.map((name) => parentOf(document, name)?.name)).size === 1
  );
}
