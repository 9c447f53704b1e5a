// A field for a colour or a gradient: a swatch with its code, and a panel that edits both.

import { deferred } from '../../parts/deferred.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { readColor, writeColor } from './color-model.ts';
import { ColorPicker, CssField } from './color-picker.tsx';
import type { Gradient } from './gradient-editor.tsx';
import { Popover } from './popover.tsx';
import type { Swatches } from './swatches.ts';

export type FillValue = string | Gradient;

const GradientEditor = deferred(async () => (await import('./gradient-editor.tsx')).GradientEditor);

interface FillFieldProps {
  readonly label: string;
  /** undefined = several values. */
  readonly value: FillValue | undefined;
  readonly onFill: (value: FillValue) => void;
  readonly swatches: Swatches;
  /** One colour only. */
  readonly solid?: boolean;
}

const isGradient = (value: FillValue | undefined): value is Gradient => typeof value === 'object' && value !== null;

export function FillField({ label, value, onFill, swatches, solid }: FillFieldProps) {
  return (
    <span class="fill-field">
      <Popover
        label={label}
        button={(attributes) => (
          <button {...attributes} type="button" class="swatch" aria-label={`${label}: choose`} title={label}>
            <span class="swatch-color" style={{ background: value === undefined ? 'transparent' : cssOf(value) }} />
          </button>
        )}
      >
        {() => (
          <FillPanel
            label={label}
            value={value ?? '#000000'}
            onFill={onFill}
            swatches={swatches}
            solid={solid ?? false}
          />
        )}
      </Popover>
      {isGradient(value) ? (
        <span class="fill-name">{value.type[0]?.toUpperCase() + value.type.slice(1)} gradient</span>
      ) : (
        <CssField label={label} value={value ?? ''} onColor={onFill} />
      )}
    </span>
  );
}

interface PanelProps {
  readonly label: string;
  readonly value: FillValue;
  readonly onFill: (value: FillValue) => void;
  readonly swatches: Swatches;
  readonly solid: boolean;
}

const KINDS = [
  { name: 'solid', label: 'Solid' },
  { name: 'linear', label: 'Linear' },
  { name: 'radial', label: 'Radial' },
  { name: 'conic', label: 'Conic' },
] as const;
type Kind = (typeof KINDS)[number]['name'];

function FillPanel({ label, value, onFill, swatches, solid }: PanelProps) {
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
      {!solid && <Tabs label="Kind of fill" tabs={KINDS} current={kind} onChoose={change} dense />}
      {isGradient(value) ? (
        <GradientEditor label={label} value={value} onFill={onFill} swatches={swatches} />
      ) : (
        <ColorPicker label={label} value={value} onColor={onFill} swatches={swatches} />
      )}
    </div>
  );
}

/** The fill as CSS, for a swatch. */
export function cssOf(value: FillValue): string {
  if (!isGradient(value)) return value;
  const stops = value.stops
    .map(({ color, offset }) => (offset === undefined ? color : `${color} ${offset * 100}%`))
    .join(', ');
  const centre = `at ${(value.center?.x ?? 0.5) * 100}% ${(value.center?.y ?? 0.5) * 100}%`;
  if (value.type === 'linear') return `linear-gradient(${value.angle ?? 180}deg, ${stops})`;
  if (value.type === 'radial') return `radial-gradient(${value.shape ?? 'ellipse'} ${centre}, ${stops})`;
  return `conic-gradient(from ${value.angle ?? 0}deg ${centre}, ${stops})`;
}
