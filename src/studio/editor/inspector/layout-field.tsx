// A frame's layout: free, row, column or grid, with its gaps and the alignment of the children.

import { parseTracks } from '#core/template/grid-syntax.ts';
import { GridLayout } from '#core/template/layer.ts';
import { grid2x2 } from '../../parts/icons.ts';
import { Radios } from '../../parts/radios.tsx';
import { texts } from '../../texts/editor.ts';
import { columns, dashed, rows } from '../icons.ts';
import { Select } from './controls.tsx';
import { NumberInput } from './number-input.tsx';
import { labelOf } from './schema.ts';
import { Segments } from './segments.tsx';
import type { SpecialProps } from './special-fields.tsx';
import { Folded, PropertyFields } from './value-field.tsx';

type Layout = Readonly<Record<string, unknown>> & { readonly type?: string };

const KINDS = { none: dashed, row: columns, column: rows, grid: grid2x2 };
const SPREAD = ['start', 'center', 'end', 'space-between', 'space-around', 'space-evenly'];
const CONTENT = ['stretch', ...SPREAD];
const ITEMS = ['start', 'center', 'end', 'stretch'];
const FLOWS = ['row', 'column', 'row dense', 'column dense'];
const DIRECTIONS = ['row', 'column', 'row-reverse', 'column-reverse'];
/** What few grids have. */
const RARE = GridLayout.pick({ gridTemplateAreas: true, gridAutoColumns: true, gridAutoRows: true }).shape;
const AXIS = ['start', 'center', 'end'] as const;

/** The kind of layout; then gap, alignment, and the other options of the kind. */
export function LayoutField({ label, value, isMixed, onValue }: SpecialProps) {
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
  const choice = (name: string, title: string, initial: string, options: readonly string[]) => {
    const shown = String(layout?.[name] ?? initial);
    return (
      // The name stands above: beside the longest values there is no room for it.
      <label class="choice">
        <span class="labelled-name">{title}</span>
        <Select
          label={title}
          value={shown}
          options={[
            !options.includes(shown) && [shown, shown],
            ...options.map((option) => [option, labelOf(option)] as const),
          ]}
          onChoose={(next) => set({ [name]: next })}
        />
      </label>
    );
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
          {[
            [texts.value.inspector.gapBetweenRows, texts.value.inspector.rowGap] as const,
            [texts.value.inspector.gapBetweenColumns, texts.value.inspector.colGap] as const,
          ].map(([label, prefix], i) => (
            <NumberInput
              key={label}
              {...{ label, prefix }}
              {...shownGap(i)}
              min={0}
              words={isPercent}
              onWord={(next) => setGap(i, next)}
              onNumber={(next) => setGap(i, next)}
            />
          ))}
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
              {choice('justifyItems', texts.value.inspector.justifyItems, 'stretch', ITEMS)}
              {choice('align', texts.value.inspector.alignItems, 'stretch', [...ITEMS, 'baseline'])}
              {choice('justifyContent', texts.value.inspector.justifyColumns, 'stretch', CONTENT)}
              {choice('alignContent', texts.value.inspector.alignRows, 'stretch', CONTENT)}
              {choice('gridAutoFlow', texts.value.inspector.flow, 'row', FLOWS)}
            </>
          ) : (
            <>
              <AlignGrid layout={layout} isRow={kind === 'row'} onValue={set} />
              <span class="stack">
                {choice('justify', texts.value.inspector.justify, 'start', SPREAD)}
                {choice('align', texts.value.inspector.align, 'stretch', [...ITEMS, 'baseline'])}
              </span>
              {choice('direction', texts.value.inspector.direction, 'column', DIRECTIONS)}
              {choice('wrap', texts.value.inspector.wrap, 'nowrap', ['nowrap', 'wrap', 'wrap-reverse'])}
              {layout.wrap &&
                layout.wrap !== 'nowrap' &&
                choice('alignContent', texts.value.sections.lines, 'start', CONTENT)}
            </>
          )}
        </div>
      )}
      {layout?.type === 'grid' && !isMixed && (
        <Folded look="more" title={texts.value.inspector.more}>
          {() => <PropertyFields properties={RARE} object={layout} onObject={onValue} />}
        </Folded>
      )}
    </div>
  );
}

/** A grid of nine positions, which sets both axes at once as in design tools. */
function AlignGrid({ layout, isRow, onValue }: { layout: Layout; isRow: boolean; onValue: (part: Layout) => void }) {
  const choices = AXIS.flatMap((y) =>
    AXIS.map((x) => {
      const [justify, align] = isRow ? [x, y] : [y, x];
      const name = texts.value.places[`${x} ${y}`];
      return { value: { justify, align }, content: <span />, label: name, title: name };
    }),
  );
  return (
    <Radios
      label={texts.value.inspector.childAlignment}
      look="align-grid"
      choices={choices}
      isChosen={({ justify, align }) =>
        (layout.justify ?? 'start') === justify && (layout.align ?? 'stretch') === align
      }
      onChoose={onValue}
    />
  );
}

/** Sizes of a grid's tracks as one text: `1fr 120 hug`. */
type TracksProps = { label: string; value: unknown; onValue: (tracks: readonly (string | number)[]) => void };

function TracksField({ label, value, onValue }: TracksProps) {
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
