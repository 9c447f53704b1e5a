// The panel of a fill: its kind, and its colour or gradient.

import { setSignal } from '../../parts/action.ts';
import './fill-panel.css';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { stopOffsets } from '#core/color.ts';
import { plus, trash2 } from '../../parts/icons.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { useDrag } from '../../parts/use-drag.ts';
import { texts } from '../../texts/editor.ts';
import { gradientHandles, type Stop, type WrittenGradient, withStopAt } from '../core/gestures/gradient-handles.ts';
import { fromHsva, type Hsva, readColor, toHsva, writeColor } from '../core/scene/color-model.ts';
import { pipette } from '../icons.ts';
import { FieldButton, Select } from './controls.tsx';
import { cssOf, type FillValue, isGradient } from './fill.ts';
import { FillContext, SwatchesContext, useBrand } from './inspector-context.ts';
import { NumberInput } from './number-input.tsx';
import { CssField } from './typed-field.tsx';

interface PanelProps {
  readonly label: string;
  readonly value: FillValue;
  /** The same, as it is written: it may be a name of the brand. */
  readonly reference: FillValue | undefined;
  readonly onFill: (value: FillValue) => void;
  readonly solid: boolean;
}

const KINDS = ['solid', 'linear', 'radial', 'conic'] as const;
type Kind = (typeof KINDS)[number];

export function FillPanel({ label, value, reference, onFill, solid }: PanelProps) {
  const kind: Kind = isGradient(value) ? value.type : 'solid';
  const change = (next: Kind) => {
    const stops = isGradient(value)
      ? value.stops
      : [{ color: value }, { color: writeColor({ ...readColor(value), a: 0 }) }];
    if (next === 'solid') onFill(stops[0]?.color ?? '#000000');
    else onFill({ type: next, stops });
  };
  const fields = isGradient(value) ? (
    <GradientEditor label={label} value={value} onFill={onFill} />
  ) : (
    <ColorPicker label={label} value={value} onColor={onFill} />
  );
  return (
    <div class="fill-panel">
      <ColorNames {...{ reference, solid, onFill }} />
      {solid ? (
        fields
      ) : (
        <Tabs
          label={texts.value.inspector.fillKind}
          tabs={KINDS.map((name) => ({ name, label: texts.value.fills[name] }))}
          current={kind}
          onChoose={change}
          dense
        >
          {fields}
        </Tabs>
      )}
    </div>
  );
}

