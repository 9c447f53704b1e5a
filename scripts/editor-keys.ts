// The table of the editor's keys in docs/studio-editor.md, from the table of its commands.

import { COMMANDS } from '../src/studio/editor/core/state/commands.ts';
import { splitKeys } from '../src/studio/editor/core/state/press.ts';
import { editor as texts } from '../src/studio/texts/en/editor.ts';

/** As a keyboard with Ctrl has them; names of keys are the same in English. */
const shown = (keys: string): string =>
  splitKeys(keys)
    .map((key) => (key === 'Mod' ? 'Ctrl' : key.replace(/^Arrow/, '')))
    .join('+');

export function editorKeys(): string {
  const groups = Object.groupBy(
    COMMANDS.filter(({ keys, isLarger }) => keys.length > 0 && !isLarger),
    ({ group }) => group,
  );
  const rows = Object.entries(groups).flatMap(([group, commands = []]) =>
    commands.map(({ id, keys }, i) => {
      const name = i === 0 ? texts.groups[group as keyof typeof groups] : '';
      return `| ${name} | ${texts.commands[id]} | ${keys.map((one) => `\`${shown(one)}\``).join(', ')} |`;
    }),
  );
  return ['| | | press |', '|---|---|---|', ...rows].join('\n');
}
