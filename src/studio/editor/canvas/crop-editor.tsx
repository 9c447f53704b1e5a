// Crops a picture in its box: a drag pans it, the wheel, the slider and its corners zoom it. The whole picture is shown
// faintly, the part inside the box fully.

import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { invert, type Point, transformPoint } from '#core/geometry.ts';
import { paddingBoxOf } from '#core/layout/border-box.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import { Button } from '../../parts/button.tsx';
import { keysOf } from '../../parts/ui-root.ts';
import { useDrag } from '../../parts/use-drag.ts';
import { texts } from '../../texts/editor.ts';
import { type Patch, setLayer } from '../core/document/edits.ts';
import {
  type Crop,
  type CropBox,
  LEAST_ZOOM,
  MOST_ZOOM,
  panned,
  pictureRect,
  zoomedAbout,
} from '../core/geometry/crop-geometry.ts';
import type { EditorParts } from '../core/open-editor.ts';
import './text-bar.css';
import './crop-editor.css';

type Props = Pick<EditorParts, 'editor' | 'viewport'>;

/** How much a step of the wheel zooms, per px. */
const WHEEL = 0.002;
/** What a key zooms by, and what an arrow pans by in px. */
const [KEY_ZOOM, KEY_PAN] = [1.1, 1];
const HANDLE = 10;

const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

export function CropEditor({ editor, viewport }: Props) {
  const task = editor.task.value;
  const name = task.kind === 'crop' ? task.layer : '';
  const located = editor.picture.value?.byName.get(name);
  if (located?.box.kind !== 'leaf' || located.box.node.type !== 'image') return null;
  const { node } = located.box;
  const picture = editor.compositor.images.sizeOf(String(editor.layer(name)?.src ?? ''));
  if (!picture) return null;
  const crop = { box: paddingBoxOf(node, located.rect), picture, fit: node.fit };
  const focus = node.focus === 'auto' ? { x: 0.5, y: 0.5 } : node.focus;
  return (
    <OpenCropEditor
      key={name}
      {...{ editor, viewport, name, located, crop }}
      address={picture.address}
      now={{ focus, zoom: node.zoom }}
    />
  );
}

interface OpenProps extends Props {
  readonly name: string;
  readonly located: LocatedBox;
  readonly crop: CropBox;
  readonly address: string;
  readonly now: Crop;
}

/** What a drag starts from. */
interface Start {
  readonly point: Point;
  readonly crop: Crop;
}

/** The properties of a crop; the zoom is left out where it is the default. */
const patchOf = ({ focus, zoom }: Crop): Patch => ({ focus, zoom: zoom === 1 ? undefined : zoom });

