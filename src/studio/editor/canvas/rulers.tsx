// Rulers along the top and the left: coordinates, the extent of the selection, and the source of new guides.

import { boundsOfAll } from '../core/geometry/geometry-of.ts';
import { RULER, type Viewport } from '../core/geometry/viewport.ts';
import type { EditorState } from '../core/state/editor-state.ts';

/** Least distance between two numbers, view px. */
const LEAST = 64;

export function Rulers({ editor, viewport }: { editor: EditorState; viewport: Viewport }) {
  if (!editor.preferences.showRulers.value) return null;
  return (
    <div aria-hidden="true">
      <Ruler axis="x" editor={editor} viewport={viewport} />
      <Ruler axis="y" editor={editor} viewport={viewport} />
      <div class="ruler-corner" />
    </div>
  );
}

function Ruler({ axis, editor, viewport }: { axis: 'x' | 'y'; editor: EditorState; viewport: Viewport }) {
  const zoom = viewport.zoom.value;
  const offset = viewport.offset.value[axis];
  const length = axis === 'x' ? viewport.size.value.width : viewport.size.value.height;
  const step = stepOf(LEAST / zoom);
  const first = Math.floor(-offset / zoom / step) * step;
  const marks = Array.from({ length: Math.ceil(length / zoom / step) + 2 }, (_, i) => first + i * step);
  const isAcross = axis === 'x';
  return (
    <svg
      class={`ruler is-${axis}`}
      // A guide from the upper ruler is horizontal, so it has a y.
      data-ruler={isAcross ? 'y' : 'x'}
      width={isAcross ? length : RULER}
      height={isAcross ? RULER : length}
    >
      <Selected axis={axis} editor={editor} viewport={viewport} />
      {marks.map((value) => {
        const at = Math.round(value * zoom + offset) + 0.5;
        const small = Array.from(
          { length: 4 },
          (_, i) => Math.round((value + ((i + 1) * step) / 5) * zoom + offset) + 0.5,
        );
        return (
          <g key={value}>
            <path d={isAcross ? `M${at} 8V${RULER}` : `M8 ${at}H${RULER}`} />
            <path d={small.map((one) => (isAcross ? `M${one} 15V${RULER}` : `M15 ${one}H${RULER}`)).join('')} />
            <text transform={isAcross ? `translate(${at + 4} 10)` : `translate(10 ${at - 4}) rotate(-90)`}>
              {value}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

/** The extent of the selection. A component of its own, because only it changes during a drag. */
function Selected({ axis, editor, viewport }: { axis: 'x' | 'y'; editor: EditorState; viewport: Viewport }) {
  const around = boundsOfAll(editor.selectedBoxes.value);
  if (!around) return null;
  const zoom = viewport.zoom.value;
  const length = axis === 'x' ? around.width : around.height;
  const at = around[axis] * zoom + viewport.offset.value[axis];
  const size = Math.max(1, length * zoom);
  const place =
    axis === 'x' ? { x: at, y: 0, width: size, height: RULER } : { x: 0, y: at, width: RULER, height: size };
  return <rect class="ruler-selection" {...place} />;
}

/** The smallest of 1, 2, 5, 10, 20, … that is at least `least`. */
function stepOf(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? least);
}
