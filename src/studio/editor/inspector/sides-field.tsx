// A field for the four lengths of a box, set together or one by one: padding, margin, corner radii.

import { useState } from 'preact/hooks';
import { texts } from '../../texts/editor.ts';
import { link2, scan } from '../icons.ts';
import { FieldButton } from './controls.tsx';
import { NumberInput } from './number-input.tsx';

/** Px, or a text such as `auto` or `5%`. */
type Side = number | string;

interface SidesFieldProps {
  readonly kind: 'edges' | 'corners';
  readonly label: string;
  readonly value: unknown;
  readonly isMixed: boolean;
  /** Whether one side may be such a text: `auto`, `5%`. */
  readonly isWord?: (text: string) => boolean;
  readonly onValue: (value: Side | readonly Side[]) => void;
}

const SIDES = ['top', 'right', 'bottom', 'left'] as const;
const CORNERS = ['⌜', '⌝', '⌟', '⌞'] as const;

/** Two to four numbers, as in CSS: `18 32`. */
const SHORTHAND = /^-?[\d.]+(\s+-?[\d.]+){1,3}$/;

/** The four lengths that a shorthand of CSS stands for. */
function expanded(text: string): readonly number[] {
  const [first = 0, second = first, third = first, fourth = second] = text.trim().split(/\s+/).map(Number);
  return [first, second, third, fourth].map((length) => (Number.isFinite(length) ? length : 0));
}

export function SidesField({ kind, label, value, isMixed, isWord = () => false, onValue }: SidesFieldProps) {
  const isSide = (side: unknown): side is Side => typeof side === 'number' || typeof side === 'string';
  const four: readonly Side[] = Array.isArray(value)
    ? value.map((side) => (isSide(side) ? side : 0))
    : [0, 1, 2, 3].map(() => (isSide(value) ? value : 0));
  const isUneven = Array.isArray(value) && four.some((one) => one !== four[0]);
  const [isOpen, setOpen] = useState(isUneven);
  const apart = isOpen || isUneven;
  const min = kind === 'corners' ? 0 : null;
  return (
    <div class={apart ? 'sides is-apart' : 'sides'}>
      <NumberInput
        label={label}
        prefix={kind === 'corners' ? <CornerMark /> : <span class="edge-mark" />}
        {...shownSide(isMixed || isUneven ? null : (four[0] ?? 0))}
        placeholder={texts.value.common.mixed}
        min={min}
        words={(text) => isWord(text) || (SHORTHAND.test(text) && (min === null || !text.includes('-')))}
        onWord={(text) => onValue(isWord(text) ? text : expanded(text))}
        onNumber={onValue}
      />
      <FieldButton
        icon={apart ? link2 : scan}
        label={apart ? texts.value.inspector.allAlike(label) : texts.value.inspector.eachApart(label)}
        title={apart ? texts.value.inspector.sidesTogether : texts.value.inspector.sidesApart}
        aria-pressed={apart}
        onClick={() => {
          if (apart && isUneven) onValue(four[0] ?? 0);
          setOpen(!apart);
        }}
      />
      {apart &&
        SIDES.map((side, i) => (
          <NumberInput
            key={side}
            label={`${label}, ${kind === 'corners' ? texts.value.corners[side] : texts.value.sides[side]}`}
            prefix={kind === 'corners' ? CORNERS[i] : texts.value.sideLetters[side]}
            {...shownSide(isMixed ? null : (four[i] ?? 0))}
            min={min}
            words={isWord}
            onWord={(text) => onValue(four.with(i, text))}
            onNumber={(next) => onValue(four.with(i, next))}
          />
        ))}
    </div>
  );
}

function shownSide(side: Side | null): { readonly value: number | null; readonly shown?: string } {
  return typeof side === 'string' ? { value: null, shown: side } : { value: side };
}

function CornerMark() {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <path d="M1.5 11V6a4.500 4.500 0 0 1 4.500 -4.500H11" fill="none" stroke="currentColor" stroke-width="1.4" />
    </svg>
  );
}
