// The points of a shape: how many tips or sides it has, or its corners one by one.

import { useComputed } from '@preact/signals';
import { texts } from '../../texts/editor.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { TextButton } from './controls.tsx';
import { NumberInput } from './number-input.tsx';
import { misfit } from './schema.ts';
import { AddButton, RemoveButton } from './segments.tsx';
import type { SpecialProps } from './special-fields.tsx';
import { TypedField } from './typed-field.tsx';

type Point = readonly [x: number, y: number];

/** By shape whose points may be a number: how many there are unless the layer says so, as in core. */
const COUNTED: Readonly<Record<string, number>> = { star: 5, polygon: 6 };
/** With more points, two fields each would be slow; they are one text, as of `points` in SVG. */
const MOST_POINTS = 50;
const LEAST_POINTS: Readonly<Record<string, number>> = { line: 2, polygon: 3 };

export function PointsField({ editor, ...props }: SpecialProps & { readonly editor: EditorState }) {
  const { value, isMixed, onValue } = props;
  const shape = useComputed(() => String(editor.selectedLayers.value[0]?.shape ?? 'rect')).value;
  const size = useComputed(() => {
    const [layer] = editor.selectedLayers.value;
    return [layer?.width, layer?.height].map((side) => (typeof side === 'number' ? side : 100));
  }).value;
  const [width = 100, height = 100] = size;
  const counted = COUNTED[shape];
  if (!counted && shape !== 'line') return <span class="faint">{texts.value.inspector.noPoints}</span>;
  const points = Array.isArray(value) ? (value as readonly Point[]) : null;
  if (points && points.length > MOST_POINTS)
    return (
      <TypedField
        isMono
        aria-label={props.label}
        shown={points.map((point) => point.join(',')).join(' ')}
        problemOf={(text) => misfit(props.schema, pointsIn(text))}
        onText={(text) => onValue(pointsIn(text))}
      />
    );
  if (points)
    return (
      <div class="stack">
        {points.map((point, i) => (
          <div key={i} class="point">
            {(['X', 'Y'] as const).map((axis, at) => (
              <NumberInput
                key={axis}
                label={texts.value.inspector.pointAxis(i + 1, axis)}
                prefix={axis}
                value={point[at] ?? 0}
                onNumber={(next) => onValue(points.with(i, at === 0 ? [next, point[1]] : [point[0], next]))}
              />
            ))}
            {points.length > (LEAST_POINTS[shape] ?? 2) && (
              <RemoveButton
                label={texts.value.inspector.pointNumber(i + 1)}
                onRemove={() => onValue(points.toSpliced(i, 1))}
              />
            )}
          </div>
        ))}
        {shape !== 'line' && (
          <AddButton
            label={texts.value.inspector.point}
            onAdd={() => onValue([...points, [Math.round(width / 2), Math.round(height / 2)]])}
          />
        )}
        <TextButton onClick={() => onValue(null)}>
          {counted ? texts.value.inspector.makeRegular : texts.value.inspector.cornerToCorner}
        </TextButton>
      </div>
    );
  const corners: readonly Point[] =
    shape === 'line'
      ? [
          [0, 0],
          [width, height],
        ]
      : regular(count(value, 6), width, height);
  return (
    <div class="stack">
      {counted && (
        <NumberInput
          label={props.label}
          value={isMixed ? null : count(value, counted)}
          placeholder={isMixed ? texts.value.common.mixed : ''}
          min={3}
          max={100}
          isInt
          onNumber={onValue}
          onEmpty={() => onValue(null)}
        />
      )}
      {shape !== 'star' && !isMixed && (
        <AddButton label={texts.value.inspector.ownPoints} onAdd={() => onValue(corners)} />
      )}
    </div>
  );
}

/** The points of a text such as `0,0 40,25`. */
const pointsIn = (text: string): unknown =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split(',').map(Number));

const count = (value: unknown, initial: number): number => (typeof value === 'number' ? value : initial);

/** The corners of a regular polygon in a box, from the top. */
function regular(sides: number, width: number, height: number): readonly Point[] {
  return Array.from({ length: Math.min(sides, MOST_POINTS) }, (_, i) => {
    const angle = (2 * Math.PI * i) / sides - Math.PI / 2;
    return [
      Math.round((1 + Math.cos(angle)) * (width / 2) * 100) / 100,
      Math.round((1 + Math.sin(angle)) * (height / 2) * 100) / 100,
    ];
  });
}
