// A menu attached to a button: a native popover, with arrow keys inside.

import type { ComponentChildren, RefObject, TargetedKeyboardEvent, TargetedMouseEvent } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon, type IconShapes } from './icon.tsx';
import { check as checkIcon } from './icons.ts';
import './menu.css';
import { rootOf, whenClosed } from './ui-root.ts';

export type MenuEntry =
  | {
      readonly label: string;
      readonly icon?: IconShapes;
      readonly aside?: string;
      readonly onSelect?: () => void;
      /** Makes the item a link. */
      readonly href?: string;
      readonly danger?: boolean;
      readonly disabled?: boolean;
      /** For an item that is one of several choices: whether it is chosen. */
      readonly checked?: boolean;
    }
  | { readonly title: string }
  | 'line';

interface TriggerAttributes {
  readonly id: string;
  readonly 'aria-haspopup': 'menu';
  readonly 'aria-expanded': boolean;
  readonly onClick: (event: TargetedMouseEvent<HTMLElement>) => void;
}

interface MenuProps {
  readonly entries: readonly (MenuEntry | false | null | undefined)[];
  /** Renders the button that opens the menu: spread the attributes on it. */
  readonly children: (attributes: TriggerAttributes) => ComponentChildren;
  readonly align?: 'start' | 'end';
}

export function Menu({ entries, children, align = 'start' }: MenuProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    const menu = panel.current;
    const opener = menu && rootOf(menu).getElementById(id);
    if (!isOpen || !opener) return;
    menu.showPopover();
    place(menu, opener.getBoundingClientRect(), align);
    items(menu)[0]?.focus();
    return whenClosed(menu, opener, () => setOpen(false));
  }, [isOpen, id, align]);

  const close = () => {
    if (panel.current) rootOf(panel.current).getElementById(id)?.focus();
    panel.current?.hidePopover();
    setOpen(false);
  };
  return (
    <>
      {children({
        id,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        onClick: (event) => {
          event.preventDefault();
          event.stopPropagation();
          if (isOpen) close();
          else setOpen(true);
        },
      })}
      {isOpen && <MenuPanel panel={panel} labelledBy={id} entries={entries} close={close} />}
    </>
  );
}

interface MenuPanelProps {
  readonly panel: RefObject<HTMLDivElement | null>;
  readonly entries: MenuProps['entries'];
  readonly close: () => void;
  readonly label?: string;
  readonly labelledBy?: string;
}

/** The menu itself, which whoever renders it shows and places. */
export function MenuPanel({ panel, entries, close, label, labelledBy }: MenuPanelProps) {
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const all = items(event.currentTarget);
    const at = all.indexOf(rootOf(event.currentTarget).activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      all.at(to % all.length)?.focus();
    } else if (event.key === 'Tab') close();
    else if (event.key.length === 1) {
      const letter = event.key.toLowerCase();
      const after = [...all.slice(at + 1), ...all.slice(0, at + 1)];
      after.find((item) => item.textContent?.trim().toLowerCase().startsWith(letter))?.focus();
    }
  };
  return (
    <div
      ref={panel}
      class="menu"
      popover="auto"
      role="menu"
      aria-label={label}
      aria-labelledby={labelledBy}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
      tabIndex={-1}
    >
      {entries.map((entry, at) => entry && <Item key={at} entry={entry} close={close} />)}
    </div>
  );
}

function Item({ entry, close }: { entry: MenuEntry; close: () => void }) {
  if (entry === 'line') return <hr class="menu-line" />;
  if ('title' in entry) return <div class="menu-title">{entry.title}</div>;
  const { label, icon, aside, onSelect, href, danger, disabled, checked } = entry;
  const content = (
    <>
      {icon && <Icon of={icon} />}
      <span class="truncate">{label}</span>
      {aside && <span class="menu-aside">{aside}</span>}
      {checked && (
        <span class="menu-aside">
          <Icon of={checkIcon} size={14} />
        </span>
      )}
    </>
  );
  const attributes = {
    class: danger ? 'menu-item is-danger' : 'menu-item',
    role: checked === undefined ? ('menuitem' as const) : ('menuitemradio' as const),
    tabIndex: -1,
    ...(checked === undefined ? {} : { 'aria-checked': checked }),
    ...(disabled ? { 'aria-disabled': true } : {}),
  };
  const select = () => {
    close();
    onSelect?.();
  };
  if (href !== undefined)
    return (
      <a {...attributes} href={href} onClick={select}>
        {content}
      </a>
    );
  return (
    <button {...attributes} type="button" onClick={disabled ? undefined : select}>
      {content}
    </button>
  );
}

const items = (menu: Element) =>
  [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')].filter((item) => item.ariaDisabled !== 'true');

/** Places a panel below its opener, or above it if there is no room. */
export function place(panel: HTMLElement, opener: DOMRect, align: 'start' | 'end' = 'start', gap = 4): void {
  const { width, height } = panel.getBoundingClientRect();
  const left = align === 'start' ? opener.left : opener.right - width;
  const below = opener.bottom + gap;
  const fits = below + height <= innerHeight - 8 || opener.top - gap - height < 8;
  panel.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  panel.style.top = `${Math.max(8, fits ? Math.min(below, innerHeight - height - 8) : opener.top - gap - height)}px`;
}
