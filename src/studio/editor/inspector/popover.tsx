// A panel attached to a button of the inspector: a native popover beside it.

import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { rootOf, whenClosed } from '../../parts/ui-root.ts';

interface PopoverProps {
  readonly label: string;
  readonly button: (attributes: {
    readonly id: string;
    readonly 'aria-expanded': boolean;
    readonly onClick: () => void;
  }) => ComponentChildren;
  /** Whether a press elsewhere leaves it open; without it every press closes it. */
  readonly stays?: ReadonlySignal<boolean>;
  readonly children: (close: () => void) => ComponentChildren;
}

export function Popover({ label, button, stays, children }: PopoverProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const element = panel.current;
    const opener = element && rootOf(element).getElementById(id);
    if (!isOpen || !opener) return;
    element.showPopover();
    const side = opener.closest('.inspector')?.getBoundingClientRect();
    const at = opener.getBoundingClientRect();
    // Its size changes with its content, such as another kind of fill.
    const resize = new ResizeObserver(() => {
      const { width, height } = element.getBoundingClientRect();
      const left = side && side.left - width - 8 > 8 ? side.left - width - 8 : at.left;
      element.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
      element.style.top = `${Math.max(8, Math.min(at.top - 8, innerHeight - height - 8))}px`;
    });
    resize.observe(element);
    const stop = whenClosed(element, opener, () => setOpen(false));
    const root = rootOf(element);
    // As browsers close the others, but after the canvas has heard of a press, and before it hears of Escape.
    const onOutside = (event: Event) => {
      const isInside = event.composedPath().some((node) => node === element || node === opener);
      const closes = event instanceof KeyboardEvent ? event.key === 'Escape' : !isInside;
      // Browsers tell that it is closed only after the next key.
      if (!closes || stays?.peek() !== false || !element.matches(':popover-open')) return;
      if (event instanceof KeyboardEvent) event.preventDefault();
      element.hidePopover();
    };
    root.addEventListener('pointerdown', onOutside);
    root.addEventListener('keydown', onOutside, true);
    return () => {
      resize.disconnect();
      stop();
      root.removeEventListener('pointerdown', onOutside);
      root.removeEventListener('keydown', onOutside, true);
    };
  }, [isOpen, id, stays]);
  const close = () => {
    panel.current?.hidePopover();
    if (panel.current) rootOf(panel.current).getElementById(id)?.focus();
  };
  return (
    <>
      {button({ id, 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) })}
      {isOpen && (
        <div ref={panel} class="popover" popover={stays ? 'manual' : 'auto'} role="dialog" aria-label={label}>
          {children(close)}
        </div>
      )}
    </>
  );
}
