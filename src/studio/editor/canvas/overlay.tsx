// Draws the overlay: outlines of the selection and the hovered layer, handles, guides, and marks while dragging.

import { type ReadonlySignal, useComputed } from '@preact/signals';
import { centreOf, type Point, type Rect, transformPoint } from '#core/geometry.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import { pageMargins, sheetSize } from '#core/template/page.ts';
import { texts } from '../../texts/editor.ts';
import { guidesOf } from '../core/document/document.ts';
import { isPage } from '../core/document/hand-pages.ts';
import { type Distance, distancesBetween } from '../core/geometry/distances.ts';
import { boundsOf, boundsOfAll, flows } from '../core/geometry/geometry-of.ts';
import { columnLines } from '../core/geometry/table-places.ts';
import type { Viewport } from '../core/geometry/viewport.ts';
import type { Marks } from '../core/gestures/gesture.ts';
import { type ArcHandle, HANDLE_SIZE, handleBoxOf, radiusHandles } from '../core/gestures/handle-zones.ts';
import type { PointerInput } from '../core/gestures/pointer.ts';
import { PAGE_GAP, type Picture, pictureless } from '../core/scene/compositor.ts';
import type { EditorState, PanelHandles } from '../core/state/editor-state.ts';

interface OverlayProps {
  readonly editor: EditorState;
  readonly viewport: Viewport;
  readonly pointer: PointerInput;
  readonly marks: ReadonlySignal<Marks>;
  readonly alt: ReadonlySignal<boolean>;
}

export function Overlay(props: OverlayProps) {
  const { editor, viewport } = props;
  const { width, height } = viewport.size.value;
  return (
    <svg class="overlay" width={width} height={height} aria-hidden="true">
      {[Grid, Guides, PageGaps, PageMargins, PageBreaks, MissingPictures].map((Marks, i) => (
        <Marks key={i} editor={editor} viewport={viewport} />
      ))}
      <Selected {...props} />
    </svg>
  );
}

/** The parts that change while the pointer moves: selection, hover, and the marks of a drag. */
function Selected({ editor, viewport, pointer, marks, alt }: OverlayProps) {
  const boxes = editor.selectedBoxes.value;
  const picture = editor.picture.value;
  const hovered = editor.hovered.value;
  const isEditing = editor.isEditing.value;
  const isDragging = editor.isDragging.value;
  const over = hovered !== null && !editor.selection.value.includes(hovered) ? picture?.byName.get(hovered) : undefined;
  const selected = boundsOfAll(boxes);
  const target = over
    ? boundsOf(over)
    : picture
      ? { x: 0, y: 0, width: picture.scene.width, height: picture.scene.height }
      : null;
  const into = marks.value.into === null ? undefined : picture?.byName.get(marks.value.into);
  const distances = alt.value && !isDragging && selected && target ? distancesBetween(selected, target) : [];
  return (
    <g>
      {over && !isDragging && <Outline look="is-hovered" d={outline(over, viewport)} />}
      {into && <Outline look="is-into" d={outline(into, viewport)} />}
      {boxes.map((box) => (
        <Outline key={box.name} look={isEditing ? 'is-editing' : ''} d={outline(box, viewport)} />
      ))}
      {picture && <ColumnLines editor={editor} picture={picture} viewport={viewport} />}
      {!isDragging && <Handles editor={editor} viewport={viewport} />}
      <PanelHandlesView of={editor.panelHandles.value?.(viewport.zoom.value)} viewport={viewport} />
      {isDragging && boxes.length > 1 && selected && <Outline look="" d={rectPath(selected, viewport)} />}
      <MarksView marks={marks.value} viewport={viewport} distances={distances} />
      {marks.value.label !== null && <PointerLabel pointer={pointer} text={marks.value.label} />}
      {!isDragging && selected && !isEditing && <SizeLabel boxes={boxes} bounds={selected} viewport={viewport} />}
    </g>
  );
}

