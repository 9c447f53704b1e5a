// Picks one colour: in a square, with sliders, by its code, from the page, or from the template's colours.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useDrag } from '../../parts/use-drag.ts';
import { texts } from '../../texts/editor.ts';
import { fromHsva, type Hsva, readColor, toHsva, writeColor } from '../core/scene/color-model.ts';
import { pipette } from '../icons.ts';
import { FieldButton } from './controls.tsx';
import { CssField } from './css-field.tsx';
import type { Swatches } from './swatches.ts';

interface ColorPickerProps {
  readonly label: string;
  readonly value: string;
  readonly onColor: (css: string) => void;
  /** The colours offered. */
  readonly swatches: Swatches;
}

interface EyeDropperWindow {
  readonly EyeDropper?: new () => { open(): Promise<{ readonly sRGBHex: string }> };
}

export function ColorPicker({ label, value, onColor, swatches: offered }: ColorPickerProps) {
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
