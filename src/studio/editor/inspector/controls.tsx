// Small controls in the size of the editor's fields: a select, a toggle and buttons.
// Pages of the studio without the editor show them too, so nothing here reads schemas.

import type { ComponentChildren, ComponentProps } from 'preact';
import { Icon, type IconShapes } from '../../parts/icon.tsx';

interface SelectProps extends Pick<ComponentProps<'select'>, 'title' | 'aria-invalid'> {
  readonly label: string;
  readonly value: string;
  /** Value and name of each choice; what is false is not offered. */
  readonly options: readonly (readonly [value: string, name: ComponentChildren] | false)[];
  readonly onChoose: (value: string) => void;
  /** Further classes. */
  readonly look?: string;
  readonly property?: string;
  /** Shows its label beside it. */
  readonly labelled?: boolean;
}

export function Select({ label, value, options, onChoose, look = '', property, labelled, ...rest }: SelectProps) {
  const select = (
    <select
      class={`input is-dense ${look}`}
      aria-label={label}
      title={label}
      data-property={labelled ? undefined : property}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value)}
      {...rest}
    >
      {options.map(
        (option) =>
          option && (
            <option key={option[0]} value={option[0]}>
              {option[1]}
            </option>
          ),
      )}
    </select>
  );
  return labelled ? <Labelled {...{ label, property }}>{select}</Labelled> : select;
}

interface ToggleProps {
  readonly label: string;
  readonly isOn: boolean;
  /** Layers of the selection differ. */
  readonly isMixed?: boolean;
  readonly onToggle: (isOn: boolean) => void;
  readonly children?: ComponentChildren;
}

export function Toggle({ label, isOn, isMixed = false, onToggle, children }: ToggleProps) {
  return (
    <label class="toggle">
      <input
        type="checkbox"
        checked={isOn}
        ref={(element) => {
          if (element) element.indeterminate = isMixed;
        }}
        onChange={(event) => onToggle(event.currentTarget.checked)}
      />
      <span>{label}</span>
      {children}
    </label>
  );
}

interface FieldButtonProps extends Pick<ComponentProps<'button'>, 'title' | 'disabled' | 'aria-pressed' | 'onClick'> {
  readonly icon: IconShapes;
  /** Its accessible name, and its tooltip where there is no other. */
  readonly label: string;
}

/** A small button beside a field, which shows only an icon. */
export function FieldButton({ icon, label, title = label, ...rest }: FieldButtonProps) {
  return (
    <button type="button" class="icon-button" aria-label={label} title={title} {...rest}>
      <Icon of={icon} size={14} />
    </button>
  );
}

/** A button of a panel, with words. */
export function TextButton(props: Pick<ComponentProps<'button'>, 'aria-label' | 'children' | 'onClick'>) {
  return <button type="button" class="add-button" {...props} />;
}

interface LabelledProps {
  readonly label: string;
  /** The property that the control sets. */
  readonly property?: string | undefined;
  readonly title?: string | undefined;
  readonly isLong?: boolean;
  readonly children: ComponentChildren;
}

/** A label beside a control that does not show one itself. */
export function Labelled({ label, property, title, isLong, children }: LabelledProps) {
  return (
    <div class="labelled" data-property={property}>
      <span class={isLong ? 'labelled-name truncate' : 'labelled-name'} title={title}>
        {label}
      </span>
      {children}
    </div>
  );
}
