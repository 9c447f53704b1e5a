// Routes key presses and pastes anywhere on the page to the editor's commands, except while typing or in a dialog.

import { useEffect } from 'preact/hooks';
import { ui } from '../parts/ui-root.ts';
import type { PointerInput } from './canvas/pointer.ts';
import { dropFiles, pasteText } from './insert-images.ts';
import * as actions from './state/actions.ts';
import { type Command, commandFor } from './state/commands.ts';
import type { EditorState } from './state/editor-state.ts';

/** @param input of the canvas, whose gesture Escape cancels and whose panning the space bar starts */
export function useKeys(
  editor: EditorState,
  commands: readonly Command[],
  input: { readonly current: PointerInput | null },
): void {
  useEffect(() => {
    const isTyping = (target: EventTarget | null) =>
      target instanceof HTMLElement &&
      (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.shadowRoot !== null);
    // What is typed before the code of the field for it is there, which takes it over.
    const isEarly = (event: KeyboardEvent) => {
      const isAwaited = editor.editingText.peek() !== null || input.current?.isLate;
      if (!isAwaited || ui.root.querySelector('.text-editor')) return false;
      if (event.key === 'Escape') editor.editingText.value = null;
      else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
        editor.typedEarly += event.key;
        event.preventDefault();
      }
      return true;
    };
    // Messages are a popover too, which takes no keys.
    const inDialog = () => ui.root.querySelector('dialog[open], [popover="auto"]:popover-open') !== null;
    const down = (event: KeyboardEvent) => {
      if (event.defaultPrevented || inDialog()) return;
      if (event.key === 'Escape' && input.current?.cancel()) return;
      if (isEarly(event)) return;
      const command = commandFor(event, commands);
      const isCommandOfFields =
        isTyping(event.target) && !/^(save|palette|publish|region(-back)?)$/.test(command?.id ?? '');
      if (isCommandOfFields) return;
      if (event.code === 'Space') {
        if (event.target instanceof HTMLElement && event.target.closest('button, a, summary, label')) return;
        event.preventDefault();
        input.current?.setSpace(true);
        return;
      }
      if (!command) return;
      // Tab goes through the layers only on the canvas; elsewhere it moves the focus.
      const onCanvas = event.target instanceof HTMLElement && event.target.closest('.canvas') !== null;
      if (/^(next|previous|enter|parent)$/.test(command.id) && !onCanvas) return;
      if (command.id === 'insert' && event.target instanceof Element && event.target.closest('button, a, summary'))
        return;
      if (/^(copy|cut)$/.test(command.id) && getSelection()?.toString()) return;
      if (command.id === 'tool-select' && event.key === 'Escape') leave(editor);
      if (!(command.isOn?.() ?? true)) return;
      if (command.id === 'paste') return;
      event.preventDefault();
      command.run();
    };
    const up = (event: KeyboardEvent) => {
      if (event.code === 'Space') input.current?.setSpace(false);
    };
    const onPaste = (event: ClipboardEvent) => {
      if (isTyping(event.target) || inDialog()) return;
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length > 0) void dropFiles(editor, files, null);
      else void pasteText(editor, event.clipboardData?.getData('text/plain') ?? '', null);
      event.preventDefault();
    };
    // Text typed into a field belongs to the layer selected then, so it is committed before the selection changes.
    const commitTyped = (event: PointerEvent) => {
      const field = ui.root.activeElement;
      const isLeft = field instanceof HTMLElement && event.target instanceof Node && !field.contains(event.target);
      if (isLeft && isTyping(field) && field.closest('.inspector')) field.blur();
    };
    ui.keys.addEventListener('pointerdown', commitTyped, true);
    ui.keys.addEventListener('keydown', down);
    ui.keys.addEventListener('keyup', up);
    ui.keys.addEventListener('paste', onPaste);
    return () => {
      ui.keys.removeEventListener('pointerdown', commitTyped, true);
      ui.keys.removeEventListener('keydown', down);
      ui.keys.removeEventListener('keyup', up);
      ui.keys.removeEventListener('paste', onPaste);
    };
  }, [commands, editor, input]);
}

/** Escape leaves a frame, then clears the selection. */
function leave(editor: EditorState): void {
  if (editor.tool.peek() !== 'select') return;
  actions.selectParent(editor);
}
