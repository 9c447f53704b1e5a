// Drags an item out of a panel: a picture of it follows the pointer, and it is dropped on the canvas below.

import type { TargetedMouseEvent } from 'preact';
import { useRef } from 'preact/hooks';
import type { Point } from '#core/geometry.ts';
import { rootOf } from '../../parts/ui-root.ts';
import { useDrag } from '../../parts/use-drag.ts';

/** What is done where it is dropped, view px of the canvas. */
export type Dragged = (at: Point) => void;

interface Out {
  readonly element: HTMLElement;
  readonly from: Point;
  /** What follows the pointer, once that has moved far enough. */
  ghost: HTMLElement | null;
}

/** px that a press may move and still be a click. */
const SLACK = 4;

/** The attributes of a button that is clicked, or dragged onto the canvas. @param drop absent = it is not dragged */
export function useDragOut(drop: Dragged | undefined, onClick: () => void) {
  const bind = useDrag<Out>();
  const wasDragged = useRef(false);
  const drag = bind({
    start: (event) => {
      wasDragged.current = false;
      return { element: event.currentTarget as HTMLElement, from: { x: event.clientX, y: event.clientY }, ghost: null };
    },
    move: (out, { clientX, clientY }) => {
      if (!out.ghost && Math.hypot(clientX - out.from.x, clientY - out.from.y) < SLACK) return;
      wasDragged.current = true;
      out.ghost ??= ghostOf(out.element);
      out.ghost.style.transform = `translate(${clientX}px, ${clientY}px) translate(-50%, -50%)`;
    },
    end: ({ element, ghost }, { clientX, clientY }) => {
      if (!ghost) return;
      ghost.remove();
      const canvas = rootOf(element).elementFromPoint(clientX, clientY)?.closest<HTMLElement>('.canvas');
      if (!canvas || canvas.closest('.editor') !== element.closest('.editor')) return;
      const { left, top } = canvas.getBoundingClientRect();
      drop?.({ x: clientX - left, y: clientY - top });
      canvas.focus({ preventScroll: true });
    },
    cancel: ({ ghost }) => ghost?.remove(),
  });
  return {
    ...(drop && drag),
    onClick: (event: TargetedMouseEvent<HTMLElement>) => {
      // The release of a drag is a click too; that of a key has no detail.
      if (!wasDragged.current || event.detail === 0) onClick();
      wasDragged.current = false;
    },
  };
}

function ghostOf(element: HTMLElement): HTMLElement {
  const ghost = element.cloneNode(true) as HTMLElement;
  const { width, height } = element.getBoundingClientRect();
  Object.assign(ghost.style, { position: 'fixed', zIndex: 10, top: 0, left: 0, opacity: 0.8, pointerEvents: 'none' });
  Object.assign(ghost.style, { width: `${width}px`, height: `${height}px` });
  ghost.setAttribute('aria-hidden', 'true');
  element.closest('.editor')?.append(ghost);
  return ghost;
}
