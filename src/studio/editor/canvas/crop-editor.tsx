// Moves a picture inside its box. The whole picture is shown faintly, the part inside the box fully.

import { useEffect, useRef } from 'preact/hooks';
import { inset, type Point } from '#core/geometry.ts';
import { setLayer } from '../document/edits.ts';
import type { EditorState } from '../state/editor-state.ts';
import { vectorIn } from './geometry-of.ts';
import type { Viewport } from './viewport.ts';

interface Props {
  readonly editor: EditorState;
  readonly viewport: Viewport;
}

export function CropEditor({ editor, viewport }: Props) {
  const name = editor.editingCrop.value;
  const root = useRef<SVGSVGElement>(null);
  const from = useRef<{ readonly point: Point; readonly focus: Point } | null>(null);
  useEffect(() => {
    if (name === null) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' && event.key !== 'Enter') return;
      event.stopPropagation();
      editor.editingCrop.value = null;
    };
    addEventListener('keydown', onKey, true);
    return () => removeEventListener('keydown', onKey, true);
  }, [name, editor]);

  const located = name === null ? undefined : editor.picture.value?.byName.get(name);
  if (name === null || !located || located.box.kind !== 'leaf' || located.box.node.type !== 'image') return null;
  const { node } = located.box;
  const layer = editor.layer(name);
  const picture = editor.compositor.images.sizeOf(String(layer?.src ?? ''));
  if (!picture) return null;
  const box = inset(located.rect, node.border?.width ?? 0);
  const scale =
    node.fit === 'contain'
      ? Math.min(box.width / picture.width, box.height / picture.height)
      : Math.max(box.width / picture.width, box.height / picture.height);
  const size = { width: picture.width * scale, height: picture.height * scale };
  const spare = { x: box.width - size.width, y: box.height - size.height };
  const focus = node.focus === 'auto' ? { x: 0.5, y: 0.5 } : node.focus;
  const zoom = viewport.zoom.value;
  const { x: ox, y: oy } = viewport.offset.value;
  const [a, b, c, d, e, f] = located.matrix;
  const place = `matrix(${a * zoom} ${b * zoom} ${c * zoom} ${d * zoom} ${e * zoom + ox} ${f * zoom + oy})`;

  const pointOf = (event: PointerEvent): Point => {
    const view = root.current?.getBoundingClientRect() ?? { left: 0, top: 0 };
    return viewport.toCanvas({ x: event.clientX - view.left, y: event.clientY - view.top });
  };
  const move = (event: PointerEvent) => {
    event.stopPropagation();
    if (!from.current) return;
    const point = pointOf(event);
    const start = from.current;
    const by = vectorIn(located.matrix, { x: point.x - start.point.x, y: point.y - start.point.y });
    const along = (axis: 'x' | 'y') =>
      Math.abs(spare[axis]) < 0.5
        ? start.focus[axis]
        : Math.round(Math.min(1, Math.max(0, start.focus[axis] + by[axis] / spare[axis])) * 1000) / 1000;
    editor.drag(setLayer(name, { focus: { x: along('x'), y: along('y') } })(editor.document.peek()));
  };
  const image = { x: box.x + spare.x * focus.x, y: box.y + spare.y * focus.y, ...size };
  const dot = { x: box.x + box.width * focus.x, y: box.y + box.height * focus.y };
  const thirds = [1, 2].map(
    (i) =>
      `M${box.x + (box.width * i) / 3} ${box.y}v${box.height}M${box.x} ${box.y + (box.height * i) / 3}h${box.width}`,
  );
  return (
    <svg ref={root} class="crop" width="100%" height="100%" aria-label={`Crop of ${name}`} role="img">
      <g transform={place}>
        <image {...image} href={picture.address} preserveAspectRatio="none" />
        <path class="crop-thirds" d={thirds.join('')} vector-effect="non-scaling-stroke" />
        <rect class="crop-window" {...box} vector-effect="non-scaling-stroke" />
        <circle class="focus-point" cx={dot.x} cy={dot.y} r={6 / zoom} stroke-width={2 / zoom} />
        {/* biome-ignore lint/a11y/noStaticElementInteractions: for the pointer; the inspector has fields for keys. */}
        <rect
          class="crop-surface"
          {...image}
          onPointerDown={(event) => {
            event.stopPropagation();
            event.currentTarget.setPointerCapture(event.pointerId);
            from.current = { point: pointOf(event), focus };
            editor.startDrag();
          }}
          onPointerMove={move}
          onPointerUp={(event) => {
            event.stopPropagation();
            from.current = null;
            editor.endDrag();
          }}
          onDblClick={(event) => {
            event.stopPropagation();
            editor.editingCrop.value = null;
          }}
        />
      </g>
    </svg>
  );
}
