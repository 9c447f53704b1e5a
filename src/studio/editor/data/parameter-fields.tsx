// What the author says of one parameter: label, help, kind, whether it is required or hidden, and limits.

import { type ParameterKind, traitsOf } from '#core/template/layer-traits.ts';
import { texts } from '../../texts/editor.ts';
import { type RawParameter, setParameter } from '../document/parameter-edits.ts';
import type { EditorState } from '../state/editor-state.ts';

interface ParameterFieldsProps {
  readonly editor: EditorState;
  /** The layer's type. */
  readonly type: string;
  readonly parameter: RawParameter;
}

export function ParameterFields({ editor, type, parameter }: ParameterFieldsProps) {
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
        placeholder={texts.value.data.any}
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
      {words('label', texts.value.data.label, layer, 100)}
      {words('help', texts.value.data.help, texts.value.data.helpHint, 500)}
      <label class="labelled">
        <span class="labelled-name">{texts.value.data.kind}</span>
        <select
          class="input is-dense"
          value={kind}
          onChange={(event) => {
            // Limits of one kind mean nothing for another.
            const limits = { maxLength: undefined, min: undefined, max: undefined, choices: undefined };
            set({ ...limits, kind: event.currentTarget.value as ParameterKind });
          }}
        >
          {kinds.map((one) => (
            <option key={one} value={one} selected={one === kind}>
              {texts.value.parameterKinds[one]}
            </option>
          ))}
        </select>
      </label>
      {isText && figure('maxLength', texts.value.data.longest)}
      {kind === 'number' && figure('min', texts.value.data.smallest)}
      {kind === 'number' && figure('max', texts.value.data.largest)}
      {kind !== 'boolean' && (
        <label class="labelled">
          <span class="labelled-name">{texts.value.data.choices}</span>
          <textarea
            class="input is-dense"
            rows={2}
            placeholder={texts.value.data.choicesHint}
            value={choices?.join('\n') ?? ''}
            onChange={(event) => set({ choices: choicesIn(event.currentTarget.value) })}
          />
        </label>
      )}
      {toggle('required', texts.value.data.required, required === true, { hidden: undefined })}
      {toggle('hidden', texts.value.data.hidden, hidden === true, { required: undefined })}
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
