// A choice as buttons in a row, and the buttons that add or remove a value.

import { Icon, type IconShapes } from '../../parts/icon.tsx';
import { plus, x } from '../../parts/icons.ts';
import { Radios } from '../../parts/radios.tsx';
import { texts } from '../../texts/editor.ts';
import { FieldButton, TextButton } from './controls.tsx';
import { labelOf } from './schema.ts';

export function Segments(props: {
  readonly label: string;
  readonly options: readonly string[];
  readonly icons: Readonly<Record<string, IconShapes>>;
  readonly names: Readonly<Record<string, string>>;
  readonly value: unknown;
  readonly onValue: (value: string) => void;
}) {
  const { label, options, icons, names, value, onValue } = props;
  const choices = options.map((option) => {
    const name = names[option] ?? labelOf(option);
    const icon = icons[option];
    const own = icon && `${label}: ${name}`;
    return { value: option, content: icon ? <Icon of={icon} size={14} /> : name, title: name, label: own };
  });
  return <Radios {...{ label, choices }} look="segments" isChosen={(one) => one === value} onChoose={onValue} />;
}

export function AddButton({ label, onAdd }: { label: string; onAdd: () => void }) {
  return (
    <TextButton onClick={onAdd}>
      <Icon of={plus} size={14} />
      {label}
    </TextButton>
  );
}

export function RemoveButton({ label, onRemove }: { label: string; onRemove: () => void }) {
  return <FieldButton icon={x} label={texts.value.inspector.remove(label)} onClick={onRemove} />;
}
