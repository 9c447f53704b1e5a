// Draws the overlay: outlines of the selection and the hovered layer, handles, guides, and marks while dragging.

import { type ReadonlySignal, useComputed } from '@preact/signals';
import { centreOf, type Matrix, type Point, type Rect, transformPoint } from '#core/geometry.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import type { EditorState } from '../state/editor-state.ts';
import { distancesBetween } from './distances.ts';
import { boundsOf, boundsOfAll, flows } from './geometry-of.ts';
import type { Marks } from './gesture.ts';
import { MarksView } from './marks-view.tsx';
import { type Corner, radiiOf } from './turn-gestures.ts';
import type { Viewport } from './viewport.ts';

interface OverlayProps {
  readonly editor: EditorState;
  readonly viewport: Viewport;
  readonly marks: ReadonlySignal<Marks>;
  readonly alt: ReadonlySignal<boolean>;
}

export function Overlay(props: OverlayProps) {
  const { editor, viewport } = props;
  const { width, height } = viewport.size.value;
  return (
    <svg class="overlay" width={width} height={height} aria-hidden="true">
      <Grid editor={editor} viewport={viewport} />
      <Guides editor={editor} viewport={viewport} />
      <Selected {...props} />
    </svg>
  );
}

/** The parts that change while the pointer moves: selection, hover, and the marks of a drag. */
function Selected({ editor, viewport, marks, alt }: OverlayProps) {
  const boxes = editor.selectedBoxes.value;
  const picture = editor.picture.value;
  const hovered = editor.hovered.value;
  const isEditing = editor.editingText.value !== null || editor.editingCrop.value !== null;
  const isDragging = editor.isDragging.value;
  const over = hovered !== null && !editor.selection.value.includes(hovered) ? picture?.byName.get(hovered) : undefined;
  const selected = boundsOfAll(boxes);
  const target = over
    ? boundsOf(over)
    : picture
      ? { x: 0, y: 0, width: picture.scene.width, height: picture.scene.height }
      : null;
  const distances = alt.value && !isDragging && selected && target ? distancesBetween(selected, target) : [];
  return (
    <g>
      {over && !isDragging && <path class="outline is-hovered" d={outline(over, viewport)} />}
      {marks.value.into !== null && picture?.byName.has(marks.value.into) && (
        <path class="outline is-into" d={outline(picture.byName.get(marks.value.into) as LocatedBox, viewport)} />
      )}
      {boxes.map((box) => (
        <path key={box.name} class={isEditing ? 'outline is-editing' : 'outline'} d={outline(box, viewport)} />
      ))}
      {!isEditing && !isDragging && boxes.length > 0 && <Handles editor={editor} viewport={viewport} boxes={boxes} />}
      {isDragging && boxes.length > 1 && selected && <path class="outline" d={rectPath(selected, viewport)} />}
      <MarksView marks={marks.value} viewport={viewport} distances={distances} />
      {!isDragging && selected && !isEditing && <SizeLabel boxes={boxes} bounds={selected} viewport={viewport} />}
    </g>
  );
}

const at = (viewport: Viewport, point: Point) => {
  const { x, y } = viewport.toView(point);
  return `${Math.round(x * 2) / 2} ${Math.round(y * 2) / 2}`;
};

const cornersOf = ({ x, y, width, height }: Rect): readonly Point[] => [
  { x, y },
  { x: x + width, y },
  { x: x + width, y: y + height },
  { x, y: y + height },
];

function outline({ matrix, rect }: LocatedBox, viewport: Viewport): string {
  return `M${cornersOf(rect)
    .map((corner) => at(viewport, transformPoint(matrix, corner)))
    .join('L')}Z`;
}

const rectPath = (rect: Rect, viewport: Viewport) =>
  `M${cornersOf(rect)
    .map((corner) => at(viewport, corner))
    .join('L')}Z`;

const SIDES = [
  [-1, -1],
  [0, -1],
  [1, -1],
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
] as const;
/** Cursors for directions in steps of 45°, clockwise from the right. */
const CURSORS = ['ew-resize', 'nwse-resize', 'ns-resize', 'nesw-resize'] as const;
/** View px: the size of a handle, the width of a side's hit area, and the zone outside a corner that rotates. */
const [SIZE, REACH, TURN] = [8, 10, 22];

