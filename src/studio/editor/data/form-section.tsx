// The layers that the form on the Use page offers: which ones, in which order, and what their values may be.

import { useSignal } from '@preact/signals';
import { traitsOf } from '#core/template/layer-traits.ts';
import { IconButton } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { arrowDown, arrowUp, chevronDown, chevronRight, x } from '../../parts/icons.ts';
import { texts } from '../../texts/editor.ts';
import { layersByName } from '../document/document.ts';
import {
  moveParameter,
  offerAll,
  offerLayer,
  offerLayers,
  parametersIn,
  type RawParameter,
  removeParameters,
} from '../document/parameter-edits.ts';
import type { EditorState } from '../state/editor-state.ts';
import { ParameterFields } from './parameter-fields.tsx';

export function FormSection({ editor }: { editor: EditorState }) {
  const document = editor.document.value;
  const parameters = parametersIn(document);
  const opened = useSignal<string | null>(null);
  const types = new Map([...layersByName(document)].map(([name, { layer }]) => [name, layer.type]));
  if (!parameters) {
    const usual = [...types].filter(([, type]) => type !== 'shape' && traitsOf(type)?.primary);
    return (
      <section class="panel-section">
        <h3 class="panel-section-title">{texts.value.data.form}</h3>
        <div class="panel-section-body">
          <p class="faint">{texts.value.data.offersAll}</p>
          <button
            type="button"
            class="add-button"
            onClick={() => editor.edit(offerLayers(usual.map(([name]) => name)))}
          >
            {texts.value.data.chooseParameters}
          </button>
        </div>
      </section>
    );
  }
  const others = [...types.keys()].filter((name) => !parameters.some(({ layer }) => layer === name));
  return (
    <section class="panel-section">
      <h3 class="panel-section-title">{texts.value.data.form}</h3>
      <div class="panel-section-body">
        {parameters.map((parameter, index) => (
          <FormRow
            key={parameter.layer}
            editor={editor}
            parameter={parameter}
            type={types.get(parameter.layer) ?? ''}
            isFirst={index === 0}
            isLast={index === parameters.length - 1}
            opened={opened}
          />
        ))}
        {parameters.length === 0 && <p class="faint">{texts.value.data.offersNothing}</p>}
        {others.length > 0 && (
          <select
            class="input is-dense"
            aria-label={texts.value.data.offer}
            value=""
            onChange={(event) => {
              const layer = event.currentTarget.value;
              event.currentTarget.value = '';
              editor.edit(offerLayer(layer));
              opened.value = layer;
            }}
          >
            <option value="">{texts.value.data.offerMore}</option>
            {others.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
        <button type="button" class="link-button" onClick={() => editor.edit(offerAll)}>
          {texts.value.data.offerAll}
        </button>
      </div>
    </section>
  );
}

interface FormRowProps {
  readonly editor: EditorState;
  readonly parameter: RawParameter;
  readonly type: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly opened: { value: string | null };
}

function FormRow({ editor, parameter, type, isFirst, isLast, opened }: FormRowProps) {
  const { layer, label = layer, required, hidden } = parameter;
  const isOpen = opened.value === layer;
  const move = (step: 1 | -1) => editor.edit(moveParameter(layer, step));
  return (
    <div class="form-parameter">
      <div class="form-parameter-head">
        <button
          type="button"
          class="form-parameter-name truncate"
          aria-expanded={isOpen}
          onClick={() => {
            opened.value = isOpen ? null : layer;
            editor.select([layer]);
          }}
        >
          <Icon of={isOpen ? chevronDown : chevronRight} size={14} />
          <span class="truncate">{label}</span>
          <span class="faint">{hidden ? texts.value.data.isHidden : required ? texts.value.data.isRequired : ''}</span>
        </button>
        <IconButton
          icon={arrowUp}
          dense
          label={texts.value.data.up(label)}
          disabled={isFirst}
          onClick={() => move(-1)}
        />
        <IconButton
          icon={arrowDown}
          dense
          label={texts.value.data.down(label)}
          disabled={isLast}
          onClick={() => move(1)}
        />
        <IconButton
          icon={x}
          dense
          label={texts.value.data.doNotOffer(label)}
          onClick={() => editor.edit(removeParameters(new Set([layer])))}
        />
      </div>
      {isOpen && <ParameterFields editor={editor} type={type} parameter={parameter} />}
    </div>
  );
}
