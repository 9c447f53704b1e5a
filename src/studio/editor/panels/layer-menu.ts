// The entries of the menu on the canvas and in the layer tree: commands with their keys.

import type { Point } from '#core/geometry.ts';
import type { MenuEntry } from '../../parts/menu.tsx';
import { texts } from '../../texts/editor.ts';
import { type Command, keysShown } from '../state/commands.ts';
import type { EditorState } from '../state/editor-state.ts';

const OF_LAYERS = [
  ['cut', 'copy', 'paste', 'duplicate', 'delete'],
  ['copy-style', 'paste-style'],
  ['front', 'forward', 'backward', 'back'],
  ['group', 'ungroup', 'component', 'split-svg', 'parent'],
  ['page-break'],
  ['rename', 'hide', 'lock', 'fit-selection'],
] as const;
const OF_CANVAS = [
  ['paste', 'select-all'],
  ['undo', 'redo'],
  ['fit', 'actual'],
  ['rulers', 'grid', 'snap'],
  ['palette'],
] as const;

/**
 * @param at where on the canvas the menu was opened, which is where it pastes; null = nowhere in particular
 * @param paste pastes there
 */
export function layerMenu(
  editor: EditorState,
  commands: readonly Command[],
  at: Point | null,
  paste: (at: Point | null) => void,
): readonly MenuEntry[] {
  const isDocument = editor.document.peek().page !== undefined;
  const groups = (editor.selection.peek().length > 0 ? OF_LAYERS : OF_CANVAS).filter(
    ([first]) => first !== 'page-break' || isDocument,
  );
  return groups.flatMap((ids, i): readonly MenuEntry[] => {
    const entries = ids.flatMap((id): readonly MenuEntry[] => {
      const command = commands.find((one) => one.id === id);
      if (!command) return [];
      const { keys = [], run, isOn = () => true } = command;
      return [
        {
          label: id === 'paste' && at ? texts.value.panels.pasteHere : texts.value.commands[id],
          ...(keys[0] !== undefined && { aside: keysShown(keys[0]) }),
          onSelect: id === 'paste' ? () => paste(at) : run,
          disabled: !isOn(),
          danger: id === 'delete',
        },
      ];
    });
    return i === 0 ? entries : ['line', ...entries];
  });
}
