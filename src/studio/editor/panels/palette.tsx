// The palette (every command and layer by name) and the list of keys.

import { useMemo, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { walk } from '../document/document.ts';
import { type Command, keysShown } from '../state/commands.ts';
import type { EditorState } from '../state/editor-state.ts';
import { lookOf } from '../tree/rows.ts';
import { iconOf } from '../tree/tree-row.tsx';
import './panels.css';

interface Entry {
  readonly id: string;
  readonly label: string;
  readonly aside: string;
  readonly icon?: Parameters<typeof Icon>[0]['of'];
  readonly run: () => void;
}

export function Palette({
  editor,
  commands,
  onClose,
}: {
  editor: EditorState;
  commands: readonly Command[];
  onClose: () => void;
}) {
  const [wanted, setWanted] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const entries = useMemo((): readonly Entry[] => {
    const ofCommands = commands
      .filter(({ isOn }) => isOn?.() ?? true)
      .map(
        ({ id, label, keys, run, group }): Entry => ({ id, label, aside: keys?.[0] ? keysShown(keys[0]) : group, run }),
      );
    const ofLayers = [...walk(editor.document.peek().layers)].map(({ layer }): Entry => {
      return {
        id: `layer ${layer.name}`,
        label: layer.name,
        aside: 'Layer',
        icon: iconOf(layer.type, lookOf(layer)),
        run: () => editor.select([layer.name]),
      };
    });
    return [...ofCommands, ...ofLayers];
  }, [commands, editor]);
  const found = entries.filter(({ label }) => matches(label, wanted)).slice(0, 60);
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  return (
    <Dialog title="Commands and layers" onClose={onClose}>
      <input
        class="input"
        aria-label="Find a command or a layer"
        placeholder="Find a command or a layer"
        autofocus
        value={wanted}
        role="combobox"
        aria-expanded
        aria-controls="palette-list"
        aria-activedescendant={`palette-${at}`}
        onInput={(event) => {
          setWanted(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step !== undefined) {
            event.preventDefault();
            const next = Math.max(0, Math.min(found.length - 1, at + step));
            setAt(next);
            list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
          } else if (event.key === 'Enter') {
            event.preventDefault();
            choose(found[at]);
          }
        }}
      />
      <div ref={list} class="command-list" id="palette-list" role="listbox" aria-label="Found">
        {found.map((entry, i) => (
          <button
            key={entry.id}
            id={`palette-${i}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={i === at}
            class="command-entry"
            onPointerMove={() => setAt(i)}
            onClick={() => choose(entry)}
          >
            {entry.icon && <Icon of={entry.icon} size={14} />}
            <span class="truncate">{entry.label}</span>
            <kbd>{entry.aside}</kbd>
          </button>
        ))}
        {found.length === 0 && <p class="faint">Nothing is called that.</p>}
      </div>
    </Dialog>
  );
}

/** Whether the label contains the letters in this order. */
function matches(label: string, wanted: string): boolean {
  const text = label.toLowerCase();
  let at = 0;
  for (const letter of wanted.toLowerCase().replaceAll(' ', '')) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

const POINTER: readonly (readonly [string, string])[] = [
  ['Space + drag', 'Pan'],
  ['Mod + wheel', 'Zoom'],
  ['Mod + click', 'Select what is in front, at any depth'],
  ['Double click', 'Enter: words, crop, frame'],
  ['Shift', 'Keeps the ratio, or one direction'],
  ['Alt', 'Distances; while dragging, a copy; while resizing, from the center'],
  ['Mod while dragging', 'No snapping'],
];

export function KeySheet({ commands, onClose }: { commands: readonly Command[]; onClose: () => void }) {
  const groups = Object.entries(
    Object.groupBy(
      commands.filter(({ keys }) => keys?.length),
      ({ group }) => group,
    ),
  );
  return (
    <Dialog title="Keys" onClose={onClose} wide>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys. */}
      <div class="key-sheet" role="group" aria-label="Keys" tabIndex={0}>
        {groups.map(([group, list = []]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {list
                .filter(({ id }) => !/-10$/.test(id))
                .map(({ id, label, keys = [] }) => (
                  <div key={id}>
                    <dt>{label}</dt>
                    <dd>
                      <kbd>{keysShown(keys[0] ?? '')}</kbd>
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>Pointer</h3>
          <dl>
            {POINTER.map(([keys, label]) => (
              <div key={keys}>
                <dt>{label}</dt>
                <dd>
                  <kbd>{keys.replace('Mod', keysShown('Mod'))}</kbd>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </Dialog>
  );
}
