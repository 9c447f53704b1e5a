// The fields of a sheet of labels: the paper, how many cells it has, what is between them, and which is the first.

import { SelectField, TextField } from '../../../parts/field.tsx';
import { texts } from '../../../texts/pages.ts';
import { fittingLabels, isPaper, type LabelFields, MM_PER_PX, PAPERS } from './label-fields.ts';

interface LabelSheetFieldsProps {
  readonly fields: LabelFields;
  /** Of a label, px. */
  readonly label: { readonly width: number; readonly height: number };
  readonly onChange: (fields: LabelFields) => void;
}

export function LabelSheetFields({ fields, label, onChange }: LabelSheetFieldsProps) {
  const { use } = texts.value;
  const mm = (px: number) => Math.round(px * MM_PER_PX * 10) / 10;
  const field = (name: Exclude<keyof LabelFields, 'size'>, said: string) => (
    <TextField
      label={said}
      inputMode="decimal"
      value={fields[name]}
      onText={(text) => onChange({ ...fields, [name]: text })}
    />
  );
  return (
    <fieldset class="batch-labels">
      <legend>{use.labelSheet(mm(label.width), mm(label.height))}</legend>
      <div class="form-row">
        <SelectField
          label={use.paper}
          value={fields.size}
          onChoose={(size) => isPaper(size) && onChange({ ...fittingLabels(size, label), start: fields.start })}
          options={Object.entries(PAPERS).map(([value, [width, height]]) => ({
            value,
            label: `${value}, ${width} × ${height} mm`,
          }))}
        />
        {field('columns', use.labelsAcross)}
        {field('rows', use.labelsDown)}
      </div>
      <div class="form-row">
        {field('across', use.gapAcross)}
        {field('down', use.gapDown)}
        {field('start', use.firstLabel)}
      </div>
    </fieldset>
  );
}
