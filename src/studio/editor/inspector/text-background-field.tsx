// The background of each line of a text: a colour, or one with padding and round corners.

import type { z } from 'zod';
import { texts } from '../../texts/editor.ts';
import { TextButton } from './controls.tsx';
import type { FillValue } from './fill.ts';
import { FillField } from './fill-field.tsx';
import { RemoveButton } from './segments.tsx';
import { SidesField } from './sides-field.tsx';
import type { Swatches } from './swatches.ts';

interface Props {
  readonly label: string;
  readonly schema: z.ZodType;
  readonly value: unknown;
  readonly isMixed: boolean;
  readonly onValue: (value: unknown) => void;
  readonly swatches: Swatches;
}

interface LineBackground {
  readonly color: FillValue;
  readonly padding?: number | readonly number[];
  readonly borderRadius?: number | readonly number[];
}

export function TextBackgroundField({ value, isMixed, onValue, swatches }: Props) {
  const label = texts.value.inspector.behindLines;
  if (value === null || value === undefined) {
    return (
      <TextButton onClick={() => onValue({ color: '#ffe600', padding: [2, 6, 2, 6], borderRadius: 4 })}>
        {label}
      </TextButton>
    );
  }
  const background = (typeof value === 'object' ? value : { color: value }) as LineBackground;
  const set = (part: Partial<LineBackground>) => onValue({ ...background, ...part });
  return (
    <span class="stack">
      <span class="removable">
        <FillField label={label} value={background.color} onFill={(color) => set({ color })} swatches={swatches} />
        <RemoveButton label={label} onRemove={() => onValue(null)} />
      </span>
      <SidesField
        kind="edges"
        label={texts.value.inspector.linePadding}
        value={background.padding ?? 0}
        isMixed={isMixed}
        onValue={(padding) => set({ padding: padding as number | readonly number[] })}
      />
      <SidesField
        kind="corners"
        label={texts.value.inspector.lineCorners}
        value={background.borderRadius ?? 0}
        isMixed={isMixed}
        onValue={(borderRadius) => set({ borderRadius: borderRadius as number | readonly number[] })}
      />
    </span>
  );
}
