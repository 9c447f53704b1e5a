// A field for a width or a height: px, a percentage, or a size that layout computes.

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { INTRINSIC } from '#core/template/style.ts';
import { texts } from '../../texts/editor.ts';
import { isReference } from '../core/state/brand-names.ts';
import { NumberInput } from './number-input.tsx';
import { labelOf } from './schema.ts';

const isIntrinsic = (value: unknown) => INTRINSIC.some((word) => word === value);

export function DimensionField(props: {
  readonly label: string;
  readonly prefix: ComponentChildren;
  readonly value: unknown;
  readonly isMixed: boolean;
  readonly isNullable: boolean;
  /** Whether a text names a number of the brand. */
  readonly isName: (text: string) => boolean;
  readonly onValue: (value: unknown) => void;
}) {
  const { label, prefix, value, isMixed, isNullable, isName, onValue } = props;
  const id = useId();
  const mode = isReference(value)
    ? 'px'
    : typeof value === 'number'
      ? 'px'
      : value === 'hug' || value === 'fill' || isIntrinsic(value)
        ? String(value)
        : typeof value === 'string'
          ? '%'
          : '';
  const number = typeof value === 'number' ? value : typeof value === 'string' ? Number.parseFloat(value) : Number.NaN;
  return (
    <NumberInput
      label={label}
      prefix={prefix ?? label[0]}
      value={Number.isNaN(number) ? null : number}
      {...(isReference(value)
        ? { shown: value }
        : mode === 'hug' || mode === 'fill' || isIntrinsic(mode)
          ? { shown: (texts.value.dimensions as Readonly<Record<string, string>>)[mode] ?? labelOf(mode) }
          : mode === '%'
            ? { shown: String(value) }
            : {})}
      placeholder={isMixed ? texts.value.common.mixed : texts.value.common.auto}
      min={0}
      max={100_000}
      words={(text) => isName(text) || /^(hug|fill|(min|max|fit)[- ]content|\d+(\.\d+)?%)$/i.test(text)}
      onWord={(word) => onValue(isName(word) ? word : word.toLowerCase().replace(' ', '-'))}
      onNumber={(next) => onValue(mode === '%' ? `${Math.round(next * 100) / 100}%` : next)}
      onEmpty={() => onValue(isNullable ? null : undefined)}
      after={
        <select
          id={id}
          class="unit-select"
          aria-label={texts.value.inspector.kindOf(label)}
          title={texts.value.inspector.kindsOfSize(label)}
          value={mode}
          onChange={(event) => {
            const next = event.currentTarget.value;
            if (next === 'px') onValue(Number.isNaN(number) ? 100 : number);
            else if (next === '%') onValue('100%');
            else onValue(next === '' ? null : next);
          }}
        >
          {(isNullable || mode === '') && <option value="">{texts.value.common.auto}</option>}
          <option value="px">px</option>
          <option value="%">%</option>
          <option value="hug">{texts.value.inspector.hug}</option>
          <option value="fill">{texts.value.inspector.fill}</option>
          {INTRINSIC.map((word) => (
            <option key={word} value={word}>
              {labelOf(word)}
            </option>
          ))}
        </select>
      }
    />
  );
}
