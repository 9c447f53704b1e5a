// Controls for properties that their schema alone does not describe well enough: a focal point, decoration, weight,
// OpenType features and constraints.

import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { z } from 'zod';
import { LIST_STYLES } from '#core/role.ts';
import type { Constraints } from '#core/template/constraints.ts';
import { counterText, isSymbol } from '#core/text/counters.ts';
import { Icon } from '../../parts/icon.tsx';
import { minus } from '../../parts/icons.ts';
import { texts } from '../../texts/editor.ts';
import type { ShellTexts } from '../../texts/en/shell.ts';
import { texts as shell } from '../../texts/shell.ts';
import { flows } from '../core/geometry/geometry-of.ts';
import { flip } from '../core/state/actions.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { flipX, flipY, listIcon, listOrdered, strikethrough, underline } from '../icons.ts';
import { Select, Toggle } from './controls.tsx';
import { NumberInput } from './number-input.tsx';
import { Segments } from './segments.tsx';

export interface SpecialProps {
  readonly label: string;
  readonly schema: z.ZodType;
  readonly value: unknown;
  readonly isMixed: boolean;
  readonly onValue: (value: unknown) => void;
}

const FOCI = ['point', 'attention', 'entropy'] as const;

export function FocusField({ label, value, isMixed, onValue }: SpecialProps) {
  const kind = typeof value === 'string' ? value : 'point';
  const point = (typeof value === 'object' && value !== null ? value : { x: 0.5, y: 0.5 }) as {
    readonly x: number;
    readonly y: number;
  };
  return (
    <div class="field-grid" data-property="focus">
      <Select
        label={label}
        look="is-wide"
        value={isMixed ? '' : kind}
        options={FOCI.map((one) => [one, texts.value.foci[one]])}
        onChoose={(next) => onValue(next === 'point' ? { x: 0.5, y: 0.5 } : next)}
      />
      {kind === 'point' &&
        (['x', 'y'] as const).map((axis) => (
          <NumberInput
            key={axis}
            label={texts.value.inspector.focalAxis(axis)}
            prefix={axis.toUpperCase()}
            unit="%"
            min={0}
            max={100}
            value={isMixed ? null : point[axis] * 100}
            onNumber={(next) => onValue({ ...point, [axis]: next / 100 })}
          />
        ))}
    </div>
  );
}

const LINES = [
  ['underline', underline],
  ['line-through', strikethrough],
  ['overline', null],
] as const;

export function DecorationField({ label, value, onValue }: SpecialProps) {
  const lines = Array.isArray(value) ? value.map(String) : value && value !== 'none' ? [String(value)] : [];
  const set = (line: string) => {
    const next = lines.includes(line) ? lines.filter((one) => one !== line) : [...lines, line];
    onValue(next.length === 0 ? 'none' : next.length === 1 ? next[0] : next);
  };
  return (
    <ToggleSegments
      {...{ label }}
      property="textDecoration"
      toggles={LINES.map(([line, icon]) => ({
        name: texts.value.lines[line],
        isOn: lines.includes(line),
        content: icon ? <Icon of={icon} size={14} /> : <span class="overlined">O</span>,
        onPress: () => set(line),
      }))}
    />
  );
}

interface Toggled {
  readonly name: string;
  readonly isOn: boolean;
  readonly content: ComponentChildren;
  readonly onPress: () => void;
}

/** Buttons in a row, of which several may hold. */
function ToggleSegments(props: { label: string; property: string; toggles: readonly Toggled[] }) {
  return (
    <div class="segments" role="group" aria-label={props.label} data-property={props.property}>
      {props.toggles.map(({ name, isOn, content, onPress }) => (
        <button key={name} type="button" aria-pressed={isOn} aria-label={name} title={name} onClick={onPress}>
          {content}
        </button>
      ))}
    </div>
  );
}

const shownKind = (style: string) =>
  isSymbol(style) ? counterText(1, style) : [1, 2, 3].map((number) => counterText(number, style)).join(', ');

const LISTS = { none: minus, disc: listIcon, decimal: listOrdered };

export function ListField({ label, value, isMixed, onValue }: SpecialProps) {
  const shown = isMixed ? '' : String(value);
  const ofSigns = LIST_STYLES.filter(isSymbol);
  const kinds = LIST_STYLES.filter((kind) => ofSigns.includes(kind) === isSymbol(shown));
  const { lists, commands } = texts.value;
  const family = shown === '' || shown === 'none' ? shown : isSymbol(shown) ? 'disc' : 'decimal';
  return (
    <div class="field-grid" data-property="listStyle">
      <Segments
        label={label}
        options={Object.keys(LISTS)}
        icons={LISTS}
        names={{ none: lists.none, disc: commands.bullets, decimal: commands.numbers }}
        value={family}
        onValue={onValue}
      />
      {family !== '' && family !== 'none' && (
        <Select
          label={lists.kind}
          value={shown}
          options={kinds.map((one) => [one, shownKind(one)] as const)}
          onChoose={onValue}
        />
      )}
    </div>
  );
}

