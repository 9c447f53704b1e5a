// The palette on Mod+K: every command of the page by name, and what the server finds by what is typed.

import { computed, signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconShapes } from './icon.tsx';
import './palette.css';
import { texts } from '../texts/shell.ts';

export interface Command {
  readonly label: string;
  readonly run: () => void;
  readonly icon?: IconShapes;
  /** Shown at the right: keys, or the place of the command. */
  readonly aside?: string;
}

const sources = signal<readonly (readonly Command[])[]>([]);
const commands = computed(() => sources.value.flat());
const isOpen = signal(false);

/** Adds commands to the palette until the returned function is called. */
export function addCommands(more: readonly Command[]): () => void {
  sources.value = [more, ...sources.value];
  return () => {
    sources.value = sources.value.filter((one) => one !== more);
  };
}

/** Finds commands by what is typed, such as those that open the templates of that name. */
export type Search = (query: string, signal: AbortSignal) => Promise<readonly Command[]>;

const search = signal<Search | null>(null);

/** Adds a search to the palette until the returned function is called. */
export function addSearch(next: Search): () => void {
  search.value = next;
  return () => {
    if (search.peek() === next) search.value = null;
  };
}

/** Letters from which on the server is asked, and ms after the last one. */
const [LEAST_LETTERS, PAUSE] = [2, 150];

/** What the search found; of an earlier query until that of this one has come. */
function useFound(query: string): readonly Command[] {
  const [found, setFound] = useState<readonly Command[]>([]);
  useEffect(() => {
    const find = search.value;
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
  }, [query]);
  return found;
}

export function openPalette(): void {
  isOpen.value = true;
}

/** Opens on Mod+K; rendered once per page. */
export function Palette() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey)
        return;
      // The editor has its own palette, which includes its layers.
      if (document.querySelector('.editor')) return;
      event.preventDefault();
      isOpen.value = !isOpen.value;
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return isOpen.value ? <Panel /> : null;
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
  for (const letter of query) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return null;
    far += next - at;
    at = next;
  }
  return far;
}

function Panel() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const wanted = query.trim().toLowerCase();
  const answers = useFound(wanted);
  const matching = commands.value
    .map((command) => ({ command, far: distance(command.label, wanted) }))
    .filter((one) => one.far !== null)
    .sort((a, b) => (wanted === '' ? 0 : (a.far ?? 0) - (b.far ?? 0)))
    .slice(0, 60);
  const found = [...answers, ...matching.map(({ command }) => command)];
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  const close = () => {
    isOpen.value = false;
  };
  const run = (command: Command | undefined) => {
    if (!command) return;
    close();
    command.run();
  };
  const move = (to: number) => {
    const next = (to + found.length) % Math.max(1, found.length);
    setAt(next);
    document.getElementById(`palette-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself.
    <dialog
      ref={dialog}
      class="palette"
      aria-label={texts.value.common.commands}
      onCancel={close}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <input
        type="text"
        role="combobox"
        aria-label={texts.value.parts.search}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found.length > 0 ? `palette-${at}` : undefined}
        placeholder={texts.value.parts.searchDots}
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
      <div class="palette-list" id="palette-list" role="listbox" aria-label={texts.value.common.commands}>
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, above.
          <div
            key={`${command.label} ${command.aside}`}
            id={`palette-${index}`}
            class="palette-item"
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onPointerMove={() => setAt(index)}
            onClick={() => run(command)}
          >
            {command.icon && <Icon of={command.icon} />}
            <span class="truncate">{command.label}</span>
            {command.aside && <span class="palette-aside">{command.aside}</span>}
          </div>
        ))}
        {found.length === 0 && <p class="palette-none">{texts.value.parts.noResults}</p>}
      </div>
    </dialog>
  );
}
