// Chooses which sides of a layer keep their distance when the canvas or the frame around it is resized: by pins around a
// box, or by name.

import { useComputed } from '@preact/signals';
import type { Constraints } from '#core/template/constraints.ts';
import { texts } from '../../texts/editor.ts';
import { flows } from '../core/geometry/geometry-of.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { Select } from './controls.tsx';
import type { SpecialProps } from './special-fields.tsx';

type Side = 'left' | 'right' | 'top' | 'bottom';

const AXES = [
  {
    key: 'horizontal',
    sides: ['left', 'right'],
    values: ['left', 'right', 'left-right', 'center', 'scale'],
  },
  {
    key: 'vertical',
    sides: ['top', 'bottom'],
    values: ['top', 'bottom', 'top-bottom', 'center', 'scale'],
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
