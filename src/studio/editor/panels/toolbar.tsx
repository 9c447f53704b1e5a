// The tools, each chosen by a click or its key.

import { Icon } from '../../parts/icon.tsx';
import {
  circle,
  frame,
  hand,
  image,
  mousePointer2,
  qrCode,
  square,
  table2,
  type as typeIcon,
} from '../../parts/icons.ts';
import { texts } from '../../texts/editor.ts';
import { insertInMiddle } from '../canvas/insert-new.ts';
import { barcode, chartColumn, lineIcon } from '../icons.ts';
import type { EditorState, Tool } from '../state/editor-state.ts';

const TOOLS: readonly (readonly [Tool, string, Parameters<typeof Icon>[0]['of']])[] = [
  ['select', 'V', mousePointer2],
  ['hand', 'H', hand],
  ['text', 'T', typeIcon],
  ['frame', 'F', frame],
  ['rect', 'R', square],
  ['ellipse', 'O', circle],
  ['line', 'L', lineIcon],
  ['image', 'I', image],
  ['table', 'G', table2],
  ['chart', 'C', chartColumn],
  ['qr', 'Q', qrCode],
  ['barcode', 'B', barcode],
];

export function Toolbar({ editor }: { editor: EditorState }) {
  return (
    <div class="toolbar" role="toolbar" aria-label={texts.value.panels.tools} aria-orientation="horizontal">
      {TOOLS.map(([tool, key, icon]) => (
        <button
          key={tool}
          type="button"
          class="icon-button"
          aria-pressed={editor.tool.value === tool}
          aria-label={texts.value.commands[`tool-${tool}`]}
          title={`${texts.value.commands[`tool-${tool}`]} (${key})`}
          onClick={(event) => {
            // Activated by a key: there is no pointer to draw with.
            const isByKey = event.detail === 0;
            if (isByKey && tool !== 'select' && tool !== 'hand') insertInMiddle(editor, tool);
            else editor.tool.value = tool;
          }}
        >
          <Icon of={icon} size={16} />
        </button>
      ))}
    </div>
  );
}
