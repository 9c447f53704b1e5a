// Tabs: one of several panels, chosen by arrow keys or pointer.

import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useId } from 'preact/hooks';
import './tabs.css';
import { rootOf } from './ui-root.ts';

interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: ComponentChildren;
}

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly current: Name;
  readonly onChoose: (name: Name) => void;
  readonly dense?: boolean;
  /** The panel of the current tab, and its class. */
  readonly children?: ComponentChildren;
  readonly panelLook?: string;
  /** Keys that are pressed in the panel. */
  readonly onPanelKeyDown?: (event: KeyboardEvent) => void;
  /** The id of the panel, where it is elsewhere. */
  readonly panelId?: string;
}

export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { label, tabs, current, onChoose, dense, children, panelLook, onPanelKeyDown, panelId } = props;
  const id = useId();
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const at = tabs.findIndex(({ name }) => name === current);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step === undefined ? undefined : tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChoose(next.name);
    rootOf(event.currentTarget).getElementById(`${id}-${next.name}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            id={`${id}-${tab.name}`}
            type="button"
            role="tab"
            class={dense ? 'tab is-dense' : 'tab'}
            aria-selected={tab.name === current}
            aria-controls={panelId ?? `${id}-panel`}
            tabIndex={tab.name === current ? 0 : -1}
            onClick={() => onChoose(tab.name)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {panelId === undefined && (
        <div
          id={`${id}-panel`}
          class={panelLook}
          role="tabpanel"
          aria-labelledby={`${id}-${current}`}
          onKeyDown={onPanelKeyDown}
        >
          {children}
        </div>
      )}
    </>
  );
}
