// Chooses a family: a button with its name, and the list of families, which is loaded when it is opened.

import { Icon } from '../../parts/icon.tsx';
import { chevronDown } from '../../parts/icons.ts';
import { onDemand } from '../../parts/on-demand.tsx';
import type { EditorState } from '../core/state/editor-state.ts';
import './font-field.css';
import { texts } from '../../texts/editor.ts';
import { isReference, unknownName } from '../core/state/brand-names.ts';
import { useBrand } from './inspector-context.ts';
import { Popover } from './popover.tsx';

const FontList = onDemand(async () => (await import('./font-list.tsx')).FontList);

interface FontFieldProps {
  readonly editor: EditorState;
  /** One family or a list in order of preference; undefined = several layers differ. */
  readonly value: unknown;
  readonly onValue: (family: string) => void;
}

export function FontField({ editor, value, onValue }: FontFieldProps) {
  const families = Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
  const [first = ''] = families;
  const brand = useBrand();
  const problem = unknownName(first, brand, 'fonts');
  return (
    <Popover
      label={texts.value.inspector.fontFamily}
      button={(attributes) => (
        <button
          {...attributes}
          type="button"
          class="input is-dense font-button"
          aria-invalid={problem !== null}
          title={problem ?? undefined}
          aria-label={texts.value.inspector.fontFamilyIs(first || texts.value.common.mixed)}
        >
          <span class="truncate">{families.length === 0 ? texts.value.common.mixed : families.join(', ')}</span>
          <Icon of={chevronDown} size={14} />
        </button>
      )}
    >
      {(close) => (
        <FontList
          editor={editor}
          current={first}
          takesFocus
          onChoose={(family) => {
            if (!isReference(family)) editor.preferences.rememberFont(family);
            onValue(family);
            close();
          }}
        />
      )}
    </Popover>
  );
}
