// The values of a chart as lines of text, into which rows of a spreadsheet can be pasted.

import { type ChartData, chartRows } from '#core/template/chart-rows.ts';
import { texts } from '../../texts/editor.ts';
import { patchOfSheet, problemInSheet, writeChartSheet } from '../document/chart-data.ts';
import type { Patch } from '../document/edits.ts';
import { useTyped } from './typed-text.ts';

interface ChartDataProps {
  readonly data: unknown;
  readonly series: unknown;
  readonly onPatch: (patch: Patch) => void;
}

export function ChartDataField({ data, series, onPatch }: ChartDataProps) {
  const [typed, setTyped] = useTyped();
  const rows = chartRows((data ?? []) as ChartData);
  const names = Array.isArray(series) ? series.map(String) : [];
  const problem = typed === null ? null : problemInSheet(typed);
  return (
    <div class="json-field" data-property="data">
      <textarea
        class="input is-dense is-mono"
        aria-label={texts.value.inspector.chartValues}
        aria-invalid={problem !== null}
        rows={Math.min(12, Math.max(4, rows.length + 1))}
        spellcheck={false}
        placeholder={texts.value.inspector.chartExample}
        title={texts.value.inspector.chartHint}
        value={typed ?? writeChartSheet(rows, names)}
        onInput={(event) => {
          const text = event.currentTarget.value;
          setTyped(text);
          if (problemInSheet(text) === null) onPatch(patchOfSheet(text, rows));
        }}
        onBlur={() => problem === null && setTyped(null)}
      />
      {problem && <span class="field-error">{problem}</span>}
    </div>
  );
}
