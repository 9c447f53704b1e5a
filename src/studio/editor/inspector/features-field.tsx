// OpenType features by the names that designers use; any other by its tag.

import { useState } from 'preact/hooks';
import { texts } from '../../texts/editor.ts';
import { Toggle } from './controls.tsx';
import { NumberInput } from './number-input.tsx';

const SETS = [1, 2, 3, 4, 5, 6, 7, 8];
/** Features that are on by default. */
const ON = new Set(['liga', 'calt', 'kern']);

interface FeaturesFieldProps {
  readonly label: string;
  readonly value: unknown;
  readonly onValue: (value: Readonly<Record<string, number>> | undefined) => void;
}

export function FeaturesField({ label, value, onValue }: FeaturesFieldProps) {
  const features = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, number>>;
  const all = [
    ...Object.entries(texts.value.features),
    ...SETS.map((i) => [`ss0${i}`, texts.value.inspector.stylisticSet(i)] as const),
  ];
  const named = new Set(all.map(([tag]) => tag));
  const set = (tag: string, next: number | null) => {
    const { [tag]: _before, ...others } = features;
    onValue(next === null ? others : { ...others, [tag]: next });
  };
  return (
    <fieldset class="features" aria-label={label}>
      {all.map(([tag, name]) => {
        const isOn = (features[tag] ?? (ON.has(tag) ? 1 : 0)) > 0;
        return (
          <Toggle
            key={tag}
            label={name}
            isOn={isOn}
            onToggle={(on) => set(tag, on === ON.has(tag) ? null : on ? 1 : 0)}
          >
            <code class="faint">{tag}</code>
          </Toggle>
        );
      })}
      <TagFields
        label={texts.value.inspector.otherFeatures}
        values={Object.fromEntries(Object.entries(features).filter(([tag]) => !named.has(tag)))}
        onSet={set}
        example="cv11"
      />
    </fieldset>
  );
}

/** Tags with a number each: other features, or the axes of variable fonts. */
export function TagFields(props: {
  readonly label: string;
  readonly values: Readonly<Record<string, number>>;
  readonly onSet: (tag: string, value: number | null) => void;
  readonly example: string;
}) {
  const { label, values, onSet, example } = props;
  const [tag, setTag] = useState('');
  return (
    <div class="tags">
      {Object.entries(values).map(([name, value]) => (
        <NumberInput
          key={name}
          label={`${label}: ${name}`}
          prefix={name}
          value={value}
          onNumber={(next) => onSet(name, next)}
          onEmpty={() => onSet(name, null)}
        />
      ))}
      <input
        class="input is-dense is-mono"
        aria-label={texts.value.inspector.addTagTo(label)}
        placeholder={texts.value.inspector.addTag(example)}
        maxLength={4}
        value={tag}
        onInput={(event) => setTag(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !/^[ -~]{4}$/.test(tag)) return;
          onSet(tag, 1);
          setTag('');
        }}
      />
    </div>
  );
}
