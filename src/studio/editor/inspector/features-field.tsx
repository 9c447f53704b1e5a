// OpenType features by the names that designers use; any other by its tag.

import { useState } from 'preact/hooks';
import { NumberInput } from './number-input.tsx';

const FEATURES: readonly (readonly [tag: string, name: string])[] = [
  ['tnum', 'Tabular figures'],
  ['pnum', 'Proportional figures'],
  ['lnum', 'Lining figures'],
  ['onum', 'Old-style figures'],
  ['frac', 'Fractions'],
  ['zero', 'Slashed zero'],
  ['ordn', 'Ordinals'],
  ['sups', 'Superior letters'],
  ['subs', 'Inferior letters'],
  ['smcp', 'Small capitals'],
  ['c2sc', 'Capitals to small capitals'],
  ['case', 'Forms for capitals'],
  ['liga', 'Ligatures'],
  ['dlig', 'Discretionary ligatures'],
  ['calt', 'Contextual alternates'],
  ['swsh', 'Swashes'],
  ['salt', 'Stylistic alternates'],
  ['kern', 'Kerning'],
  ...Array.from({ length: 8 }, (_, i) => [`ss0${i + 1}`, `Stylistic set ${i + 1}`] as const),
];
/** Features that are on by default. */
const ON = new Set(['liga', 'calt', 'kern']);

interface FeaturesFieldProps {
  readonly label: string;
  readonly value: unknown;
  readonly onValue: (value: Readonly<Record<string, number>> | undefined) => void;
}

export function FeaturesField({ label, value, onValue }: FeaturesFieldProps) {
  const features = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, number>>;
  const named = new Set(FEATURES.map(([tag]) => tag));
  const set = (tag: string, next: number | null) => {
    const { [tag]: _before, ...others } = features;
    onValue(next === null ? others : { ...others, [tag]: next });
  };
  return (
    <fieldset class="features" aria-label={label}>
      {FEATURES.map(([tag, name]) => {
        const isOn = (features[tag] ?? (ON.has(tag) ? 1 : 0)) > 0;
        return (
          <label key={tag} class="toggle">
            <input
              type="checkbox"
              checked={isOn}
              onChange={(event) => {
                const on = event.currentTarget.checked;
                set(tag, on === ON.has(tag) ? null : on ? 1 : 0);
              }}
            />
            <span>{name}</span>
            <code class="faint">{tag}</code>
          </label>
        );
      })}
      <TagFields
        label="Other features"
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
        aria-label={`${label}: add a tag`}
        placeholder={`Add a tag, such as ${example}`}
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
