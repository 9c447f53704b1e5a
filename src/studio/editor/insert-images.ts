// Puts pictures on the canvas: those of the host, and dropped or pasted files, which are uploaded first.

import { toast, toastError } from '../parts/toast.tsx';
import { texts } from '../texts/editor.ts';
import { findLayer } from './document/document.ts';
import * as actions from './state/actions.ts';
import { layersFromText } from './state/clipboard.ts';
import type { EditorState } from './state/editor-state.ts';

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
  const centre = at ?? { x: width / 2, y: height / 2 };
  const corner = { x: Math.round(centre.x - box.width / 2), y: Math.round(centre.y - box.height / 2) };
  // Keeps the drop position also inside the selected frame, which has other coordinates.
  actions.paste(editor, [{ type: 'image', name: 'image', x: 0, y: 0, ...box, src }], corner);
}

/** Offers to take the drawing apart that was just put on the canvas as a picture, and is selected. */
function offerSplit(editor: EditorState, name: string): void {
  const [layer] = editor.selection.peek();
  if (layer === undefined) return;
  const onSelect = () => void splitSvg(editor, layer);
  toast(texts.value.editor.isOnePicture(name), { action: { label: texts.value.editor.splitIntoLayers, onSelect } });
}

/** Puts layers in place of a picture that is an SVG. */
export async function splitSvg(editor: EditorState, name: string): Promise<void> {
  try {
    const { splitPicture } = await import('./insert-svg.ts');
    await splitPicture(editor, name);
  } catch (error) {
    toastError(error);
  }
}

const SVG = /^\s*(<\?xml[^>]*>\s*)?(<!--[^>]*-->\s*)*<svg[\s>]/i;

/** Pastes layers, an SVG as layers, or words. @param at canvas px; null = the middle of the canvas */
export async function pasteText(
  editor: EditorState,
  text: string,
  at: { readonly x: number; readonly y: number } | null,
): Promise<void> {
  if (!SVG.test(text)) return actions.paste(editor, layersFromText(text), at);
  try {
    const { insertSvg } = await import('./insert-svg.ts');
    await insertSvg(editor, text, at);
  } catch (error) {
    toastError(error);
  }
}

/** Replaces the file of a selected picture; otherwise inserts a new layer. */
export async function dropFiles(
  editor: EditorState,
  files: readonly File[],
  at: { readonly x: number; readonly y: number } | null,
): Promise<void> {
  // Read before the uploads, during which others may be selected.
  const [selected] = editor.selection.peek();
  const target = selected === undefined ? null : findLayer(editor.document.peek(), selected);
  const { upload } = editor.host.pictures;
  if (!upload) return toast(texts.value.editor.noUploads, { tone: 'bad' });
  for (const file of files) {
    if (!file.type.startsWith('image/')) {
      toast(texts.value.editor.isNoPicture(file.name), { tone: 'bad' });
      continue;
    }
    try {
      const { src, width, height } = await upload(file);
      if (target?.type === 'image' && files.length === 1) actions.setProperty(editor, target.name, { src });
      else insertImage(editor, src, at, { width: width ?? 400, height: height ?? 400 });
      if (file.type === 'image/svg+xml') offerSplit(editor, file.name);
    } catch (error) {
      toastError(error);
    }
  }
}
