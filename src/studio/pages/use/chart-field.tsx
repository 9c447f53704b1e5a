// The values of a chart in the form: a label and its values in each line, or rows pasted from a spreadsheet.

import { useMemo, useState } from 'preact/hooks';
import { type ChartData, chartRows } from '#core/template/chart-rows.ts';
import { patchOfSheet, problemInSheet, writeChartSheet } from '../../editor/document/chart-data.ts';
import { TextArea } from '../../parts/field.tsx';
import type { Parameter } from '../../shell/parameters.ts';
import { texts } from '../../texts/pages.ts';
import type { Value } from './values.ts';

interface ChartFieldProps {
  readonly parameter: Parameter;
  readonly given: Value | undefined;
  readonly label: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
  readonly onValue: (value: Value | undefined) => void;
}

/** Lines that are shown without scrolling. */
const [FEWEST, MOST] = [3, 10];

export function ChartField({ parameter, given, error, hint, onValue, ...field }: ChartFieldProps) {
  const { stored, required } = parameter;
  const [typed, setTyped] = useState('');
  const { rows, sheet } = useMemo(() => {
    const labels = Array.isArray(stored.labels) ? stored.labels.map(String) : [];
    const own = chartRows((stored.data ?? []) as ChartData);
    const rows = own.map((row, i) => ({ ...row, label: row.label || (labels[i] ?? '') }));
    return { rows, sheet: writeChartSheet(rows, Array.isArray(stored.series) ? stored.series.map(String) : []) };
  }, [stored]);
  const text = given !== undefined ? typed : required ? '' : sheet;
  const type = (next: string) => {
    setTyped(next);
    if (next === sheet && !required) onValue(undefined);
    // What is no sheet is a value too, which the server refuses as well.
    else if (problemInSheet(next) !== null) onValue(next);
    else {
      const { data, series } = patchOfSheet(next, rows);
      onValue(series ? { data, series } : data);
    }
  };
  return (
    <TextArea
      {...field}
      mono
      rows={Math.min(MOST, Math.max(FEWEST, text.split('\n').length + 1))}
      spellcheck={false}
      placeholder={sheet}
      hint={[hint, texts.value.use.chartRows].filter(Boolean).join(' · ')}
      error={(given === undefined ? null : problemInSheet(text)) ?? error}
      value={text}
      onText={type}
    />
  );
}
