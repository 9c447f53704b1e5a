// Puts pictures of the host and pasted text on the canvas.

import * as actions from './core/state/actions.ts';
import { layersFromText } from './core/state/clipboard.ts';
import type { EditorState } from './core/state/editor-state.ts';
import { middleOf } from './core/state/page-actions.ts';
import { addFiles, pasteRows } from './drop-files.ts';

/** The longest side of a dropped picture, as a share of the canvas. */
const SHARE = 0.5;

/** Inserts a layer that shows the picture. @param at its middle, canvas px; null = the middle of the canvas */
export function insertImage(
  editor: EditorState,
  src: string,
  at: { readonly x: number; readonly y: number } | null,
  natural?: { readonly width: number; readonly height: number },
): void {
  const { width, height } = editor.document.peek();
  const size = natural ?? { width: 320, height: 240 };
  const scale = Math.min(1, (width * SHARE) / size.width, (height * SHARE) / size.height);
  const box = { width: Math.round(size.width * scale), height: Math.round(size.height * scale) };
  const centre = at ?? middleOf(editor);
  const corner = { x: Math.round(centre.x - box.width / 2), y: Math.round(centre.y - box.height / 2) };
  // Keeps the drop position also inside the selected frame, which has other coordinates.
  actions.paste(editor, [{ type: 'image', name: 'image', x: 0, y: 0, ...box, src }], corner);
}

/** Puts layers in place of a picture that is an SVG. */
export async function splitSvg(editor: EditorState, name: string): Promise<void> {
  try {
    const { splitPicture } = await import('./insert-svg.ts');
    await splitPicture(editor, name);
  } catch (error) {
    editor.host.tellError(error);
  }
}

const SVG = /^\s*(<\?xml[^>]*>\s*)?(<!--[^>]*-->\s*)*<svg[\s>]/i;

/** Pastes rows into the table that is selected, layers, an SVG as layers, or words. @param at canvas px; null = the middle of the canvas */
export async function pasteText(
  editor: EditorState,
  text: string,
  at: { readonly x: number; readonly y: number } | null,
): Promise<void> {
  if (pasteRows(editor, text)) return;
  if (!SVG.test(text)) return actions.paste(editor, layersFromText(text), at);
  try {
    const { insertSvg } = await import('./insert-svg.ts');
    await insertSvg(editor, text, at);
  } catch (error) {
    editor.host.tellError(error);
  }
}

/** Adds the files of a drop, of which few templates get any. @param at canvas px; null = the middle of the canvas */
export async function dropFiles(
  editor: EditorState,
  files: readonly File[],
  at: { readonly x: number; readonly y: number } | null,
): Promise<void> {
  const drop = { at, selected: editor.selection.peek() };
  try {
    await addFiles(editor, files, drop, {
      insert: (src, natural) => insertImage(editor, src, at, natural),
      split: (layer) => void splitSvg(editor, layer),
    });
  } catch (error) {
    editor.host.tellError(error);
  }
}
