// The tools, each chosen by a click or its key.

import { Icon } from '../../parts/icon.tsx';
import { texts } from '../../texts/editor.ts';
import { keysShown } from '../browser.ts';
import type { Command } from '../core/state/commands.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { insertInMiddle } from '../core/state/insert-new.ts';
import { commandIcons } from './command-icons.ts';

export function Toolbar({ editor, commands }: { editor: EditorState; commands: readonly Command[] }) {
  return (
    <div class="toolbar" role="toolbar" aria-label={texts.value.groups.tools} aria-orientation="horizontal">
      {commands.map(({ id, tool, keys: [key = ''], icon, run }) => {
        if (tool === undefined) return null;
        const label = texts.value.commands[id];
        return (
          <button
            key={id}
            type="button"
            class="icon-button"
            aria-pressed={editor.tool.value === tool}
            aria-label={label}
            title={`${label} (${keysShown(key)})`}
            onClick={(event) => {
              // Activated by a key: there is no pointer to draw with.
              const isByKey = event.detail === 0;
              if (isByKey && tool !== 'select' && tool !== 'hand') insertInMiddle(editor, tool);
              else run();
            }}
          >
            {icon && <Icon of={commandIcons[icon]} size={16} />}
          </button>
        );
      })}
    </div>
  );
}
