// Chooses which sides of a layer keep their distance when the canvas or the frame around it is resized: by pins around a
// box, or by name.

import { useComputed } from '@preact/signals';
import type { Constraints } from '#core/template/constraints.ts';
import { flows } from '../canvas/geometry-of.ts';
import type { EditorState } from '../state/editor-state.ts';
import type { SpecialProps } from './special-fields.tsx';

type Side = 'left' | 'right' | 'top' | 'bottom';

const AXES = [
  {
    key: 'horizontal',
    label: 'Horizontal constraint',
    sides: ['left', 'right'],
    names: { left: 'Left', right: 'Right', 'left-right': 'Left and right', center: 'Center', scale: 'Scale' },
  },
  {
    key: 'vertical',
    label: 'Vertical constraint',
    sides: ['top', 'bottom'],
    names: { top: 'Top', bottom: 'Bottom', 'top-bottom': 'Top and bottom', center: 'Center', scale: 'Scale' },
  },
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
      <span class="labelled-name">Constraints</span>
      <div class="pins" role="group" aria-label="Pinned sides">
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
                aria-label={`Keep the distance to the ${side}`}
                title={`Keep the distance to the ${side}`}
                onClick={() => set({ [key]: toggled(now[key], side, sides) })}
              />
            );
          }),
        )}
      </div>
      <div class="constraints-names">
        {AXES.map(({ key, label, names }) => (
          <select
            key={key}
            class="input is-dense"
            aria-label={label}
            title={label}
            value={isMixed ? '' : now[key]}
            onChange={(event) => set({ [key]: event.currentTarget.value })}
          >
            {isMixed && (
              <option value="" disabled>
                Mixed
              </option>
            )}
            {Object.entries(names).map(([name, shown]) => (
              <option key={name} value={name}>
                {shown}
              </option>
            ))}
          </select>
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
