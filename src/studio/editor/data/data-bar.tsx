// Says over the canvas that it shows test data, and turns it off.

import { Button } from '../../parts/button.tsx';
import type { EditorState } from '../state/editor-state.ts';

export function DataBar({ editor }: { editor: EditorState }) {
  if (Object.keys(editor.values.value).length === 0) return null;
  const name = editor.valuesName.value;
  return (
    <div class="data-bar" role="status">
      <span class="truncate">
        The canvas shows test data{name === null ? '' : `: ${name}`}. It is not part of the template.
      </span>
      <Button dense onClick={() => editor.showValues({}, null)}>
        Turn off
      </Button>
    </div>
  );
}
