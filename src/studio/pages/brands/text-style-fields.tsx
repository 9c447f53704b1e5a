// The fields of a text style of a brand, with a sample line in it.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { Select } from '../../editor/inspector/controls.tsx';
import { cssOf, type FillValue } from '../../editor/inspector/fill.ts';
import { FillField } from '../../editor/inspector/fill-field.tsx';
import { NumberInput } from '../../editor/inspector/number-input.tsx';
import { hexOf, isLight } from '../../parts/hex-of.ts';
import type { FontFamily, FontFace as StoredFace } from '../../shell/contract.ts';
import { texts } from '../../texts/pages.ts';
import { loadFace } from '../fonts/font-loading.ts';
import { type BrandDraft, type TextStyle, valueIn } from './brand-draft.ts';

const WEIGHTS = [100, 200, 300, 400, 500, 600, 700, 800, 900];
const SAMPLE = 'Sphinx of black quartz, judge my vow';
/** The largest sample, px. */
const LARGEST = 56;

interface TextStyleProps {
  readonly accountId: string;
  readonly label: string;
  readonly style: TextStyle;
  readonly draft: BrandDraft;
  readonly families: readonly FontFamily[];
  readonly onStyle: (style: TextStyle) => void;
}

export function TextStyleFields({ accountId, label, style, draft, families, onStyle }: TextStyleProps) {
  const set = (name: string, value: unknown) => {
    const { [name]: _before, ...others } = style;
    onStyle(value === undefined ? others : { ...style, [name]: value });
  };
  const number = (name: string, caption: string, min: number, max: number, step = 1) => (
    <span class="brand-field">
      <span class="brand-field-name">{caption}</span>
      <NumberInput
        label={`${label}: ${caption.toLowerCase()}`}
        value={typeof style[name] === 'number' ? style[name] : null}
        placeholder={texts.value.brands.ofTheLayer}
        {...{ min, max, step }}
        onNumber={(next) => set(name, next)}
        onEmpty={() => set(name, undefined)}
      />
    </span>
  );
  const select = (name: string, caption: string, options: readonly (readonly [value: string, label: string])[]) => (
    <label class="brand-field">
      <span class="brand-field-name">{caption}</span>
      <Select
        label={`${label}: ${caption.toLowerCase()}`}
        value={String(style[name] ?? '')}
        options={[['', texts.value.brands.ofTheLayer], ...options]}
        onChoose={(value) => set(name, value === '' ? undefined : name === 'fontWeight' ? Number(value) : value)}
      />
    </label>
  );
  const shown = Object.fromEntries(Object.entries(style).map(([name, value]) => [name, valueIn(draft, value)]));
  return (
    <div class="brand-style">
      <FontSample accountId={accountId} families={families} style={shown} />
      <div class="brand-style-fields">
        <span class="brand-field is-wide">
          <span class="brand-field-name">{texts.value.brands.family}</span>
          <FamilyField
            label={texts.value.brands.familyOf(label)}
            value={style.fontFamily}
            {...{ families, draft }}
            onFamily={(next) => set('fontFamily', next)}
          />
        </span>
        {number('fontSize', texts.value.common.size, 1, 2000)}
        {select(
          'fontWeight',
          texts.value.brands.weight,
          WEIGHTS.map((weight) => [String(weight), String(weight)]),
        )}
        {select('fontStyle', texts.value.brands.slant, [
          ['normal', texts.value.brands.upright],
          ['italic', texts.value.brands.italic],
        ])}
        {number('lineHeight', texts.value.brands.lineHeight, 0, 10, 0.05)}
        {number('letterSpacing', texts.value.brands.spacing, -200, 1000, 0.1)}
        {select('textTransform', texts.value.brands.case, [
          ['none', texts.value.brands.asTyped],
          ['uppercase', texts.value.brands.uppercase],
          ['lowercase', texts.value.brands.lowercase],
          ['capitalize', texts.value.brands.capitalized],
        ])}
        <span class="brand-field is-wide">
          <span class="brand-field-name">{texts.value.brands.color}</span>
          <StyleColor {...{ label, draft }} value={style.color} onColor={(next) => set('color', next)} />
        </span>
      </div>
    </div>
  );
}

interface StyleColorProps {
  readonly label: string;
  readonly value: unknown;
  readonly draft: BrandDraft;
  readonly onColor: (color: unknown) => void;
}

