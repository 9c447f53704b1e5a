// Controls for properties that their schema alone does not describe well enough: a focal point, decoration, weight.

import type { z } from 'zod';
import { Icon } from '../../parts/icon.tsx';
import { strikethrough, underline } from '../icons.ts';
import type { EditorState } from '../state/editor-state.ts';
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
      <select
        class="input is-dense is-wide"
        aria-label={label}
        value={isMixed ? '' : kind}
        onChange={(event) =>
          onValue(event.currentTarget.value === 'point' ? { x: 0.5, y: 0.5 } : event.currentTarget.value)
        }
      >
        {FOCI.map((one) => (
          <option key={one} value={one}>
            {{ point: 'Focal point', attention: 'Found: attention', entropy: 'Found: detail' }[one]}
          </option>
        ))}
      </select>
      {kind === 'point' &&
        (['x', 'y'] as const).map((axis) => (
          <NumberInput
            key={axis}
            label={`Focal point, ${axis}`}
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
  ['underline', 'Underline', underline],
  ['line-through', 'Strike through', strikethrough],
] as const;

export function DecorationField({ label, value, onValue }: SpecialProps) {
  const lines = Array.isArray(value) ? value.map(String) : value && value !== 'none' ? [String(value)] : [];
  const set = (line: string) => {
    const next = lines.includes(line) ? lines.filter((one) => one !== line) : [...lines, line];
    onValue(next.length === 0 ? 'none' : next.length === 1 ? next[0] : next);
  };
  return (
    <div class="segments" role="group" aria-label={label} data-property="textDecoration">
      {LINES.map(([line, name, icon]) => (
        <button
          key={line}
          type="button"
          aria-pressed={lines.includes(line)}
          aria-label={name}
          title={name}
          onClick={() => set(line)}
        >
          <Icon of={icon} size={14} />
        </button>
      ))}
      <button
        type="button"
        aria-pressed={lines.includes('overline')}
        aria-label="Overline"
        title="Overline"
        onClick={() => set('overline')}
      >
        <span class="overlined">O</span>
      </button>
    </div>
  );
}

export const WEIGHTS: Readonly<Record<number, string>> = {
  100: 'Thin',
  200: 'Extra light',
  300: 'Light',
  400: 'Regular',
  500: 'Medium',
  600: 'Semi bold',
  700: 'Bold',
  800: 'Extra bold',
  900: 'Black',
};

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
    <select
      class="input is-dense"
      aria-label={label}
      title={label}
      value={isMixed ? '' : String(shown)}
      data-property="fontWeight"
      onChange={(event) => onValue(Number(event.currentTarget.value))}
    >
      {isMixed && <option value="">Mixed</option>}
      {weights.map((weight) => (
        <option key={weight} value={String(weight)}>
          {WEIGHTS[weight] ?? weight}
        </option>
      ))}
    </select>
  );
}
