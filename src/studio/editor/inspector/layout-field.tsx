// A frame's layout: free, row, column or grid, with its gaps and the alignment of the children.

import { parseTracks } from '#core/template/grid-syntax.ts';
import { grid2x2 } from '../../parts/icons.ts';
import { texts } from '../../texts/editor.ts';
import { columns, dashed, rows } from '../icons.ts';
import { JsonField } from './json-field.tsx';
import { NumberInput } from './number-input.tsx';
import { labelOf } from './schema.ts';
import { Segments } from './segments.tsx';
import type { SpecialProps } from './special-fields.tsx';

type Layout = Readonly<Record<string, unknown>> & { readonly type?: string };

const KINDS = { none: dashed, row: columns, column: rows, grid: grid2x2 };
const CONTENT = ['stretch', 'start', 'center', 'end', 'space-between', 'space-around', 'space-evenly'];
const AXIS = ['start', 'center', 'end'] as const;

/** The kind of layout; then gap, alignment, and the other options of the kind. */
export function LayoutField({ label, schema, value, isMixed, onValue }: SpecialProps) {
  const layout = (value ?? null) as Layout | null;
  const direction = String(layout?.direction ?? 'column');
  const kind =
    layout === null
      ? 'none'
      : layout.type === 'contents'
        ? 'contents'
        : layout.type === 'grid'
          ? 'grid'
          : direction.startsWith('row')
            ? 'row'
            : 'column';
  const set = (part: Layout) => onValue({ ...layout, ...part });
  const change = (next: string) => {
    if (next === kind) return;
    const gap = layout?.gap ?? 8;
    if (next === 'none') onValue(null);
    else if (next === 'grid') onValue({ type: 'grid', columns: ['1fr', '1fr'], gap });
    else onValue({ type: 'flex', direction: next, gap, align: (layout?.align as string | undefined) ?? 'start' });
  };
  const gap = layout?.gap;
  const gaps: readonly (number | string)[] = Array.isArray(gap) ? gap : [gap ?? 0, gap ?? 0];
  const shownGap = (i: number) =>
    typeof gaps[i] === 'string' ? { value: null, shown: gaps[i] } : { value: gaps[i] ?? 0 };
  const isPercent = (text: string) => /^\d{1,4}(\.\d{1,4})?%$/.test(text);
  const setGap = (i: number, next: number | string) => {
    const both = gaps.with(i, next);
    set({ gap: both[0] === both[1] ? (both[0] ?? 0) : both });
  };
  return (
    <div class="layout-field" data-property="layout">
      <Segments
        label={label}
        options={Object.keys(KINDS)}
        icons={KINDS}
        names={texts.value.layoutKinds}
        value={isMixed ? null : kind}
        onValue={change}
      />
      {layout !== null && kind !== 'contents' && !isMixed && (
        <div class="field-grid">
          <NumberInput
            label={texts.value.inspector.gapBetweenRows}
            prefix={texts.value.inspector.rowGap}
            {...shownGap(0)}
            min={0}
            words={isPercent}
            onWord={(next) => setGap(0, next)}
            onNumber={(next) => setGap(0, next)}
          />
          <NumberInput
            label={texts.value.inspector.gapBetweenColumns}
            prefix={texts.value.inspector.colGap}
            {...shownGap(1)}
            min={0}
            words={isPercent}
            onWord={(next) => setGap(1, next)}
            onNumber={(next) => setGap(1, next)}
          />
          {layout.type === 'grid' ? (
            <>
              <TracksField
                label={texts.value.inspector.columns}
                value={layout.columns}
                onValue={(tracks) => tracks.length > 0 && set({ columns: tracks })}
              />
              <TracksField
                label={texts.value.inspector.rows}
                value={layout.rows ?? []}
                onValue={(tracks) => set({ rows: tracks })}
              />
              <Choice
                label={texts.value.inspector.justifyItems}
                options={['start', 'center', 'end', 'stretch']}
                value={layout.justifyItems ?? 'stretch'}
                onValue={(next) => set({ justifyItems: next })}
              />
              <Choice
                label={texts.value.inspector.alignItems}
                options={['start', 'center', 'end', 'stretch', 'baseline']}
                value={layout.align ?? 'stretch'}
                onValue={(next) => set({ align: next })}
              />
              <Choice
                label={texts.value.inspector.justifyColumns}
                options={CONTENT}
                value={layout.justifyContent ?? 'stretch'}
                onValue={(next) => set({ justifyContent: next })}
              />
              <Choice
                label={texts.value.inspector.alignRows}
                options={CONTENT}
                value={layout.alignContent ?? 'stretch'}
                onValue={(next) => set({ alignContent: next })}
              />
              <Choice
                label={texts.value.inspector.flow}
                options={['row', 'column', 'row dense', 'column dense']}
                value={layout.gridAutoFlow ?? 'row'}
                onValue={(next) => set({ gridAutoFlow: next })}
              />
            </>
          ) : (
            <>
              <AlignGrid layout={layout} isRow={kind === 'row'} onValue={set} />
              <span class="stack">
                <Choice
                  label={texts.value.inspector.justify}
                  options={['start', 'center', 'end', 'space-between', 'space-around', 'space-evenly']}
                  value={layout.justify ?? 'start'}
                  onValue={(next) => set({ justify: next })}
                />
                <Choice
                  label={texts.value.inspector.align}
                  options={['start', 'center', 'end', 'stretch', 'baseline']}
                  value={layout.align ?? 'stretch'}
                  onValue={(next) => set({ align: next })}
                />
              </span>
              <Choice
                label={texts.value.inspector.direction}
                options={['row', 'column', 'row-reverse', 'column-reverse']}
                value={direction}
                onValue={(next) => set({ direction: next })}
              />
              <Choice
                label={texts.value.inspector.wrap}
                options={['nowrap', 'wrap', 'wrap-reverse']}
                value={layout.wrap ?? 'nowrap'}
                onValue={(next) => set({ wrap: next })}
              />
              {layout.wrap && layout.wrap !== 'nowrap' && (
                <Choice
                  label={texts.value.inspector.lines}
                  options={['start', 'center', 'end', 'stretch', 'space-between', 'space-around', 'space-evenly']}
                  value={layout.alignContent ?? 'start'}
                  onValue={(next) => set({ alignContent: next })}
                />
              )}
            </>
          )}
        </div>
      )}
      <details class="as-json">
        <summary>{texts.value.inspector.asJson}</summary>
        <JsonField label={label} schema={schema} value={value} isMixed={isMixed} onValue={onValue} />
      </details>
    </div>
  );
}

