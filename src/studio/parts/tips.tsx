// Tooltips for keyboards and touch: what has a `title` shows it when Tab reaches it, and when it is held. Under a mouse the
// browser shows it.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { place } from './menu.tsx';
import './tips.css';

/** ms from the focus, or from the touch, until it shows. */
const PAUSE = 500;

interface Shown {
  readonly text: string;
  readonly at: DOMRect;
}

/** Shows the tooltips of a page, or of a shadow tree; rendered once in each. */
export function Tips({ root = document }: { root?: Document | ShadowRoot }) {
  const [shown, show] = useState<Shown | null>(null);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    let wait: ReturnType<typeof setTimeout> | undefined;
    let isByKey = false;
    const hide = () => {
      clearTimeout(wait);
      show(null);
    };
    const showLater = (target: EventTarget | null) => {
      const element = target instanceof Element ? target.closest<HTMLElement>('[title]') : null;
      if (element?.title)
        wait = setTimeout(() => show({ text: element.title, at: element.getBoundingClientRect() }), PAUSE);
    };
    const listen = (type: string, run: (event: Event) => void) =>
      root.addEventListener(type, run, { capture: true, passive: true, signal });
    listen('keydown', (event) => {
      isByKey = true;
      if ((event as KeyboardEvent).key === 'Escape') hide();
    });
    listen('focusin', ({ target }) => {
      hide();
      if (isByKey) showLater(target);
    });
    listen('pointerdown', (event) => {
      isByKey = false;
      hide();
      if ((event as PointerEvent).pointerType === 'touch') showLater(event.target);
    });
    for (const type of ['focusout', 'pointerup', 'pointercancel', 'scroll']) listen(type, hide);
    return () => {
      hide();
      ending.abort();
    };
  }, [root]);
  useLayoutEffect(() => {
    if (!shown || !panel.current) return;
    panel.current.showPopover();
    place(panel.current, shown.at);
  }, [shown]);
  return (
    shown && (
      <div ref={panel} class="tip" role="tooltip" popover="manual">
        {shown.text}
      </div>
    )
  );
}
