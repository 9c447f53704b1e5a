// The entries of the menu on the canvas and in the layer tree: commands with their keys.

import type { Point } from '#core/geometry.ts';
import type { MenuEntry } from '../../parts/menu.tsx';
import { texts } from '../../texts/editor.ts';
import { keysShown } from '../browser.ts';
import type { Command } from '../core/state/commands.ts';
import type { EditorState } from '../core/state/editor-state.ts';

const OF_LAYERS = [
  ['cut', 'copy', 'paste', 'duplicate'],
  ['copy-style', 'paste-style'],
  ['front', 'forward', 'backward', 'back'],
  ['group', 'ungroup', 'component', 'go-to-component', 'detach', 'split-svg', 'parent'],
  ['page-break', 'every-page'],
  ['rename', 'hide', 'lock', 'fit-selection'],
  ['delete'],
] as const;
/** Left out where they can do nothing, so that the menu is short. */
const RARE: ReadonlySet<Command['id']> = new Set([
  ...([
    'paste-style',
    'ungroup',
    'go-to-component',
    'detach',
    'split-svg',
    'parent',
    'page-break',
    'every-page',
  ] as const),
  ...(['page-duplicate', 'page-earlier', 'page-later', 'page-delete'] as const),
]);
const OF_CANVAS = [
  ['paste', 'select-all'],
  ['undo', 'redo'],
  ['page-add', 'page-duplicate', 'page-earlier', 'page-later', 'page-delete'],
  ['fit', 'actual'],
  ['panels', 'rulers', 'grid', 'snap'],
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
  const can = new Set(commands.filter(({ isOn }) => isOn()).map(({ id }) => id));
  const groups = (editor.selection.peek().length > 0 ? OF_LAYERS : OF_CANVAS)
    .map((ids) => ids.filter((id) => can.has(id) || !RARE.has(id)))
    .filter(({ length }) => length > 0);
  return groups.flatMap((ids, i): readonly MenuEntry[] => {
    const entries = ids.flatMap((id) =>
      commandEntries(commands, [id]).map((entry) => ({
        ...entry,
        ...(id === 'paste' && { onSelect: () => paste(at), ...(at && { label: texts.value.panels.pasteHere }) }),
        danger: id === 'delete',
      })),
    );
    return i === 0 ? entries : ['line', ...entries];
  });
}

/** The commands of these names that there are, as entries of a menu. */
export const commandEntries = (commands: readonly Command[], ids: readonly Command['id'][]) =>
  ids.flatMap((id) => {
    const command = commands.find((one) => one.id === id);
    if (!command) return [];
    const [key] = command.keys;
    const label = texts.value.commands[id];
    return [{ label, ...(key && { aside: keysShown(key) }), onSelect: command.run, disabled: !command.isOn() }];
  });
