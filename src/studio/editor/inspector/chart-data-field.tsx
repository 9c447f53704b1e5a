// The values of a chart as lines of text, into which rows of a spreadsheet can be pasted.

import { type ChartLayer, chartRows } from '#core/template/chart-layer.ts';
import { texts } from '../../texts/editor.ts';
import { readChartSheet, writeChartSheet } from '../document/chart-data.ts';
import type { Patch } from '../document/edits.ts';
import { useTyped } from './typed-text.ts';

interface ChartDataProps {
  readonly data: unknown;
  readonly series: unknown;
  readonly onPatch: (patch: Patch) => void;
}

export function ChartDataField({ data, series, onPatch }: ChartDataProps) {
  const [typed, setTyped] = useTyped();
  const rows = chartRows((data ?? []) as ChartLayer['data']);
  const names = Array.isArray(series) ? series.map(String) : [];
  const problem = typed === null ? null : problemIn(typed);
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
          if (problemIn(text) !== null) return;
          const sheet = readChartSheet(text);
          // Colours of their own stay with the labels that have them.
          const colors = new Map(rows.flatMap(({ label, color }) => (color === null ? [] : [[label, color] as const])));
          const entries = sheet.data.map((entry) => {
            const color = typeof entry === 'object' && entry !== null ? colors.get(entry.label) : undefined;
            return color === undefined || typeof entry !== 'object' ? entry : { ...entry, color };
          });
          onPatch({ data: entries, ...(sheet.series && { series: sheet.series }) });
        }}
        onBlur={() => problem === null && setTyped(null)}
      />
      {problem && <span class="field-error">{problem}</span>}
    </div>
  );
}

function problemIn(text: string): string | null {
  try {
    readChartSheet(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
