// The panel of a fill: its kind, and its colour or gradient.

import { Tabs } from '../../parts/tabs.tsx';
import { ColorNames } from './brand-fields.tsx';
import { readColor, writeColor } from './color-model.ts';
import { ColorPicker } from './color-picker.tsx';
import { type FillValue, isGradient } from './fill.ts';
import './fill-panel.css';
import { texts } from '../../texts/editor.ts';
import { GradientEditor } from './gradient-editor.tsx';
import type { Swatches } from './swatches.ts';

interface PanelProps {
  readonly label: string;
  readonly value: FillValue;
  /** The same, as it is written: it may be a name of the brand. */
  readonly reference: FillValue | undefined;
  readonly onFill: (value: FillValue) => void;
  readonly swatches: Swatches;
  readonly solid: boolean;
}

const KINDS = ['solid', 'linear', 'radial', 'conic'] as const;
type Kind = (typeof KINDS)[number];

export function FillPanel({ label, value, reference, onFill, swatches, solid }: PanelProps) {
  const kind: Kind = isGradient(value) ? value.type : 'solid';
  const change = (next: Kind) => {
    const stops = isGradient(value)
      ? value.stops
      : [{ color: value }, { color: writeColor({ ...readColor(value), a: 0 }) }];
    if (next === 'solid') onFill(stops[0]?.color ?? '#000000');
    else onFill({ type: next, stops });
  };
  return (
    <div class="fill-panel">
      <ColorNames value={reference} solid={solid} onFill={onFill} />
      {!solid && (
        <Tabs
          label={texts.value.inspector.fillKind}
          tabs={KINDS.map((name) => ({ name, label: texts.value.fills[name] }))}
          current={kind}
          onChoose={change}
          dense
        />
      )}
      {isGradient(value) ? (
        <GradientEditor label={label} value={value} onFill={onFill} swatches={swatches} />
      ) : (
        <ColorPicker label={label} value={value} onColor={onFill} swatches={swatches} />
      )}
    </div>
  );
}
