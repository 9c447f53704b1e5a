// Fields of a form: text, choice, search, check box and switch, each with its label.

import {
  type ComponentChildren,
  h,
  type PartialInputHTMLAttributes,
  type PartialSelectHTMLAttributes,
  type TargetedInputEvent,
  type TextareaHTMLAttributes,
} from 'preact';
import { useId } from 'preact/hooks';
import { texts } from '../texts/shell.ts';
import './field.css';
import { Icon } from './icon.tsx';
import { search as searchIcon } from './icons.ts';

interface FieldProps {
  readonly label: string;
  /** Shows the label to screen readers only. */
  readonly hideLabel?: boolean | undefined;
  readonly hint?: ComponentChildren;
  /** What is wrong with the value, and how to correct it. */
  readonly error?: string | null | undefined;
  readonly dense?: boolean | undefined;
}

interface FrameProps extends FieldProps {
  readonly children: (attributes: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean;
  }) => ComponentChildren;
}

/** Label, hint and error around any control. */
export function Field({ label, hideLabel, hint, error, children }: FrameProps) {
  const id = useId();
  const note = error || hint ? `${id}-note` : undefined;
  return (
    <div class="field">
      <label class={hideLabel ? 'visually-hidden' : 'field-label'} for={id}>
        {label}
      </label>
      {children({ id, 'aria-describedby': note, 'aria-invalid': Boolean(error) })}
      {error ? (
        <p class="field-error" id={note} role="alert">
          {error}
        </p>
      ) : (
        hint && (
          <p class="field-hint" id={note}>
            {hint}
          </p>
        )
      )}
    </div>
  );
}

/** What is wrong with what stands above it. */
export function Problem({ of: problem }: { readonly of: string | false | null | undefined }) {
  return problem ? (
    <span class="field-error" role="alert">
      {problem}
    </span>
  ) : null;
}

type Plain<T> = Omit<T, 'label' | 'ref'>;

interface TypedProps extends FieldProps {
  readonly onText?: (text: string) => void;
  readonly mono?: boolean;
}

export interface TextFieldProps
  extends TypedProps,
    Omit<PartialInputHTMLAttributes<HTMLInputElement>, 'label' | 'ref' | 'type'> {
  readonly type?: string;
}

/** A field for words, of one line or of several. */
const wordsField =
  <Props extends TypedProps>(tag: 'input' | 'textarea') =>
  ({ label, hideLabel, hint, error, dense, mono, onText, ...rest }: Props) => (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error}>
      {(attributes) =>
        h(tag, {
          ...rest,
          ...attributes,
          class: `input${dense ? ' is-dense' : ''}${mono ? ' is-mono' : ''}`,
          ...(onText && { onInput: ({ currentTarget }: Typed) => onText(currentTarget.value) }),
        } as object)
      }
    </Field>
  );

type Typed = TargetedInputEvent<HTMLInputElement | HTMLTextAreaElement>;

export const TextField = wordsField<TextFieldProps>('input');
export const TextArea = wordsField<TypedProps & Plain<TextareaHTMLAttributes<HTMLTextAreaElement>>>('textarea');

export interface SelectFieldProps extends FieldProps, Plain<PartialSelectHTMLAttributes<HTMLSelectElement>> {
  readonly options: readonly { readonly value: string; readonly label: string; readonly disabled?: boolean }[];
  readonly onChoose?: (value: string) => void;
}

export function SelectField(props: SelectFieldProps) {
  const { label, hideLabel, hint, error, dense, options, onChoose, value, ...rest } = props;
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error}>
      {(attributes) => (
        <select
          {...(rest as object)}
          {...attributes}
          value={value}
          class={`input${dense ? ' is-dense' : ''}`}
          {...(onChoose && { onChange: (event) => onChoose(event.currentTarget.value) })}
        >
          {options.map((option) => (
            <option
              key={option.value}
              value={option.value}
              disabled={option.disabled}
              selected={option.value === value}
            >
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface FolderFieldProps {
  readonly folders: readonly { readonly name: string; readonly count?: number }[];
  /** '' = all are shown. One that is not among `folders` is shown, too. */
  readonly folder: string;
  readonly onChoose: (folder: string) => void;
  readonly dense?: boolean;
}

/** Chooses the folder of which things are shown. */
export function FolderField({ folders, folder, ...rest }: FolderFieldProps) {
  const { folder: label, allFolders } = texts.value.parts;
  const isGone = folder !== '' && !folders.some(({ name }) => name === folder);
  return (
    <SelectField
      label={label}
      hideLabel
      value={folder}
      {...rest}
      options={[
        { value: '', label: allFolders },
        ...[...folders, ...(isGone ? [{ name: folder }] : [])].map(
          ({ name, count }: FolderFieldProps['folders'][number]) => ({
            value: name,
            label: count === undefined ? name : `${name} (${count})`,
          }),
        ),
      ]}
    />
  );
}

export function SearchField(props: TextFieldProps) {
  const { label, onText, dense, error: _error, hint: _hint, hideLabel: _hide, mono: _mono, ...rest } = props;
  return (
    <span class="search">
      <Icon of={searchIcon} size={14} />
      <input
        {...(rest as object)}
        type="search"
        aria-label={label}
        placeholder={rest.placeholder ?? label}
        class={`input${dense ? ' is-dense' : ''}`}
        {...(onText && { onInput: (event) => onText(event.currentTarget.value) })}
      />
    </span>
  );
}

interface CheckProps {
  readonly label: ComponentChildren;
  readonly checked: boolean;
  readonly onToggle: (checked: boolean) => void;
  readonly disabled?: boolean;
  /** A switch that takes effect at once, rather than a check box of a form. */
  readonly asSwitch?: boolean;
}

export function Check({ label, checked, onToggle, disabled, asSwitch }: CheckProps) {
  return (
    <label class={asSwitch ? 'check switch' : 'check'}>
      <input
        type="checkbox"
        {...(asSwitch && { role: 'switch' })}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onToggle(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
