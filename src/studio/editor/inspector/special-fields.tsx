// Controls by hand for what a schema alone does not show well: a frame's layout, a focal point, decoration, points.

import type { z } from 'zod';
import { Icon } from '../../parts/icon.tsx';
import { grid2x2 } from '../../parts/icons.ts';
import { columns, dashed, rows, strikethrough, underline } from '../icons.ts';
import { JsonField } from './json-field.tsx';
import { NumberInput } from './number-input.tsx';
import { Segments } from './segments.tsx';

export interface SpecialProps {
  readonly label: string;
  readonly schema: z.ZodType;
  readonly value: unknown;
  readonly isMixed: boolean;
  readonly onValue: (value: unknown) => void;
}

type Layout = Readonly<Record<string, unknown>> & { readonly type?: string };

const KINDS = { none: dashed, row: columns, column: rows, grid: grid2x2 };
const KIND_NAMES = {
  none: 'Free: children are placed by x and y',
  row: 'In a row',
  column: 'In a column',
  grid: 'In a grid',
};
const AXIS = ['start', 'center', 'end'] as const;

/** None, a row, a column or a grid; then gap, alignment, and what else the kind has. */
export function LayoutField({ label, schema, value, isMixed, onValue }: SpecialProps) {
  const layout = (value ?? null) as Layout | null;
  const direction = String(layout?.direction ?? 'column');
  const kind =
    layout === null ? 'none' : layout.type === 'grid' ? 'grid' : direction.startsWith('row') ? 'row' : 'column';
  const set = (part: Layout) => onValue({ ...layout, ...part });
  const change = (next: string) => {
    if (next === kind) return;
    const gap = layout?.gap ?? 8;
    if (next === 'none') onValue(null);
    else if (next === 'grid') onValue({ type: 'grid', columns: ['1fr', '1fr'], gap });
    else onValue({ type: 'flex', direction: next, gap, align: (layout?.align as string | undefined) ?? 'start' });
  };
  const gap = layout?.gap;
  const gaps = Array.isArray(gap) ? gap.map(Number) : [Number(gap ?? 0), Number(gap ?? 0)];
  const setGap = (i: number, next: number) => {
    const both = gaps.with(i, next);
    set({ gap: both[0] === both[1] ? (both[0] ?? 0) : both });
  };
  return (
    <div class="layout-field" data-property="layout">
      <Segments
        label={label}
        options={Object.keys(KINDS)}
        icons={KINDS}
        names={KIND_NAMES}
        value={isMixed ? null : kind}
        onValue={change}
      />
      {layout !== null && !isMixed && (
        <div class="field-grid">
          <NumberInput
            label="Gap between rows"
            prefix="Row gap"
            value={gaps[0] ?? 0}
            min={0}
            onNumber={(next) => setGap(0, next)}
          />
          <NumberInput
            label="Gap between columns"
            prefix="Col gap"
            value={gaps[1] ?? 0}
            min={0}
            onNumber={(next) => setGap(1, next)}
          />
          {layout.type === 'grid' ? (
            <>
              <TracksField
                label="Columns"
                value={layout.columns}
                onValue={(tracks) => tracks.length > 0 && set({ columns: tracks })}
              />
              <TracksField label="Rows" value={layout.rows ?? []} onValue={(tracks) => set({ rows: tracks })} />
              <Choice
                label="Justify items"
                options={['start', 'center', 'end', 'stretch']}
                value={layout.justifyItems ?? 'stretch'}
                onValue={(next) => set({ justifyItems: next })}
              />
              <Choice
                label="Align items"
                options={['start', 'center', 'end', 'stretch']}
                value={layout.align ?? 'stretch'}
                onValue={(next) => set({ align: next })}
              />
            </>
          ) : (
            <>
              <AlignGrid layout={layout} isRow={kind === 'row'} onValue={set} />
              <span class="stack">
                <Choice
                  label="Justify"
                  options={['start', 'center', 'end', 'space-between', 'space-around', 'space-evenly']}
                  value={layout.justify ?? 'start'}
                  onValue={(next) => set({ justify: next })}
                />
                <Choice
                  label="Align"
                  options={['start', 'center', 'end', 'stretch', 'baseline']}
                  value={layout.align ?? 'stretch'}
                  onValue={(next) => set({ align: next })}
                />
              </span>
              <Choice
                label="Direction"
                options={['row', 'column', 'row-reverse', 'column-reverse']}
                value={direction}
                onValue={(next) => set({ direction: next })}
              />
              <Choice
                label="Wrap"
                options={['nowrap', 'wrap', 'wrap-reverse']}
                value={layout.wrap ?? 'nowrap'}
                onValue={(next) => set({ wrap: next })}
              />
              {layout.wrap && layout.wrap !== 'nowrap' && (
                <Choice
                  label="Lines"
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
        <summary>As JSON</summary>
        <JsonField label={label} schema={schema} value={value} isMixed={isMixed} onValue={onValue} />
      </details>
    </div>
  );
}

export function Choice({
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
  return (
    <select
      class="input is-dense"
      aria-label={label}
      title={label}
      value={String(value)}
      onChange={(event) => onValue(event.currentTarget.value)}
    >
      {options.map((option) => (
        <option key={option} value={option}>
          {`${label}: ${option.replaceAll('-', ' ')}`}
        </option>
      ))}
    </select>
  );
}

/** Nine places, as designers set both axes at once. */
function AlignGrid({ layout, isRow, onValue }: { layout: Layout; isRow: boolean; onValue: (part: Layout) => void }) {
  return (
    <div class="align-grid" role="radiogroup" aria-label="Place of the children">
      {AXIS.flatMap((y) =>
        AXIS.map((x) => {
          const [justify, align] = isRow ? [x, y] : [y, x];
          const isHere = (layout.justify ?? 'start') === justify && (layout.align ?? 'stretch') === align;
          const name = `${{ start: 'top', center: 'middle', end: 'bottom' }[y]} ${{ start: 'left', center: 'centre', end: 'right' }[x]}`;
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

/** Sizes of a grid's tracks, written one beside the other: `1fr 120 hug`. */
export function TracksField({
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
      aria-label={`${label}: sizes of tracks`}
      title={`${label}: px, 50%, 1fr or hug, one beside the other`}
      placeholder={label}
      defaultValue={text}
      onChange={(event) => {
        const words = event.currentTarget.value
          .trim()
          .split(/[\s,]+/)
          .filter(Boolean);
        const tracks = words.map((word) => (/^\d+(\.\d+)?(px)?$/.test(word) ? Number.parseFloat(word) : word));
        if (
          tracks.every(
            (track) => typeof track === 'number' || /^(\d{1,4}(\.\d{1,4})?%|\d{1,3}(\.\d{1,4})?fr|hug)$/.test(track),
          )
        )
          onValue(tracks);
        else event.currentTarget.value = text;
      }}
    />
  );
}

const FOCI = ['point', 'attention', 'entropy'] as const;

export function FocusField({ label, value, isMixed, onValue }: SpecialProps) {
  const kind = typeof value === 'string' ? value : 'point';
  const point = (typeof value === 'object' && value !== null ? value : { x: 0.5, y: 0.5 }) as {
    readonly x: number;
    readonly y: number;
  };
  return (
    <div class="field-grid" data-property="focus">
      <select
        class="input is-dense is-wide"
        aria-label={label}
        value={isMixed ? '' : kind}
        onChange={(event) =>
          onValue(event.currentTarget.value === 'point' ? { x: 0.5, y: 0.5 } : event.currentTarget.value)
        }
      >
        {FOCI.map((one) => (
          <option key={one} value={one}>
            {{ point: 'Focal point', attention: 'Found: attention', entropy: 'Found: detail' }[one]}
          </option>
        ))}
      </select>
      {kind === 'point' &&
        (['x', 'y'] as const).map((axis) => (
          <NumberInput
            key={axis}
            label={`Focal point, ${axis}`}
            prefix={axis.toUpperCase()}
            unit="%"
            min={0}
            max={100}
            value={isMixed ? null : point[axis] * 100}
            onNumber={(next) => onValue({ ...point, [axis]: next / 100 })}
          />
        ))}
    </div>
  );
}

const LINES = [
  ['underline', 'Underline', underline],
  ['line-through', 'Strike through', strikethrough],
] as const;

export function DecorationField({ label, value, onValue }: SpecialProps) {
  const lines = Array.isArray(value) ? value.map(String) : value && value !== 'none' ? [String(value)] : [];
  const set = (line: string) => {
    const next = lines.includes(line) ? lines.filter((one) => one !== line) : [...lines, line];
    onValue(next.length === 0 ? 'none' : next.length === 1 ? next[0] : next);
  };
  return (
    <div class="segments" role="group" aria-label={label} data-property="textDecoration">
      {LINES.map(([line, name, icon]) => (
        <button
          key={line}
          type="button"
          aria-pressed={lines.includes(line)}
          aria-label={name}
          title={name}
          onClick={() => set(line)}
        >
          <Icon of={icon} size={14} />
        </button>
      ))}
      <button
        type="button"
        aria-pressed={lines.includes('overline')}
        aria-label="Overline"
        title="Overline"
        onClick={() => set('overline')}
      >
        <span class="overlined">O</span>
      </button>
    </div>
  );
}

export const WEIGHTS: Readonly<Record<number, string>> = {
  100: 'Thin',
  200: 'Extra light',
  300: 'Light',
  400: 'Regular',
  500: 'Medium',
  600: 'Semi bold',
  700: 'Bold',
  800: 'Extra bold',
  900: 'Black',
};

export function WeightField({
  label,
  value,
  isMixed,
  onValue,
  weights,
}: SpecialProps & { readonly weights: readonly number[] }) {
  const shown = typeof value === 'number' ? value : 400;
  const options = [...new Set([...weights, shown])].sort((a, b) => a - b);
  return (
    <select
      class="input is-dense"
      aria-label={label}
      title={label}
      value={isMixed ? '' : String(shown)}
      data-property="fontWeight"
      onChange={(event) => onValue(Number(event.currentTarget.value))}
    >
      {isMixed && <option value="">Mixed</option>}
      {options.map((weight) => (
        <option key={weight} value={String(weight)}>
          {WEIGHTS[weight] ? `${WEIGHTS[weight]} ${weight}` : weight}
        </option>
      ))}
    </select>
  );
}