/** The lines between the columns of a selected table, which can be dragged. */
function ColumnLines({ editor, picture, viewport }: Pick<OverlayProps, 'editor' | 'viewport'> & { picture: Picture }) {
  const [table, ...others] = editor.selectedLayers.value;
  if (table?.type !== 'table' || others.length > 0) return null;
  return (
    <g>
      {columnLines(picture, table).map(({ x, top, bottom, matrix }, i) => {
        const [from, to] = [top, bottom].map((y) => at(viewport, transformPoint(matrix, { x, y })));
        return <path key={i} class="outline is-column" d={`M${from}L${to}`} />;
      })}
    </g>
  );
}

/** The ground between the pages of a document. */
function PageGaps({ editor, viewport }: Pick<OverlayProps, 'editor' | 'viewport'>) {
  const picture = editor.picture.value;
  if (!picture) return null;
  const { zoom } = viewport;
  return (
    <g class="page-gaps">
      {picture.pages.slice(1).map((top) => {
        const { x, y } = viewport.toView({ x: 0, y: top - PAGE_GAP });
        const [width, height] = [picture.scene.width * zoom.value + 2, PAGE_GAP * zoom.value];
        return <rect key={top} x={x - 1} y={y} width={width} height={height} />;
      })}
    </g>
  );
}

/** The margins of each page, within which the frame that flows is; what stands in them is on the pages it says. */
function PageMargins({ editor, viewport }: Pick<OverlayProps, 'editor' | 'viewport'>) {
  const picture = editor.picture.value;
  const page = picture?.template.page;
  if (!picture || !page) return null;
  const { width, height } = sheetSize(page);
  return (
    <g class="page-margins">
      {picture.pages.map((top, i) => {
        const margin = pageMargins(page, i + 1);
        const hasNone = Object.values(margin).every((side) => side === 0);
        if (hasNone || (page.cover && i === 0)) return null;
        const inside = {
          x: margin.left,
          y: top + margin.top,
          width: width - margin.left - margin.right,
          height: height - margin.top - margin.bottom,
        };
        return <path key={top} d={rectPath(inside, viewport)} />;
      })}
    </g>
  );
}

/** View px: the width of what a layer without a picture says. */
const MISSING_LABEL = 212;

/** Layers for which no picture is chosen yet say so. */
function MissingPictures({ editor, viewport }: { editor: EditorState; viewport: Viewport }) {
  const picture = editor.picture.value;
  if (!picture || editor.isDragging.value) return null;
  const missing = [...pictureless(picture)].flatMap((name) => picture.byName.get(name) ?? []);
  return (
    <g class="missing-picture">
      {missing.map((box) => {
        const { x, y } = viewport.toView(transformPoint(box.matrix, centreOf(box.rect)));
        const isWide = box.rect.width * viewport.zoom.value >= MISSING_LABEL + 16;
        return (
          <g key={box.name}>
            <path class="edge" d={outline(box, viewport)} />
            <path class="missing-outline" d={outline(box, viewport)} />
            {isWide && (
              <>
                <rect x={x - MISSING_LABEL / 2} y={y - 13} width={MISSING_LABEL} height={26} rx={4} />
                <text x={x} y={y + 4}>
                  {texts.value.canvas.choosePicture}
                </text>
              </>
            )}
          </g>
        );
      })}
    </g>
  );
}

