// Names of the brand as they are chosen in fields: a list of colours, and a choice of numbers.

import type { z } from 'zod';
import { texts } from '../../texts/editor.ts';
import { isReference } from '../core/state/brand-names.ts';
import { cssOf, type FillValue } from './fill.ts';
import { useBrand } from './inspector-context.ts';

/** A choice of the brand's numbers beside a number; nothing if none of them fits. */
export function NumberNames({
  label,
  schema,
  value,
  onValue,
}: {
  label: string;
  schema: z.ZodType;
  value: unknown;
  onValue: (value: unknown) => void;
}) {
  const fitting = Object.entries(useBrand()?.numbers ?? {}).filter(([, number]) => schema.safeParse(number).success);
  if (fitting.length === 0) return null;
  return (
    <select
      class="unit-select"
      aria-label={texts.value.inspector.brandNumberOf(label)}
      title={texts.value.inspector.brandNumber}
      value={isReference(value) ? value : ''}
      onChange={(event) => {
        const { value: chosen } = event.currentTarget;
        const own = fitting.find(([name]) => value === `$${name}`)?.[1];
        onValue(chosen === '' ? own : chosen);
      }}
    >
      <option value="">{texts.value.inspector.ownNumber}</option>
      {fitting.map(([name, number]) => (
        <option key={name} value={`$${name}`}>
          ${name} ({String(number)})
        </option>
      ))}
    </select>
  );
}

interface ColorNamesProps {
  readonly value: unknown;
  /** One colour only. */
  readonly solid: boolean;
  readonly onFill: (value: FillValue) => void;
}

/** The brand's colours, each with its name. */
export function ColorNames({ value, solid, onFill }: ColorNamesProps) {
  const colors = Object.entries(useBrand()?.colors ?? {}).filter(([, color]) => !solid || typeof color === 'string');
  if (colors.length === 0) return null;
  return (
    <div class="brand-names" role="group" aria-label={texts.value.inspector.brandColors}>
      {colors.map(([name, color]) => (
        <button
          key={name}
          type="button"
          class="brand-name"
          aria-pressed={value === `$${name}`}
          onClick={() => onFill(`$${name}`)}
        >
          <span class="swatch">
            <span class="swatch-color" style={{ background: cssOf(color as FillValue) }} />
          </span>
          <span class="truncate">{name}</span>
        </button>
      ))}
    </div>
  );
}
