// Routes key presses to the editor's commands, by the mode and by where the focus is.

import type { PointerInput } from './gestures/pointer.ts';
import { selectParent } from './state/actions.ts';
import { type Command, commandFor } from './state/commands.ts';
import type { EditorState } from './state/editor-state.ts';
import type { Press } from './state/press.ts';

/** What has the focus: the canvas, a field that is typed into, a button or the like, one of several choices, or something else. */
export type Focus = 'canvas' | 'field' | 'control' | 'choice' | 'elsewhere';

/** Keys that a control has for itself. */
const OF_CONTROL = /^(Space|Enter|NumpadEnter)$/;
const OF_CHOICE = /^(Space|Enter|NumpadEnter|Arrow\w+|Home|End)$/;

export class KeyInput {
  readonly #editor: EditorState;
  readonly #pointer: PointerInput;
  readonly #commands: readonly Command[];

  /** @param pointer whose gesture Escape cancels and whose panning the space bar starts */
  constructor(editor: EditorState, pointer: PointerInput, commands: readonly Command[]) {
    this.#editor = editor;
    this.#pointer = pointer;
    this.#commands = commands;
  }

  /**
   * @param hasWords whether words of the page are selected, which the browser copies
   * @returns whether the key is the editor's: the browser is to do nothing with it
   */
  down(press: Press, focus: Focus, hasWords = false): boolean {
    if (press.key === 'Escape') return this.#pointer.cancel() || (focus !== 'field' && this.#escape());
    const command = commandFor(press, this.#commands);
    const isOfFocus =
      focus === 'field' ||
      (focus === 'control' && OF_CONTROL.test(press.code)) ||
      (focus === 'choice' && !press.mod && OF_CHOICE.test(press.code));
    if (isOfFocus && command?.scope !== 'always') return false;
    if (press.code === 'Space') {
      this.#pointer.isSpaceDown.value = true;
      return true;
    }
    if (!command || (command.scope === 'canvas' && focus !== 'canvas') || !command.isOn()) return false;
    if (command.clipboard === 'pastes' || (command.clipboard === 'copies' && hasWords)) return false;
    // What is dragged is finished or cancelled first.
    if (command.scope === 'always' || !this.#editor.isDragging.peek()) command.run();
    return true;
  }

  up({ code }: Pick<Press, 'code'>): void {
    if (code === 'Space') this.#pointer.isSpaceDown.value = false;
  }

  /** Leaves a tool, what is edited in place, then frame by frame what is selected. */
  #escape(): true {
    if (this.#editor.task.peek().kind !== 'select') this.#editor.leave();
    else selectParent(this.#editor);
    return true;
  }
}