/** The brand's colours, each with its name. */
function ColorNames({ reference, solid, onFill }: Pick<PanelProps, 'reference' | 'solid' | 'onFill'>) {
  const colors = Object.entries(useBrand()?.colors ?? {}).filter(([, color]) => !solid || typeof color === 'string');
  if (colors.length === 0) return null;
  return (
    <div class="brand-names" role="group" aria-label={texts.value.inspector.brandColors}>
      {colors.map(([name, color]) => (
        <button
          key={name}
          type="button"
          class="brand-name"
          aria-pressed={reference === `$${name}`}
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

// Edits a gradient: its stops on a bar, the chosen one's place and colour, and its direction or centre.

interface GradientEditorProps {
  readonly label: string;
  readonly value: WrittenGradient;
  readonly onFill: (value: WrittenGradient) => void;
}

function GradientEditor({ label, value, onFill }: GradientEditorProps) {
  const [chosen, setChosen] = useState(0);
  const { stops } = value;
  const at = Math.min(chosen, stops.length - 1);
  const stop = stops[at];
  const offsets = stopOffsets(stops);
  const { editor, property } = useContext(FillContext) ?? {};
  useEffect(() => {
    if (!editor || property === undefined) return;
    editor.panelHandles.value = gradientHandles(editor, property);
    return () => setSignal(editor.panelHandles, null);
  }, [editor, property]);
  const setStops = (next: readonly Stop[]) => onFill({ ...value, stops: next });
  const setStop = (part: Partial<Stop>) => setStops(stops.map((one, i) => (i === at ? { ...one, ...part } : one)));
  const placeStop = (index: number, to: number) => setStops(withStopAt(stops, index, to));
  const drag = useDrag<readonly Stop[]>();
  const bar = `linear-gradient(90deg, ${stops.map((one, i) => `${one.color} ${(offsets[i] ?? 0) * 100}%`).join(', ')})`;
  return (
    <div class="gradient">
      <div
        class="gradient-bar"
        role="group"
        aria-label={texts.value.inspector.stops}
        style={{ '--gradient': bar }}
        onDblClick={(event) => {
          const { left, width } = event.currentTarget.getBoundingClientRect();
          const offset = Math.round(((event.clientX - left) / width) * 100) / 100;
          const next = offsets.findLastIndex((one) => one <= offset) + 1;
          const color = stops[Math.max(0, next - 1)]?.color ?? '#000000';
          // All have their places then.
          setStops(withStopAt(stops, 0, offsets[0] ?? 0).toSpliced(next, 0, { color, offset }));
          setChosen(next);
        }}
      >
        {stops.map((one, i) => (
          <button
            key={i}
            type="button"
            class="gradient-stop"
            aria-label={texts.value.inspector.stop(i + 1)}
            aria-pressed={i === at}
            style={{ left: `${(offsets[i] ?? 0) * 100}%`, '--color': one.color }}
            {...drag({
              start: () => {
                setChosen(i);
                return stops;
              },
              move: (_before, { clientX, currentTarget }) => {
                const bar = (currentTarget as Element).parentElement?.getBoundingClientRect();
                if (bar) placeStop(i, (clientX - bar.left) / bar.width);
              },
              cancel: setStops,
            })}
            onKeyDown={(event) => {
              const step = { ArrowLeft: -0.01, ArrowRight: 0.01 }[event.key];
              if (step === undefined) return;
              event.preventDefault();
              setChosen(i);
              placeStop(i, (offsets[i] ?? 0) + step * (event.shiftKey ? 10 : 1));
            }}
          />
        ))}
      </div>
      <div class="field-grid">
        <NumberInput
          label={texts.value.inspector.stopPosition}
          prefix="@"
          unit="%"
          value={Math.round((offsets[at] ?? 0) * 1000) / 10}
          min={0}
          max={100}
          onNumber={(next) => setStop({ offset: next / 100 })}
        />
        {value.type === 'radial' ? (
          <Select
            label={texts.value.sections.shape}
            value={value.shape ?? 'ellipse'}
            options={[
              ['ellipse', texts.value.commands['tool-ellipse']],
              ['circle', texts.value.inspector.circle],
            ]}
            onChoose={(shape) => onFill({ ...value, shape: shape as 'ellipse' | 'circle' })}
          />
        ) : (
          <NumberInput
            label={texts.value.inspector.angle}
            prefix="∠"
            unit="°"
            value={value.angle ?? (value.type === 'linear' ? 180 : 0)}
            onNumber={(angle) => onFill({ ...value, angle })}
          />
        )}
        {value.type !== 'linear' &&
          (['x', 'y'] as const).map((axis) => (
            <NumberInput
              key={axis}
              label={texts.value.inspector.centerAxis(axis)}
              prefix={axis.toUpperCase()}
              unit="%"
              value={(value.center?.[axis] ?? 0.5) * 100}
              min={-200}
              max={300}
              onNumber={(next) => onFill({ ...value, center: { x: 0.5, y: 0.5, ...value.center, [axis]: next / 100 } })}
            />
          ))}
        {value.type === 'radial' && (
          <NumberInput
            label={texts.value.inspector.radius}
            prefix="R"
            unit="%"
            value={value.radius === null || value.radius === undefined ? null : value.radius * 100}
            placeholder={texts.value.inspector.corner}
            min={0}
            max={1000}
            onNumber={(next) => onFill({ ...value, radius: next / 100 })}
            onEmpty={() => onFill({ ...value, radius: null })}
          />
        )}
        <span class="gradient-buttons">
          <FieldButton
            icon={plus}
            label={texts.value.inspector.addAStop}
            disabled={stops.length >= 32}
            onClick={() => {
              setStops(stops.toSpliced(at + 1, 0, { color: stop?.color ?? '#000000' }).map(({ color }) => ({ color })));
              setChosen(at + 1);
            }}
          />
          <FieldButton
            icon={trash2}
            label={texts.value.inspector.removeTheStop}
            disabled={stops.length <= 2}
            onClick={() => setStops(stops.toSpliced(at, 1))}
          />
        </span>
      </div>
      {stop && (
        <ColorPicker
          key={at}
          label={texts.value.inspector.stopOf(label, at + 1)}
          value={stop.color}
          onColor={(color) => setStop({ color })}
        />
      )}
    </div>
  );
}

// Picks one colour: in a square, with sliders, by its code, from the page, or from the template's colours.

interface ColorPickerProps {
  readonly label: string;
  readonly value: string;
  readonly onColor: (css: string) => void;
}

interface EyeDropperWindow {
  readonly EyeDropper?: new () => { open(): Promise<{ readonly sRGBHex: string }> };
}

function ColorPicker({ label, value, onColor }: ColorPickerProps) {
  const offered = useContext(SwatchesContext);
  const swatches = useMemo(offered, [offered]);
  const [hsva, setHsva] = useState<Hsva>(() => toHsva(readColor(value)));
  // Grey has no hue and black no saturation: the picked ones are kept as long as the colour is the same.
  useEffect(() => {
    if (writeColor(fromHsva(hsva)) !== writeColor(readColor(value))) setHsva(toHsva(readColor(value)));
  }, [value, hsva]);
  const set = (part: Partial<Hsva>) => {
    const next = { ...hsva, ...part };
    setHsva(next);
    onColor(writeColor(fromHsva(next)));
  };
  const opaque = writeColor(fromHsva({ ...hsva, a: 1 }));
  const { EyeDropper } = globalThis as EyeDropperWindow;
  return (
    <div class="picker">
      <Square hsva={hsva} onPick={set} />
      <div class="picker-row">
        {EyeDropper && (
          <FieldButton
            icon={pipette}
            label={texts.value.inspector.pickColor}
            onClick={() => {
              new EyeDropper().open().then(
                ({ sRGBHex }) => set({ ...toHsva(readColor(sRGBHex)), a: hsva.a }),
                () => {},
              );
            }}
          />
        )}
        <div class="picker-sliders">
          <input
            class="slider is-hue"
            type="range"
            aria-label={texts.value.inspector.hue}
            min={0}
            max={359}
            value={Math.round(hsva.h)}
            onInput={(event) => set({ h: Number(event.currentTarget.value) })}
          />
          <input
            class="slider is-alpha"
            style={{ '--color': opaque }}
            type="range"
            aria-label={texts.value.inspector.opacity}
            min={0}
            max={100}
            value={Math.round(hsva.a * 100)}
            onInput={(event) => set({ a: Number(event.currentTarget.value) / 100 })}
          />
        </div>
      </div>
      <CssField label={label} value={value} onColor={onColor} />
      {swatches.length > 0 && (
        <div class="swatches" role="group" aria-label={texts.value.inspector.templateColors}>
          {swatches.map((color) => (
            <button
              key={color}
              type="button"
              class="swatch"
              title={color}
              aria-label={color}
              style={{ '--color': color }}
              onClick={() => onColor(color)}
            />
          ))}
        </div>
      )}
    </div>
  );
}

function Square({ hsva, onPick }: { hsva: Hsva; onPick: (part: Partial<Hsva>) => void }) {
  const area = useRef<HTMLDivElement>(null);
  const drag = useDrag<Hsva>();
  const pick = (event: PointerEvent) => {
    const { left, top, width, height } = area.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1);
    const clamp = (share: number) => Math.min(1, Math.max(0, share));
    onPick({ s: clamp((event.clientX - left) / width), v: 1 - clamp((event.clientY - top) / height) });
  };
  const nudge = (s: number, v: number) =>
    onPick({ s: Math.min(1, Math.max(0, hsva.s + s)), v: Math.min(1, Math.max(0, hsva.v + v)) });
  return (
    <div
      ref={area}
      class="picker-square"
      role="slider"
      tabIndex={0}
      aria-label={texts.value.inspector.saturationBrightness}
      aria-valuetext={texts.value.inspector.saturationBrightnessAre(Math.round(hsva.s * 100), Math.round(hsva.v * 100))}
      aria-valuenow={Math.round(hsva.s * 100)}
      style={{ '--hue': String(Math.round(hsva.h)) }}
      {...drag({
        start: (event) => {
          pick(event);
          return hsva;
        },
        move: (_before, event) => pick(event),
        cancel: ({ s, v }) => onPick({ s, v }),
      })}
      onKeyDown={(event) => {
        const step = event.shiftKey ? 0.1 : 0.01;
        const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }[
          event.key
        ];
        if (!by) return;
        event.preventDefault();
        nudge(by[0] ?? 0, by[1] ?? 0);
      }}
    >
      <span class="picker-dot" style={{ left: `${hsva.s * 100}%`, top: `${(1 - hsva.v) * 100}%` }} />
    </div>
  );
}