function OpenCropEditor({ editor, viewport, name, located, crop, address, now }: OpenProps) {
  const root = useRef<SVGSVGElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const dragged = useDrag<Start>();
  const set = (next: Crop) => editor.edit(setLayer(name, patchOf(next)), { kind: `crop ${name}` });
  const leave = () => {
    root.current?.closest<HTMLElement>('.canvas')?.focus({ preventScroll: true });
    editor.leave();
  };
  const { x, y, width, height } = crop.box;
  const middle = { x: x + width / 2, y: y + height / 2 };
  const pointOf = (event: MouseEvent): Point => {
    const view = root.current?.getBoundingClientRect() ?? { left: 0, top: 0 };
    const point = viewport.toCanvas({ x: event.clientX - view.left, y: event.clientY - view.top });
    return transformPoint(invert(located.matrix) ?? [1, 0, 0, 1, 0, 0], point);
  };

  const latest = useRef({ now, crop, set, leave, middle, pointOf });
  latest.current = { now, crop, set, leave, middle, pointOf };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { now, crop, set, leave, middle } = latest.current;
      const isInBar = event.target instanceof Node && bar.current?.contains(event.target);
      const arrow = ARROWS[event.key];
      const isDone = event.key === 'Escape' || (event.key === 'Enter' && !isInBar);
      if (isDone) leave();
      else if (isInBar || !isOnCanvas(event)) return;
      else if (arrow) {
        const step = KEY_PAN * (event.shiftKey ? 10 : 1);
        set(panned(crop, now, { x: arrow.x * step, y: arrow.y * step }));
      } else if (event.key === '+' || event.key === '=') set(zoomedAbout(crop, now, now.zoom * KEY_ZOOM, middle));
      else if (event.key === '-') set(zoomedAbout(crop, now, now.zoom / KEY_ZOOM, middle));
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Preact adds wheel listeners as passive, and the canvas would pan.
    const onWheel = (event: WheelEvent) => {
      const { now, crop, set, pointOf } = latest.current;
      event.preventDefault();
      event.stopPropagation();
      set(zoomedAbout(crop, now, now.zoom * Math.exp(-event.deltaY * WHEEL), pointOf(event)));
    };
    const surface = root.current;
    if (!surface) return;
    const keys = keysOf(surface);
    keys.addEventListener('keydown', onKey as EventListener, true);
    surface.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      keys.removeEventListener('keydown', onKey as EventListener, true);
      surface.removeEventListener('wheel', onWheel);
    };
  }, []);

  const zoom = viewport.zoom.value;
  const { x: ox, y: oy } = viewport.offset.value;
  const [a, b, c, d, e, f] = located.matrix;
  const place = `matrix(${a * zoom} ${b * zoom} ${c * zoom} ${d * zoom} ${e * zoom + ox} ${f * zoom + oy})`;
  const below = viewport.toView(transformPoint(located.matrix, { x: middle.x, y: y + height }));
  useLayoutEffect(() => {
    const view = bar.current?.parentElement;
    if (!bar.current || !view) return;
    const { offsetWidth, offsetHeight, style } = bar.current;
    style.left = `${Math.max(8, Math.min(below.x - offsetWidth / 2, view.clientWidth - offsetWidth - 8))}px`;
    style.top = `${Math.max(8, Math.min(below.y + 12, view.clientHeight - offsetHeight - 8))}px`;
  }, [below.x, below.y]);

  const image = pictureRect(crop, now);
  const thirds = [1, 2].map((i) => `M${x + (width * i) / 3} ${y}v${height}M${x} ${y + (height * i) / 3}h${width}`);
  const drag = (change: (start: Start, point: Point) => Crop) =>
    dragged({
      start: (event) => {
        editor.startDrag();
        return { point: pointOf(event), crop: now };
      },
      move: (from, event) => editor.drag(setLayer(name, patchOf(change(from, pointOf(event))))(editor.document.peek())),
      end: () => editor.endDrag(),
      cancel: () => editor.cancelDrag(),
    });
  const pan = drag(({ point: start, crop: before }, point) =>
    panned(crop, before, { x: point.x - start.x, y: point.y - start.y }),
  );
  /** The corners of the picture, each with the one opposite, which stays. */
  const corners = [0, 1, 2, 3].map((i) => {
    const at = (index: number) => ({
      x: image.x + (index % 2 === 0 ? 0 : image.width),
      y: image.y + (index < 2 ? 0 : image.height),
    });
    return { at: at(i), fixed: 3 - i };
  });
  return (
    <>
      <svg ref={root} class="crop" width="100%" height="100%" aria-label={texts.value.canvas.cropOf(name)} role="img">
        <g transform={place}>
          <image {...image} href={address} preserveAspectRatio="none" />
          <path class="crop-thirds" d={thirds.join('')} vector-effect="non-scaling-stroke" />
          <rect class="crop-window-edge" {...crop.box} vector-effect="non-scaling-stroke" />
          <rect class="crop-window" {...crop.box} vector-effect="non-scaling-stroke" />
          {/* biome-ignore lint/a11y/noStaticElementInteractions: for the pointer; arrows, + and - do the same. */}
          <rect
            class="crop-surface"
            {...image}
            {...pan}
            onDblClick={(event) => {
              event.stopPropagation();
              leave();
            }}
          />
          <rect class="crop-edge" {...image} vector-effect="non-scaling-stroke" />
          {corners.map(({ at, fixed }, i) => (
            <rect
              key={i}
              class="crop-handle"
              x={at.x - HANDLE / 2 / zoom}
              y={at.y - HANDLE / 2 / zoom}
              width={HANDLE / zoom}
              height={HANDLE / zoom}
              stroke-width={1 / zoom}
              style={{ cursor: i === 0 || i === 3 ? 'nwse-resize' : 'nesw-resize' }}
              {...drag(({ crop: before }, point) => {
                const rect = pictureRect(crop, before);
                const stays = {
                  x: rect.x + (fixed % 2 === 0 ? 0 : rect.width),
                  y: rect.y + (fixed < 2 ? 0 : rect.height),
                };
                const share = Math.max(
                  Math.abs(point.x - stays.x) / rect.width,
                  Math.abs(point.y - stays.y) / rect.height,
                );
                return zoomedAbout(crop, before, before.zoom * share, stays);
              })}
            />
          ))}
        </g>
      </svg>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keeps presses from the canvas behind it. */}
      <div
        ref={bar}
        class="text-bar crop-bar"
        onPointerDown={(event) => event.stopPropagation()}
        onDblClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => event.stopPropagation()}
      >
        <label class="crop-zoom">
          <span>{texts.value.canvas.zoom}</span>
          <input
            type="range"
            min={Math.log2(LEAST_ZOOM)}
            max={Math.log2(MOST_ZOOM)}
            step={0.01}
            value={Math.log2(now.zoom)}
            aria-valuetext={`${Math.round(now.zoom * 100)} %`}
            onInput={(event) => set(zoomedAbout(crop, now, 2 ** Number(event.currentTarget.value), middle))}
          />
          <span class="crop-percent">{Math.round(now.zoom * 100)} %</span>
        </label>
        <Button dense onClick={() => set({ focus: { x: 0.5, y: 0.5 }, zoom: 1 })}>
          {texts.value.common.reset}
        </Button>
        <Button dense onClick={leave}>
          {texts.value.common.done}
        </Button>
      </div>
    </>
  );
}

/** Not in a field of the inspector, whose keys are its own. */
const isOnCanvas = ({ target }: KeyboardEvent) =>
  target === document.body || (target instanceof Element && target.closest('.canvas') !== null);
