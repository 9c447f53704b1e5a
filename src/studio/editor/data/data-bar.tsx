// Says over the canvas that it shows test data, and turns it off.

import { Button } from '../../parts/button.tsx';
import { texts } from '../../texts/editor.ts';
import type { EditorState } from '../core/state/editor-state.ts';

export function DataBar({ editor }: { editor: EditorState }) {
  if (Object.keys(editor.values.value).length === 0) return null;
  const { value: name } = editor.valuesName;
  const shown = name !== null && editor.valuesChanged.value ? texts.value.data.changed(name) : name;
  return (
    <div class="data-bar" role="status">
      <span class="truncate">{texts.value.data.showsTestData(shown)}</span>
      <Button dense onClick={() => editor.showValues({}, null)}>
        {texts.value.data.turnOff}
      </Button>
    </div>
  );
}
