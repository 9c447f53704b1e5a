// The menu of a right click, of the menu key and of Shift+F10: at the pointer, or below what has the focus.

import { type Signal, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type MenuEntry, MenuPanel, place } from './menu.tsx';
import { rootOf, whenClosed } from './ui-root.ts';

type Entries = readonly (MenuEntry | false | null | undefined)[];

interface Shown {
  readonly label: string;
  readonly entries: Entries;
  /** Where it hangs, px in the window. */
  readonly at: DOMRect;
  /** Has the focus again when the menu closes. */
  readonly opener: HTMLElement | null;
}

/** What is open, by the root that it is in. */
const menus = new WeakMap<Document | ShadowRoot, Signal<Shown | null>>();

function menuIn(root: Document | ShadowRoot): Signal<Shown | null> {
  const shown = menus.get(root) ?? signal(null);
  menus.set(root, shown);
  return shown;
}

/** A place with a menu of its own. */
interface MenuSource {
  /** What the menu is about, for screen readers. */
  readonly label: string;
  /** Computed when the menu opens. Empty = the browser's own menu. */
  readonly entries: (event: MouseEvent | KeyboardEvent) => Entries;
  /** What the menu hangs below when a key opens it; default: what has the focus. */
  readonly anchor?: (element: Element) => Element | null;
}

/** Attributes of an element that has a menu. Fields inside keep the browser's, which can paste and check spelling. */
export function contextMenu({ label, entries, anchor }: MenuSource) {
  const open = (event: MouseEvent | KeyboardEvent, at: DOMRect) => {
    if (event.defaultPrevented || isField(event.target)) return;
    const list = entries(event);
    if (list.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const root = rootOf(event.target as Node);
    const opener = root.activeElement;
    menuIn(root).value = { label, entries: list, at, opener: opener instanceof HTMLElement ? opener : null };
  };
  return {
    onContextMenu: (event: MouseEvent) => open(event, new DOMRect(event.clientX, event.clientY)),
    onKeyDown: (event: KeyboardEvent) => {
      const isMenuKey = event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey);
      if (!isMenuKey || !(event.target instanceof Element)) return;
      const below = (event.currentTarget instanceof Element && anchor?.(event.currentTarget)) || event.target;
      open(event, below.getBoundingClientRect());
    },
  };
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Displays the open menu; rendered once in the page, and in each shadow tree. */
export function ContextMenus({ root = document }: { root?: Document | ShadowRoot }) {
  const shown = menuIn(root);
  const menu = shown.value;
  return menu && <OpenMenu key={`${menu.at.x} ${menu.at.y} ${menu.label}`} menu={menu} shown={shown} />;
}

function OpenMenu({ menu, shown }: { menu: Shown; shown: Signal<Shown | null> }) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = panel.current;
    if (!element) return;
    element.showPopover();
    // A large element, such as the canvas, has its menu inside.
    const { x, y, width, height } = menu.at;
    place(element, height > innerHeight / 2 ? new DOMRect(x + width / 2, y + height / 3) : menu.at, 'start', 2);
    element.querySelector<HTMLElement>('[role^="menuitem"]:not([aria-disabled])')?.focus();
    return whenClosed(element, menu.opener, () => {
      if (shown.peek() === menu) shown.value = null;
    });
  }, [menu, shown]);
  const close = () => {
    panel.current?.hidePopover();
    if (shown.peek() === menu) shown.value = null;
    menu.opener?.focus({ preventScroll: true });
  };
  return <MenuPanel panel={panel} label={menu.label} entries={menu.entries} close={close} />;
}
