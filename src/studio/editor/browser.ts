// Gives the editor's core what only a browser has: a clock, the modifier keys of an event, and saving when the page is hidden.

import { useEffect } from 'preact/hooks';
import { isMac } from '../parts/ui-root.ts';
import { texts } from '../texts/editor.ts';
import type { Clock } from './core/clock.ts';
import type { Keys } from './core/gestures/gesture.ts';
import type { Autosave } from './core/state/autosave.ts';
import { splitKeys } from './core/state/press.ts';

export const browserClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  frame: (run) => void requestAnimationFrame(run),
};

/** Saves what is left when the page is hidden, which is the last event of a tab that is closed, and when the editor ends. */
export function useSaving(autosave: Autosave): void {
  useEffect(() => {
    const onHide = () => {
      if (document.visibilityState === 'hidden') void autosave.flush();
    };
    document.addEventListener('visibilitychange', onHide);
    return () => {
      document.removeEventListener('visibilitychange', onHide);
      autosave.dispose();
    };
  }, [autosave]);
}

export const isMod = (event: { readonly ctrlKey: boolean; readonly metaKey: boolean }): boolean =>
  event.ctrlKey || event.metaKey;

export const keysIn = (event: MouseEvent | KeyboardEvent): Keys => ({
  shift: event.shiftKey,
  alt: event.altKey,
  mod: isMod(event),
});

/** `⌘⇧Z` or `Ctrl+Shift+Z`, depending on the system. */
export function keysShown(keys: string): string {
  const names: Readonly<Record<string, string>> = isMac
    ? {
        Mod: '⌘',
        Shift: '⇧',
        Alt: '⌥',
        ArrowLeft: '←',
        ArrowRight: '→',
        ArrowUp: '↑',
        ArrowDown: '↓',
        Enter: '↵',
        Backspace: '⌫',
        Delete: '⌦',
        Escape: 'Esc',
      }
    : { ...texts.value.keyNames, ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' };
  return splitKeys(keys)
    .map((key) => names[key] ?? key)
    .join(isMac ? '' : '+');
}
