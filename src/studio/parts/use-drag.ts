// A drag by the pointer: captured, ended by its release, and taken back if the browser takes the pointer away, as for a scroll or
// a second finger.

import { useRef } from 'preact/hooks';

interface Drag<Start extends object> {
  /** What its movements start from; null = this press drags nothing. */
  readonly start: (event: PointerEvent) => Start | null;
  readonly move: (start: Start, event: PointerEvent) => void;
  readonly end?: (start: Start, event: PointerEvent) => void;
  /** Takes back what the movements did; absent = it stays as it is. */
  readonly cancel?: (start: Start) => void;
}

/** @returns makes the attributes of each element that can be dragged, of which one is at a time; their events go no further */
export function useDrag<Start extends object>() {
  const held = useRef<Start | null>(null);
  return ({ start, move, end, cancel }: Drag<Start>) => {
    const leave = (event: PointerEvent, then?: (start: Start, event: PointerEvent) => void) => {
      event.stopPropagation();
      const from = held.current;
      held.current = null;
      if (from) then?.(from, event);
    };
    return {
      onPointerDown: (event: PointerEvent) => {
        event.stopPropagation();
        if (event.button !== 0) return;
        held.current = start(event);
        if (held.current) (event.currentTarget as Element).setPointerCapture(event.pointerId);
      },
      onPointerMove: (event: PointerEvent) => {
        event.stopPropagation();
        if (held.current) move(held.current, event);
      },
      onPointerUp: (event: PointerEvent) => leave(event, end),
      onPointerCancel: (event: PointerEvent) => leave(event, cancel),
    };
  };
}