/** A colour of the brand by its name, one of its own, or none. */
function StyleColor({ label, value, draft, onColor }: StyleColorProps) {
  const isNamed = typeof value === 'string' && value.startsWith('$');
  return (
    <span class="brand-style-color">
      <Select
        label={texts.value.brands.colorOf(label)}
        value={isNamed ? String(value) : value === undefined ? '' : 'own'}
        options={[
          ['', texts.value.brands.ofTheLayer],
          ...draft.colors.map(({ name }) => [`$${name}`, `$${name}`] as const),
          ['own', texts.value.brands.another],
        ]}
        onChoose={(next) =>
          onColor(next === '' ? undefined : next === 'own' ? (valueIn(draft, value) ?? '#161616') : next)
        }
      />
      {value !== undefined &&
        (isNamed ? (
          <span class="brand-color is-small">
            <span style={{ background: cssOf((valueIn(draft, value) as FillValue | undefined) ?? 'transparent') }} />
          </span>
        ) : (
          <FillField label={texts.value.brands.ownColorOf(label)} value={value as FillValue} onFill={onColor} />
        ))}
    </span>
  );
}

interface FamilyProps {
  readonly label: string;
  readonly value: unknown;
  readonly families: readonly FontFamily[];
  /** Whose fonts are offered by name; null = none. */
  readonly draft: BrandDraft | null;
  readonly onFamily: (family: unknown) => void;
}

export function FamilyField({ label, value, families, draft, onFamily }: FamilyProps) {
  const shown = Array.isArray(value) ? value.join(', ') : String(value ?? '');
  const names = draft?.fonts.map(({ name }) => `$${name}`) ?? [];
  const isListed = shown === '' || names.includes(shown) || families.some(({ family }) => family === shown);
  return (
    <Select
      label={label}
      value={shown}
      options={[
        draft !== null && ['', texts.value.brands.ofTheLayer],
        !isListed && [shown, shown],
        ...[...names, ...families.map(({ family }) => family)].map((name) => [name, name] as const),
      ]}
      onChoose={(family) => onFamily(family === '' ? undefined : family)}
    />
  );
}

interface SampleProps {
  readonly accountId: string;
  readonly families: readonly FontFamily[];
  /** Without references. */
  readonly style: TextStyle;
}

/** A line as the browser sets it: close to, but not the same as, what a render shows. */
export function FontSample({ accountId, families, style }: SampleProps) {
  const wanted = [style.fontFamily ?? 'Inter'].flat().map(String)[0] ?? 'Inter';
  const weight = typeof style.fontWeight === 'number' ? style.fontWeight : 400;
  const face = nearestFace(families.find(({ family }) => family === wanted)?.faces ?? [], weight, style.fontStyle);
  const [family, setFamily] = useState<string | null>(null);
  useEffect(() => {
    if (!face || face.isEmoji) return setFamily('system-ui');
    let isCurrent = true;
    const use = (name: string) => isCurrent && setFamily(name);
    loadFace(accountId, face).then(use, () => use('system-ui'));
    return () => {
      isCurrent = false;
    };
  }, [accountId, face]);
  const color = useMemo(() => hexOf(style.color), [style.color]);
  // Dark letters are shown on light paper in the dark theme too, and the other way round.
  const ground = color === null ? '' : isLight(color) ? 'is-on-dark' : 'is-on-light';
  const size = typeof style.fontSize === 'number' ? Math.min(style.fontSize, LARGEST) : 24;
  return (
    <p
      class={`brand-sample ${ground}`}
      style={{
        ...(family === null ? { visibility: 'hidden' } : { fontFamily: family }),
        fontSize: `min(${size}px, 9vw)`,
        ...(color && { color }),
        fontWeight: String(weight),
        fontStyle: style.fontStyle === 'italic' ? 'italic' : 'normal',
        textTransform: String(style.textTransform ?? 'none'),
        letterSpacing: typeof style.letterSpacing === 'number' ? `${style.letterSpacing}px` : 'normal',
      }}
    >
      {SAMPLE}
    </p>
  );
}

function nearestFace(faces: readonly StoredFace[], weight: number, style: unknown): StoredFace | undefined {
  const distance = (face: StoredFace) => {
    const { wght } = face.axes;
    const off = wght ? Math.max(wght.min - weight, weight - wght.max, 0) : Math.abs(face.weight - weight);
    return off + (face.style === (style ?? 'normal') ? 0 : 1_000);
  };
  return [...faces].sort((a, b) => distance(a) - distance(b))[0];
}
