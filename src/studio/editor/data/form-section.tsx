// The layers that the form on the Use page offers: which ones, in which order, and what their values may be.

import { useSignal } from '@preact/signals';
import { type ParameterKind, traitsOf } from '#core/template/layer-traits.ts';
import { IconButton } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { arrowDown, arrowUp, chevronDown, chevronRight, x } from '../../parts/icons.ts';
import { dataTexts } from '../../texts/data.ts';
import { texts } from '../../texts/editor.ts';
import { layersByName } from '../core/document/document.ts';
import {
  moveParameter,
  offerAll,
  offerLayer,
  offerLayers,
  parametersIn,
  type RawParameter,
  removeParameters,
  setParameter,
} from '../core/document/parameter-edits.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { Select } from '../inspector/controls.tsx';
import { PanelSection } from '../inspector/panel-section.tsx';

export function FormSection({ editor }: { editor: EditorState }) {
  const document = editor.document.value;
  const parameters = parametersIn(document);
  const opened = useSignal<string | null>(null);
  const types = new Map([...layersByName(document)].map(([name, { layer }]) => [name, layer.type]));
  if (!parameters) {
    const usual = [...types].filter(([, type]) => type !== 'shape' && traitsOf(type)?.primary);
    return (
      <PanelSection title={dataTexts.value.form}>
        <p class="faint">{dataTexts.value.offersAll}</p>
        <button type="button" class="add-button" onClick={() => editor.edit(offerLayers(usual.map(([name]) => name)))}>
          {dataTexts.value.chooseParameters}
        </button>
      </PanelSection>
    );
  }
  const others = [...types.keys()].filter((name) => !parameters.some(({ layer }) => layer === name));
  return (
    <PanelSection title={dataTexts.value.form}>
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
      {parameters.length === 0 && <p class="faint">{dataTexts.value.offersNothing}</p>}
      {others.length > 0 && (
        <select
          class="input is-dense"
          aria-label={dataTexts.value.offer}
          value=""
          onChange={(event) => {
            const layer = event.currentTarget.value;
            event.currentTarget.value = '';
            editor.edit(offerLayer(layer));
            opened.value = layer;
          }}
        >
          <option value="">{dataTexts.value.offerMore}</option>
          {others.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
      <button type="button" class="link-button" onClick={() => editor.edit(offerAll)}>
        {dataTexts.value.offerAll}
      </button>
    </PanelSection>
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
          <span class="faint">{hidden ? dataTexts.value.isHidden : required ? dataTexts.value.isRequired : ''}</span>
        </button>
        <IconButton
          icon={arrowUp}
          dense
          label={dataTexts.value.up(label)}
          disabled={isFirst}
          onClick={() => move(-1)}
        />
        <IconButton
          icon={arrowDown}
          dense
          label={dataTexts.value.down(label)}
          disabled={isLast}
          onClick={() => move(1)}
        />
        <IconButton
          icon={x}
          dense
          label={dataTexts.value.doNotOffer(label)}
          onClick={() => editor.edit(removeParameters(new Set([layer])))}
        />
      </div>
      {isOpen && <ParameterFields editor={editor} type={type} parameter={parameter} />}
    </div>
  );
}

// What the author says of one parameter: label, help, kind, whether it is required or hidden, and limits.

interface ParameterFieldsProps {
  readonly editor: EditorState;
  /** The layer's type. */
  readonly type: string;
  readonly parameter: RawParameter;
}

function ParameterFields({ editor, type, parameter }: ParameterFieldsProps) {
  const { layer, required, hidden, choices } = parameter;
  const kinds = traitsOf(type)?.parameters ?? [];
  const kind = parameter.kind ?? kinds[0] ?? 'text';
  const isText = kind === 'text' || kind === 'paragraph' || kind === 'url';
  const set = (patch: Partial<RawParameter>) =>
    editor.edit(setParameter(layer, patch), { kind: `parameter ${layer} ${Object.keys(patch).join()}` });
  const words = (name: 'label' | 'help', title: string, placeholder: string, maxLength: number) => (
    <label class="labelled">
      <span class="labelled-name">{title}</span>
      <input
        class="input is-dense"
        maxLength={maxLength}
        placeholder={placeholder}
        value={parameter[name] ?? ''}
        onInput={(event) =>
          set({ [name]: event.currentTarget.value.trim() === '' ? undefined : event.currentTarget.value })
        }
      />
    </label>
  );
  const figure = (name: 'maxLength' | 'min' | 'max', title: string) => (
    <label class="labelled">
      <span class="labelled-name">{title}</span>
      <input
        class="input is-dense"
        inputMode="decimal"
        placeholder={dataTexts.value.any}
        value={parameter[name] ?? ''}
        onChange={(event) => {
          const value = event.currentTarget.value.trim() === '' ? undefined : Number(event.currentTarget.value);
          if (value === undefined || isFit(name, value)) set({ [name]: value });
          else event.currentTarget.value = String(parameter[name] ?? '');
        }}
      />
    </label>
  );
  const toggle = (name: 'required' | 'hidden', title: string, isOn: boolean, other: object) => (
    <label class="toggle">
      <input
        type="checkbox"
        checked={isOn}
        // No form could give a value that is required and hidden.
        onChange={(event) => set(event.currentTarget.checked ? { ...other, [name]: true } : { [name]: undefined })}
      />
      <span>{title}</span>
    </label>
  );
  return (
    <div class="parameter-fields">
      {words('label', dataTexts.value.label, layer, 100)}
      {words('help', dataTexts.value.help, dataTexts.value.helpHint, 500)}
      <label class="labelled">
        <span class="labelled-name">{dataTexts.value.kind}</span>
        <Select
          label={dataTexts.value.kind}
          value={kind}
          options={kinds.map((one) => [one, texts.value.parameterKinds[one]])}
          onChoose={(next) => {
            // Limits of one kind mean nothing for another.
            const limits = { maxLength: undefined, min: undefined, max: undefined, choices: undefined };
            set({ ...limits, kind: next as ParameterKind });
          }}
        />
      </label>
      {isText && figure('maxLength', dataTexts.value.longest)}
      {kind === 'number' && figure('min', dataTexts.value.smallest)}
      {kind === 'number' && figure('max', dataTexts.value.largest)}
      {kind !== 'boolean' && (
        <label class="labelled">
          <span class="labelled-name">{dataTexts.value.choices}</span>
          <textarea
            class="input is-dense"
            rows={2}
            placeholder={dataTexts.value.choicesHint}
            value={choices?.join('\n') ?? ''}
            onChange={(event) => set({ choices: choicesIn(event.currentTarget.value) })}
          />
        </label>
      )}
      {toggle('required', dataTexts.value.required, required === true, { hidden: undefined })}
      {toggle('hidden', dataTexts.value.hidden, hidden === true, { required: undefined })}
    </div>
  );
}

const isFit = (name: 'maxLength' | 'min' | 'max', value: number) =>
  name === 'maxLength' ? Number.isInteger(value) && value >= 1 && value <= 10_000 : Number.isFinite(value);

/** One a line; none: any value is allowed. */
function choicesIn(text: string): readonly string[] | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const choices = [...new Set(lines.filter((line) => line !== ''))].slice(0, 100);
  return choices.length === 0 ? undefined : choices;
}
