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
import { insertInMiddle } from '../canvas/insert-new.ts';
import { barcode, chartColumn, lineIcon } from '../icons.ts';
import type { EditorState, Tool } from '../state/editor-state.ts';

const TOOLS: readonly (readonly [Tool, string, string, Parameters<typeof Icon>[0]['of']])[] = [
  ['select', 'Move', 'V', mousePointer2],
  ['hand', 'Hand', 'H', hand],
  ['text', 'Text', 'T', typeIcon],
  ['frame', 'Frame', 'F', frame],
  ['rect', 'Rectangle', 'R', square],
  ['ellipse', 'Ellipse', 'O', circle],
  ['line', 'Line', 'L', lineIcon],
  ['image', 'Picture', 'I', image],
  ['table', 'Table', 'G', table2],
  ['chart', 'Chart', 'C', chartColumn],
  ['qr', 'QR code', 'Q', qrCode],
  ['barcode', 'Barcode', 'B', barcode],
];

export function Toolbar({ editor }: { editor: EditorState }) {
  return (
    <div class="toolbar" role="toolbar" aria-label="Tools" aria-orientation="horizontal">
      {TOOLS.map(([tool, label, key, icon]) => (
        <button
          key={tool}
          type="button"
          class="icon-button"
          aria-pressed={editor.tool.value === tool}
          aria-label={label}
          title={`${label} (${key})`}
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
