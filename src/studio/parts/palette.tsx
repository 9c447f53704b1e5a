// A palette: finds commands by their name, and what a search finds by what is typed.

import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconShapes } from './icon.tsx';
import './palette.css';
import { rootOf } from './ui-root.ts';

export interface PaletteEntry {
  readonly label: string;
  readonly run: () => void;
  readonly icon?: IconShapes;
  /** Shown at the right: keys, or the place of the command. */
  readonly aside?: string;
}

/** Finds entries by what is typed, such as those that open the templates of that name. */
export type Search = (query: string, signal: AbortSignal) => Promise<readonly PaletteEntry[]>;

/** Letters from which on the search is asked, and ms after the last one. */
const [LEAST_LETTERS, PAUSE] = [2, 150];

/** What the search found; of an earlier query until that of this one has come. */
function useFound(query: string, find: Search | undefined): readonly PaletteEntry[] {
  const [found, setFound] = useState<readonly PaletteEntry[]>([]);
  useEffect(() => {
    if (!find || query.length < LEAST_LETTERS) return setFound([]);
    const over = new AbortController();
    const timer = setTimeout(() => {
      // Without an answer, the commands are still there.
      find(query, over.signal).then(setFound, () => {});
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [query, find]);
  return found;
}

/**
 * Matches the letters of the query in order; the lower the result, the earlier and closer together they are. null: no
 * match.
 */
function distance(label: string, query: string): number | null {
  const text = label.toLowerCase();
  const whole = text.indexOf(query);
  if (whole >= 0) return whole;
  let at = -1;
  let far = 100;
  for (const letter of query.replaceAll(' ', '')) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return null;
    far += next - at;
    at = next;
  }
  return far;
}

interface PaletteProps {
  readonly label: string;
  /** What can be typed, and what is said where it finds nothing. */
  readonly hint: string;
  readonly none: string;
  readonly entries: readonly PaletteEntry[];
  readonly find?: Search;
  readonly onClose: () => void;
}

/** The palette is open as long as it is rendered. */
export function Palette({ label, hint, none, entries, find, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const wanted = query.trim().toLowerCase();
  const answers = useFound(wanted, find);
  const matching = entries
    .map((entry) => ({ entry, far: distance(entry.label, wanted) }))
    .filter((one) => one.far !== null)
    .sort((a, b) => (wanted === '' ? 0 : (a.far ?? 0) - (b.far ?? 0)))
    .slice(0, 60);
  const found = [...answers, ...matching.map(({ entry }) => entry)];
  useEffect(() => {
    const element = dialog.current;
    const opener = element && rootOf(element).activeElement;
    element?.showModal();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  const run = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const move = (to: number) => {
    const next = (to + found.length) % Math.max(1, found.length);
    setAt(next);
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself.
    <dialog
      ref={dialog}
      class="palette"
      aria-label={label}
      onCancel={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <input
        type="text"
        role="combobox"
        aria-label={hint}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found.length > 0 ? `palette-${at}` : undefined}
        placeholder={`${hint}…`}
        autocomplete="off"
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') move(at + 1);
          else if (event.key === 'ArrowUp') move(at - 1);
          else if (event.key === 'Enter') run(found[at]);
          else return;
          event.preventDefault();
        }}
      />
      <div ref={list} class="palette-list" id="palette-list" role="listbox" aria-label={label}>
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, above.
          <div
            key={`${entry.label} ${entry.aside}`}
            id={`palette-${index}`}
            class="palette-item"
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onPointerMove={() => setAt(index)}
            onClick={() => run(entry)}
          >
            {entry.icon && <Icon of={entry.icon} />}
            <span class="truncate">{entry.label}</span>
            {entry.aside && <span class="palette-aside">{entry.aside}</span>}
          </div>
        ))}
        {found.length === 0 && <p class="palette-none">{none}</p>}
      </div>
    </dialog>
  );
}
