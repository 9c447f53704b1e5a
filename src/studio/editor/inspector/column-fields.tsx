// The fields of a table's column: its width, the format of its values, and texts.

import { texts } from '../../texts/editor.ts';
import { RATE_FORMAT } from '../core/document/table-edits.ts';
import { Select } from './controls.tsx';
import { NumberInput } from './number-input.tsx';
import { TypedField } from './typed-field.tsx';

const WIDTHS = ['hug', 'fill', 'px', 'mm', '%', 'fr'] as const;
/** Units of CSS that a template may have, and the select does not offer. */
const FURTHER_UNITS = ['pt', 'pc', 'cm', 'in'];
/** What a column is at first, in each unit. */
const FIRST: Readonly<Record<string, string>> = { '%': '20%', fr: '2fr', mm: '25mm' };

export function ColumnWidth({ value, onValue }: { value: number | string; onValue: (value: number | string) => void }) {
  const kind = typeof value === 'number' ? 'px' : value.replace(/^[\d.]+/, '');
  const number = typeof value === 'number' ? value : Number.parseFloat(value);
  return (
    <span class="column-shows">
      <Select
        label={texts.value.inspector.widthKind}
        value={kind}
        options={[
          ...WIDTHS.map((word) => [word, texts.value.columnWidths[word]] as const),
          FURTHER_UNITS.includes(kind) && [kind, kind],
        ]}
        onChoose={(next) => onValue(next === 'px' ? 100 : (FIRST[next] ?? next))}
      />
      {Number.isFinite(number) && (
        <NumberInput
          label={texts.value.sheet.width}
          value={number}
          unit={kind}
          min={0}
          max={kind === 'px' ? 100_000 : 999}
          onNumber={(next) => onValue(kind === 'px' ? next : `${next}${kind}`)}
        />
      )}
    </span>
  );
}

const TWO_DECIMALS = { type: 'number', minimumFractionDigits: 2, maximumFractionDigits: 2 };
const FORMATS = [
  ['asIs', undefined],
  ['number', 'number'],
  ['twoDecimals', TWO_DECIMALS],
  ['currency', 'currency'],
  ['percent', 'percent'],
  ['rate', RATE_FORMAT],
  ['date', 'date'],
  ['shortDate', { type: 'date', dateStyle: 'short' }],
] as const satisfies readonly (readonly [name: string, format: unknown])[];

export function FormatSelect({ value, onValue }: { value: unknown; onValue: (value: unknown) => void }) {
  const text = JSON.stringify(value ?? undefined);
  const at = FORMATS.findIndex(([, format]) => JSON.stringify(format) === text);
  return (
    <Select
      label={texts.value.inspector.format}
      value={String(at)}
      options={[
        // One that was written in JSON stays as it is.
        at < 0 && ['-1', texts.value.inspector.ownFormat],
        ...FORMATS.map(([name], i) => [String(i), texts.value.formats[name]] as const),
      ]}
      onChoose={(next) => onValue(FORMATS[Number(next)]?.[1])}
    />
  );
}

export function TypedText({ label, value, onText }: { label: string; value: string; onText: (text: string) => void }) {
  return (
    <TypedField
      aria-label={label}
      maxLength={1_000}
      shown={value}
      onText={(text) => {
        if (text !== value) onText(text);
      }}
    />
  );
}
