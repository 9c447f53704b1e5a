// Puts pictures of the host and pasted text on the canvas.

import * as actions from './core/state/actions.ts';
import { layersFromText } from './core/state/clipboard.ts';
import type { EditorState } from './core/state/editor-state.ts';
import { insertImage } from './core/state/insert-new.ts';
import { addFiles, pasteRows } from './drop-files.ts';

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