/** An outline with an edge that shows on every ground. */
function Outline({ look, d }: { look: '' | 'is-hovered' | 'is-into' | 'is-editing'; d: string }) {
  return (
    <g>
      <path class="edge" d={d} />
      <path class={`outline ${look}`} d={d} />
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

/** The handles that are drawn; `handle-zones.ts` tells what a press takes hold of. */
function Handles({ editor, viewport }: { editor: EditorState; viewport: Viewport }) {
  const box = handleBoxOf(editor, viewport.zoom.value);
  if (!box) return null;
  const { rect, matrix } = box;
  const turn = (Math.atan2(matrix[1], matrix[0]) * 180) / Math.PI;
  return (
    <g>
      {cornersOf(rect).map((corner, i) => {
        const { x, y } = viewport.toView(transformPoint(matrix, corner));
        const transform = `translate(${x} ${y}) rotate(${turn})`;
        // Beyond the corner, as its zone is: what looks like a handle is one, and what looks like the layer moves it.
        const [isRight, isBottom] = [i === 1 || i === 2, i >= 2];
        return (
          <rect
            key={i}
            class="handle"
            x={isRight ? 0 : -HANDLE_SIZE}
            y={isBottom ? 0 : -HANDLE_SIZE}
            width={HANDLE_SIZE}
            height={HANDLE_SIZE}
            transform={transform}
          />
        );
      })}
      {radiusHandles(box).map((handle, i) => {
        const { x, y } = viewport.toView(transformPoint(matrix, handle));
        return <circle key={i} class="radius-handle" cx={x} cy={y} r={4} />;
      })}
      {box.arc && <Arc of={box.arc} viewport={viewport} />}
    </g>
  );
}

function Arc({ of: { centre, radius, at }, viewport }: { of: ArcHandle; viewport: Viewport }) {
  const [middle, handle] = [viewport.toView(centre), viewport.toView(at)];
  return (
    <>
      <circle class="outline is-arc" cx={middle.x} cy={middle.y} r={radius * viewport.zoom.value} />
      <circle class="radius-handle" cx={handle.x} cy={handle.y} r={5} />
    </>
  );
}

function PanelHandlesView({ of, viewport }: { of: PanelHandles | null | undefined; viewport: Viewport }) {
  if (!of) return null;
  return (
    <g class="panel-handles">
      {of.lines.map((line, i) => {
        const d = `M${line.map((point) => at(viewport, point)).join('L')}`;
        return <Outline key={i} look="" d={d} />;
      })}
      {of.handles.map(({ at, color }, i) => {
        const { x, y } = viewport.toView(at);
        return <circle key={i} cx={x} cy={y} r={color ? 6 : 4.5} {...(color && { style: { fill: color } })} />;
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
  const look = others.length === 0 && flows(only) ? 'size-label is-flowing' : 'size-label';
  return <Label look={look} x={x} y={y + 8} text={text} />;
}

/** Beside the pointer: the angle, radius or share that a drag has come to. */
function PointerLabel({ pointer, text }: { pointer: PointerInput; text: string }) {
  const { x, y } = pointer.last.value;
  return <Label look="size-label" x={x + 24} y={y + 16} text={text} />;
}

/** @param x the middle of its upper edge, view px */
function Label({ look, x, y, text }: { look: string; x: number; y: number; text: string }) {
  const wide = text.length * 6.6 + 12;
  return (
    <g class={look}>
      <rect x={x - wide / 2} y={y} width={wide} height={18} rx={3} />
      <text x={x} y={y + 13}>
        {text}
      </text>
    </g>
  );
}

function Guides({ editor, viewport }: { editor: EditorState; viewport: Viewport }) {
  const { width, height } = viewport.size.value;
  const guides = useComputed(() => guidesOf(editor.document.value)).value;
  return (
    <g>
      {guides.map(({ axis, at: place }, i) => {
        const { x, y } = viewport.toView({ x: place, y: place });
        const ends = axis === 'x' ? { x1: x, x2: x, y1: 0, y2: height } : { y1: y, y2: y, x1: 0, x2: width };
        return (
          <g key={i}>
            <line class="line-edge" {...ends} />
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

// Marks the page breaks that properties of layers force: before a layer, or after it.

/** View px: the width of what a page break says. */
const BREAK_LABEL = 96;

/** Where layers begin or end a page, by a mark that is read without selecting them. */
function PageBreaks({ editor, viewport }: { editor: EditorState; viewport: Viewport }) {
  const picture = editor.picture.value;
  if (!picture?.template.page || editor.isDragging.value) return null;
  return (
    <g class="page-breaks">
      {forcedBreaks(picture.boxes.filter(({ name }) => !isPage(editor.layer(name)))).map(
        ({ key, at: place, isAbove }) => {
          const { x, y } = viewport.toView({ x: 0, y: place });
          const end = x + picture.scene.width * viewport.zoom.value;
          // Beside the layer rather than on it, and beyond its handles.
          const middle = isAbove ? y - 19 : y + 19;
          return (
            <g key={key}>
              <path d={`M${x} ${y}H${end}`} />
              <rect x={end - BREAK_LABEL - 8} y={middle - 9} width={BREAK_LABEL} height={18} rx={4} />
              <text x={end - BREAK_LABEL / 2 - 8} y={middle + 4}>
                {texts.value.canvas.pageBreak}
              </text>
            </g>
          );
        },
      )}
    </g>
  );
}

interface ForcedBreak {
  readonly key: string;
  /** px of the document. */
  readonly at: number;
  /** Whether it is above its layer. */
  readonly isAbove: boolean;
}

/** The tops of layers that begin a page, and the bottoms of those after which one begins. */
function forcedBreaks(boxes: readonly LocatedBox[]): readonly ForcedBreak[] {
  const breaks = new Map<string, ForcedBreak>();
  for (const { name, box, rect } of boxes) {
    const { fragmentation } = box.node;
    const [before, after] = [`before ${name}`, `after ${name}`];
    // A layer over several pages has a box on each: it begins in the first, and ends in the last.
    if (fragmentation?.before === 'page' && !breaks.has(before))
      breaks.set(before, { key: before, at: rect.y, isAbove: true });
    if (fragmentation?.after === 'page') breaks.set(after, { key: after, at: rect.y + rect.height, isAbove: false });
  }
  return [...breaks.values()];
}

type MarksProps = { marks: Marks; viewport: Viewport; distances: readonly Distance[] };

/** Draws the marks of a running gesture: snap lines, distances and gaps with their lengths, the marquee. */
function MarksView({ marks, viewport, distances }: MarksProps) {
  const zoom = viewport.zoom.value;
  const point = (axis: 'x' | 'y', along: number, across: number) =>
    viewport.toView(axis === 'x' ? { x: along, y: across } : { x: across, y: along });
  const measured = [...marks.distances, ...distances].map((one) => ({ ...one, length: one.to - one.from }));
  const gaps = marks.gaps.map((one) => ({ ...one, length: one.to - one.from }));
  return (
    <g>
      {marks.lines.map(({ axis, at: place, from, to }) => {
        const a = axis === 'x' ? viewport.toView({ x: place, y: from }) : viewport.toView({ x: from, y: place });
        const b = axis === 'x' ? viewport.toView({ x: place, y: to }) : viewport.toView({ x: to, y: place });
        return <EdgedLine key={`${axis}${place}`} className="snap-line" a={a} b={b} />;
      })}
      {[...measured, ...gaps].map(({ axis, from, to, at: place, length }) => {
        const a = point(axis, from, place);
        const b = point(axis, to, place);
        const text = String(Math.round(length * 100) / 100);
        const wide = text.length * 6.6 + 8;
        const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
        return (
          <g key={`${axis}${from}${to}${place}`} class="distance">
            <EdgedLine className="distance-line" a={a} b={b} />
            <rect x={middle.x - wide / 2} y={middle.y - 8} width={wide} height={16} rx={3} />
            <text x={middle.x} y={middle.y + 4}>
              {text}
            </text>
          </g>
        );
      })}
      {marks.marquee &&
        ['marquee-edge', 'marquee'].map((look) => (
          <rect
            key={look}
            class={look}
            {...viewport.toView(marks.marquee ?? { x: 0, y: 0 })}
            width={(marks.marquee?.width ?? 0) * zoom}
            height={(marks.marquee?.height ?? 0) * zoom}
          />
        ))}
    </g>
  );
}

/** A line with an edge that shows on every ground. */
function EdgedLine({ className, a, b }: { className: string; a: Point; b: Point }) {
  const ends = { x1: a.x, y1: a.y, x2: b.x, y2: b.y };
  return (
    <g>
      <line class="line-edge" {...ends} />
      <line class={className} {...ends} />
    </g>
  );
}