function Choice({
  label,
  options,
  value,
  onValue,
}: {
  label: string;
  options: readonly string[];
  value: unknown;
  onValue: (value: string) => void;
}) {
  const shown = (option: string) => labelOf(option);
  return (
    // The name stands above: beside the longest values there is no room for it.
    <label class="choice">
      <span class="labelled-name">{label}</span>
      <select
        class="input is-dense"
        title={label}
        value={String(value)}
        onChange={(event) => onValue(event.currentTarget.value)}
      >
        {!options.includes(String(value)) && <option value={String(value)}>{String(value)}</option>}
        {options.map((option) => (
          <option key={option} value={option}>
            {shown(option)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A grid of nine positions, which sets both axes at once as in design tools. */
function AlignGrid({ layout, isRow, onValue }: { layout: Layout; isRow: boolean; onValue: (part: Layout) => void }) {
  return (
    <div class="align-grid" role="radiogroup" aria-label={texts.value.inspector.childAlignment}>
      {AXIS.flatMap((y) =>
        AXIS.map((x) => {
          const [justify, align] = isRow ? [x, y] : [y, x];
          const isHere = (layout.justify ?? 'start') === justify && (layout.align ?? 'stretch') === align;
          const name = texts.value.places[`${x} ${y}`];
          return (
            <button
              key={name}
              type="button"
              role="radio"
              aria-checked={isHere}
              aria-label={name}
              title={name}
              onClick={() => onValue({ justify, align })}
            >
              <span />
            </button>
          );
        }),
      )}
    </div>
  );
}

/** Sizes of a grid's tracks as one text: `1fr 120 hug`. */
function TracksField({
  label,
  value,
  onValue,
}: {
  label: string;
  value: unknown;
  onValue: (tracks: readonly (string | number)[]) => void;
}) {
  const text = Array.isArray(value) ? value.join(' ') : '';
  return (
    <input
      key={text}
      class="input is-dense is-mono"
      aria-label={texts.value.inspector.tracks(label)}
      title={texts.value.inspector.tracksHint(label)}
      placeholder={label}
      defaultValue={text}
      onChange={(event) => {
        const words = event.currentTarget.value.match(/[^\s,()]+(?:\((?:[^()]|\([^()]*\))*\))?/g) ?? [];
        const tracks = words.map((word) => (/^\d+(\.\d+)?(px)?$/.test(word) ? Number.parseFloat(word) : word));
        if (tracks.every((track) => typeof track === 'number' || parseTracks(track) !== null)) onValue(tracks);
        else event.currentTarget.value = text;
      }}
    />
  );
}
