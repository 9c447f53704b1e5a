// Chooses a text style of the brand for the selected texts.

import { Problem } from '../../parts/field.tsx';
import { texts } from '../../texts/editor.ts';
import type { RawLayer } from '../document/document.ts';
import { type Patch, setLayers } from '../document/edits.ts';
import type { EditorState } from '../state/editor-state.ts';
import { resolved, unknownName, useBrand } from './brand-names.ts';
import { Select } from './controls.tsx';

export function TextStyleField({ editor, layers }: { editor: EditorState; layers: readonly RawLayer[] }) {
  const brand = useBrand();
  const names = Object.keys(brand?.textStyles ?? {});
  const [first] = layers;
  const value = first?.textStyle;
  const isMixed = layers.some(({ textStyle }) => textStyle !== value);
  if (names.length === 0 && value === undefined && !isMixed) return null;
  const shown = isMixed ? 'mixed' : typeof value === 'string' ? value : '';
  const problem = isMixed ? null : unknownName(value, brand, 'textStyles');
  const propertiesOf = (reference: unknown) => (resolved(reference, brand?.textStyles) ?? {}) as Patch;
  const choose = (next: string) => {
    const patches = layers.map(({ name, textStyle, ...layer }): [string, Patch] => {
      // Without a style the text looks as before; with one, its own properties would hide it.
      if (next === '') return [name, { ...propertiesOf(textStyle), ...layer, textStyle: undefined }];
      const hidden = Object.keys(propertiesOf(next)).map((property) => [property, undefined]);
      return [name, { ...Object.fromEntries(hidden), textStyle: next }];
    });
    editor.edit(setLayers(new Map(patches)));
  };
  return (
    <section class="panel-section">
      <div class="panel-section-body">
        <div class="labelled" data-property="textStyle">
          <span class="labelled-name">{texts.value.inspector.textStyle}</span>
          <span class="json-field">
            <Select
              label={texts.value.inspector.textStyle}
              value={shown}
              aria-invalid={problem !== null}
              options={[
                isMixed && ['mixed', texts.value.common.mixed],
                ['', texts.value.common.none],
                problem !== null && [shown, shown],
                ...names.map((name) => [`$${name}`, name] as const),
              ]}
              onChoose={choose}
            />
            <Problem of={problem} />
          </span>
        </div>
      </div>
    </section>
  );
}
