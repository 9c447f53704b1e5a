// Controls for properties that their schema alone does not describe well enough: a focal point, decoration, weight.

import type { z } from 'zod';
import { Icon } from '../../parts/icon.tsx';
import { texts } from '../../texts/editor.ts';
import type { EditorTexts } from '../../texts/en/editor.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { strikethrough, underline } from '../icons.ts';
import { Select } from './controls.tsx';
import { NumberInput } from './number-input.tsx';

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
    <div class="segments" role="group" aria-label={label} data-property="textDecoration">
      {LINES.map(([line, icon]) => (
        <button
          key={line}
          type="button"
          aria-pressed={lines.includes(line)}
          aria-label={texts.value.lines[line]}
          title={texts.value.lines[line]}
          onClick={() => set(line)}
        >
          {icon ? <Icon of={icon} size={14} /> : <span class="overlined">O</span>}
        </button>
      ))}
    </div>
  );
}

/** `Bold` for 700; undefined for a weight without a name. */
export const weightName = (weight: number): string | undefined =>
  texts.value.weights[weight as keyof EditorTexts['weights']];

/** The weights that a family has; all of them if one of its faces is variable. */
export function weightsOf(editor: EditorState, family: unknown, shown: unknown): readonly number[] {
  const [name] = [family].flat();
  const faces = editor.compositor.fonts.families.find(String(name))?.faces ?? [];
  const isVariable = faces.some(({ axes }) => axes.wght);
  const weights = isVariable ? [100, 200, 300, 400, 500, 600, 700, 800, 900] : faces.map(({ weight }) => weight);
  return [...new Set(typeof shown === 'number' ? [...weights, shown] : weights)].sort((a, b) => a - b);
}

export function WeightField({
  label,
  value,
  isMixed,
  onValue,
  weights,
}: SpecialProps & { readonly weights: readonly number[] }) {
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