const FLIPS = { x: flipX, y: flipY };

/** Each button does what its command does. */
export function FlipField({ label, value, editor }: SpecialProps & { readonly editor: EditorState }) {
  return (
    <ToggleSegments
      {...{ label }}
      property="flip"
      toggles={(['x', 'y'] as const).map((axis) => ({
        name: texts.value.commands[`flip-${axis}`],
        isOn: String(value).includes(axis),
        content: <Icon of={FLIPS[axis]} size={14} />,
        onPress: () => flip(editor, axis),
      }))}
    />
  );
}

/** `Bold` for 700; undefined for a weight without a name. */
export const weightName = (weight: number): string | undefined =>
  shell.value.weights[weight as keyof ShellTexts['weights']];

/** The weights that a family has; all of them if one of its faces is variable. */
export function weightsOf(editor: EditorState, family: unknown, shown: unknown): readonly number[] {
  const [name] = [family].flat();
  const faces = editor.compositor.fonts.families.find(String(name))?.faces ?? [];
  const isVariable = faces.some(({ axes }) => axes.wght);
  const weights = isVariable ? [100, 200, 300, 400, 500, 600, 700, 800, 900] : faces.map(({ weight }) => weight);
  return [...new Set(typeof shown === 'number' ? [...weights, shown] : weights)].sort((a, b) => a - b);
}

type WeightProps = SpecialProps & { readonly weights: readonly number[] };

export function WeightField({ label, value, isMixed, onValue, weights }: WeightProps) {
  const shown = typeof value === 'number' ? value : 400;
  return (
    <Select
      label={label}
      property="fontWeight"
      value={isMixed ? '' : String(shown)}
      options={[
        isMixed && ['', texts.value.common.mixed],
        ...weights.map((weight) => [String(weight), weightName(weight) ?? weight] as const),
      ]}
      onChoose={(next) => onValue(Number(next))}
    />
  );
}

// OpenType features by the names that designers use; any other by its tag.

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

// Chooses which sides of a layer keep their distance when the canvas or the frame around it is resized: by pins around a
// box, or by name.

type Side = 'left' | 'right' | 'top' | 'bottom';

const AXES = [
  { key: 'horizontal', sides: ['left', 'right'], values: ['left', 'right', 'left-right', 'center', 'scale'] },
  { key: 'vertical', sides: ['top', 'bottom'], values: ['top', 'bottom', 'top-bottom', 'center', 'scale'] },
] as const;

const DEFAULT: Constraints = { horizontal: 'left', vertical: 'top' };

/** Nothing for layers that a layout places. */
export function ConstraintsField({ editor, value, isMixed, onValue }: SpecialProps & { readonly editor: EditorState }) {
  const isPlaced = useComputed(() => editor.selectedBoxes.value.every((box) => !flows(box))).value;
  if (!isPlaced) return null;
  const now: Constraints = { ...DEFAULT, ...(value as Partial<Constraints> | undefined) };
  const set = (patch: Partial<Constraints>) => {
    const next = { ...now, ...patch };
    const isDefault = next.horizontal === DEFAULT.horizontal && next.vertical === DEFAULT.vertical;
    onValue(isDefault ? undefined : next);
  };
  return (
    <div class="constraints" data-property="constraints">
      <span class="labelled-name">{texts.value.inspector.constraints}</span>
      <div class="pins" role="group" aria-label={texts.value.inspector.pinnedSides}>
        <span class="pins-layer" />
        {AXES.flatMap(({ key, sides }) =>
          sides.map((side) => {
            const isOn = !isMixed && pinned(now[key], side);
            return (
              <button
                key={side}
                type="button"
                class={`pin is-${side}`}
                aria-pressed={isOn}
                aria-label={texts.value.pins[side]}
                title={texts.value.pins[side]}
                onClick={() => set({ [key]: toggled(now[key], side, sides) })}
              />
            );
          }),
        )}
      </div>
      <div class="constraints-names">
        {AXES.map(({ key, values }) => (
          <Select
            key={key}
            label={texts.value.constraints[key]}
            value={isMixed ? '' : now[key]}
            options={[
              isMixed && ['', texts.value.common.mixed],
              ...values.map((name) => [name, texts.value.constraints[name]] as const),
            ]}
            onChoose={(next) => next !== '' && set({ [key]: next })}
          />
        ))}
      </div>
    </div>
  );
}

const pinned = (constraint: string, side: Side): boolean => constraint.split('-').includes(side);

/** The constraint with a side pinned or no longer; with none, the layer stays in the middle. */
function toggled(constraint: string, side: Side, sides: readonly Side[]): string {
  const left = sides.filter((each) => pinned(constraint, each) !== (each === side));
  return left.length === 0 ? 'center' : left.join('-');
}
