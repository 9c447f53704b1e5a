// The format and size of a file to download, which are kept for the next download of this tab.

import { signal } from '@preact/signals';
import { isVector, labelOf, OUTPUTS, type Output } from '#draw/output/formats.ts';
import { texts } from '../texts/shell.ts';
import { SelectField } from './field.tsx';

/** Device px per canvas px. */
const SCALES = [1, 2, 3];

/** The choice of the last download. */
export const chosenFile = signal<{ readonly output: Output; readonly scale: number }>({ output: 'png', scale: 1 });

export function DownloadFields({ width, height, dense }: { width: number; height: number; dense?: boolean }) {
  const { output, scale } = chosenFile.value;
  return (
    <div class="form-row">
      <SelectField
        label={texts.value.parts.format}
        dense={dense}
        value={output}
        onChoose={(value) => {
          chosenFile.value = { ...chosenFile.peek(), output: value as Output };
        }}
        options={OUTPUTS.map((value) => ({ value, label: labelOf(value) }))}
      />
      {isVector(output) ? (
        <SelectField
          label={texts.value.parts.size}
          dense={dense}
          disabled
          value="1"
          options={[{ value: '1', label: texts.value.parts.anySize }]}
        />
      ) : (
        <SelectField
          label={texts.value.parts.size}
          dense={dense}
          value={String(scale)}
          onChoose={(value) => {
            chosenFile.value = { ...chosenFile.peek(), scale: Number(value) };
          }}
          options={SCALES.map((value) => ({
            value: String(value),
            label: `${value}×: ${width * value} × ${height * value} px`,
          }))}
        />
      )}
    </div>
  );
}