function Handles({
  editor,
  viewport,
  boxes,
}: {
  editor: EditorState;
  viewport: Viewport;
  boxes: readonly LocatedBox[];
}) {
  const [only, ...others] = boxes;
  if (!only || boxes.every(({ name }) => editor.isLocked(name))) return null;
  const alone = others.length === 0;
  const rect = alone ? only.rect : (boundsOfAll(boxes) as Rect);
  const matrix: Matrix = alone ? only.matrix : [1, 0, 0, 1, 0, 0];
  const view = (x: number, y: number) =>
    viewport.toView(
      transformPoint(matrix, { x: rect.x + (rect.width * (x + 1)) / 2, y: rect.y + (rect.height * (y + 1)) / 2 }),
    );
  const turn = (Math.atan2(matrix[1], matrix[0]) * 180) / Math.PI;
  const zoom = viewport.zoom.value;
  const isLine =
    alone && only.box.kind === 'leaf' && only.box.node.type === 'shape' && only.box.node.outline.kind === 'line';
  const [wide, high] = [rect.width * zoom, rect.height * zoom];
  return (
    <g>
      {SIDES.filter(([x, y]) => x !== 0 && y !== 0).map(([x, y]) => {
        const { x: cx, y: cy } = view(x, y);
        return <circle key={`turn ${x}${y}`} class="turn-zone" data-rotate cx={cx} cy={cy} r={TURN} />;
      })}
      {SIDES.map(([x, y]) => {
        const isCorner = x !== 0 && y !== 0;
        const angle = Math.round((Math.atan2(y, x) * 180) / Math.PI / 45 + turn / 45);
        const cursor = CURSORS[((angle % 4) + 4) % 4];
        if (isCorner) {
          const { x: cx, y: cy } = view(x, y);
          return (
            <rect
              key={`${x}${y}`}
              class="handle"
              data-handle={`${x},${y}`}
              x={cx - SIZE / 2}
              y={cy - SIZE / 2}
              width={SIZE}
              height={SIZE}
              transform={`rotate(${turn} ${cx} ${cy})`}
              style={{ cursor }}
            />
          );
        }
        // A side that is too short beside its corner handles has no handle of its own.
        if ((x === 0 ? wide : high) < 3 * REACH || (isLine && (x === 0 ? wide : high) < 3 * REACH)) return null;
        const a = view(x === 0 ? -1 : x, y === 0 ? -1 : y);
        const b = view(x === 0 ? 1 : x, y === 0 ? 1 : y);
        return (
          <line
            key={`${x}${y}`}
            class="side"
            data-handle={`${x},${y}`}
            x1={a.x}
            y1={a.y}
            x2={b.x}
            y2={b.y}
            stroke-width={REACH}
            style={{ cursor }}
          />
        );
      })}
      {SIDES.filter(([x, y]) => x !== 0 && y !== 0).map(([x, y]) => {
        const { x: cx, y: cy } = view(x, y);
        const angle = Math.round((Math.atan2(y, x) * 180) / Math.PI / 45 + turn / 45);
        return (
          <rect
            key={`reach ${x}${y}`}
            class="corner-reach"
            data-handle={`${x},${y}`}
            x={cx - 7}
            y={cy - 7}
            width={14}
            height={14}
            style={{ cursor: CURSORS[((angle % 4) + 4) % 4] }}
          />
        );
      })}
      {alone && wide > 72 && high > 72 && <RadiusHandles editor={editor} box={only} viewport={viewport} />}
    </g>
  );
}

/** Whether the layer has corners that can be rounded. */
function hasRadius(box: LocatedBox): boolean {
  const { node } = box.box;
  if (node.type === 'shape') return node.outline.kind === 'rect';
  return node.type === 'frame' || node.type === 'image';
}

const INWARD = [
  [1, 1],
  [-1, 1],
  [-1, -1],
  [1, -1],
] as const;

function RadiusHandles({ editor, box, viewport }: { editor: EditorState; box: LocatedBox; viewport: Viewport }) {
  if (!hasRadius(box)) return null;
  const radii = radiiOf(editor.layer(box.name)?.borderRadius);
  const most = Math.min(box.rect.width, box.rect.height) / 2;
  const least = 14 / viewport.zoom.value;
  return (
    <g>
      {cornersOf(box.rect).map((corner, i) => {
        const [sx, sy] = INWARD[i as Corner];
        const inward = Math.min(most, Math.max(least, radii[i] ?? 0));
        const { x, y } = viewport.toView(
          transformPoint(box.matrix, { x: corner.x + sx * inward, y: corner.y + sy * inward }),
        );
        return <circle key={i} class="radius-handle" data-corner={i} cx={x} cy={y} r={4} />;
      })}
    </g>
  );
}

function SizeLabel({ boxes, bounds, viewport }: { boxes: readonly LocatedBox[]; bounds: Rect; viewport: Viewport }) {
  const [only, ...others] = boxes;
  if (!only) return null;
  const { width, height } = others.length === 0 ? only.rect : bounds;
  const { x, y } = viewport.toView({ x: centreOf(bounds).x, y: bounds.y + bounds.height });
  const number = (value: number) => String(Math.round(value * 100) / 100);
  const text = `${number(width)} × ${number(height)}`;
  const wide = text.length * 6.6 + 12;
  return (
    <g class={others.length === 0 && flows(only) ? 'size-label is-flowing' : 'size-label'}>
      <rect x={x - wide / 2} y={y + 8} width={wide} height={18} rx={3} />
      <text x={x} y={y + 21}>
        {text}
      </text>
    </g>
  );
}

function Guides({ editor, viewport }: { editor: EditorState; viewport: Viewport }) {
  const { width, height } = viewport.size.value;
  return (
    <g>
      {editor.preferences.guides.value.map(({ axis, at: place }, i) => {
        const { x, y } = viewport.toView({ x: place, y: place });
        const ends = axis === 'x' ? { x1: x, x2: x, y1: 0, y2: height } : { y1: y, y2: y, x1: 0, x2: width };
        return (
          <g key={i}>
            <line class="guide" {...ends} />
            <line class={`guide-reach is-${axis}`} data-guide={i} {...ends} />
          </g>
        );
      })}
    </g>
  );
}

function Grid({ editor, viewport }: { editor: EditorState; viewport: Viewport }) {
  const { grid, showGrid } = editor.preferences;
  const size = useComputed(() => `${editor.document.value.width} ${editor.document.value.height}`).value;
  const [width = 0, height = 0] = size.split(' ').map(Number);
  const zoom = viewport.zoom.value;
  const step = grid.value * zoom;
  if (!showGrid.value || step < 4) return null;
  const { x, y } = viewport.offset.value;
  return (
    <g class="grid">
      <defs>
        <pattern id="editor-grid" x={x} y={y} width={step} height={step} patternUnits="userSpaceOnUse">
          <path d={`M${step} 0H0V${step}`} />
        </pattern>
      </defs>
      <rect x={x} y={y} width={width * zoom} height={height * zoom} fill="url(#editor-grid)" />
    </g>
  );
}
