// The palette (every command and layer by name) and the list of keys.

import { useMemo, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { EditorTexts } from '../../texts/en/editor.ts';
import { walk } from '../document/document.ts';
import { type Command, keysShown } from '../state/commands.ts';
import type { EditorState } from '../state/editor-state.ts';
import { lookOf } from '../tree/rows.ts';
import { iconOf } from '../tree/tree-row.tsx';
import './panels.css';
import { texts } from '../../texts/editor.ts';

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
        ({ id, keys, run, group }): Entry => ({
          id,
          label: texts.value.commands[id],
          aside: keys?.[0] ? keysShown(keys[0]) : texts.value.groups[group],
          run,
        }),
      );
    const ofLayers = [...walk(editor.document.peek().layers)].map(({ layer }): Entry => {
      return {
        id: `layer ${layer.name}`,
        label: layer.name,
        aside: texts.value.common.layer,
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
    <Dialog title={texts.value.panels.commandsAndLayers} onClose={onClose}>
      <input
        class="input"
        aria-label={texts.value.panels.find}
        placeholder={texts.value.panels.find}
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
      <div ref={list} class="command-list" id="palette-list" role="listbox" aria-label={texts.value.inspector.found}>
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
        {found.length === 0 && <p class="faint">{texts.value.panels.nothingFound}</p>}
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

export function KeySheet({ commands, onClose }: { commands: readonly Command[]; onClose: () => void }) {
  const groups = Object.entries(
    Object.groupBy(
      commands.filter(({ keys }) => keys?.length),
      ({ group }) => group,
    ),
  );
  return (
    <Dialog title={texts.value.panels.keys} onClose={onClose} wide>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys. */}
      <div class="key-sheet" role="group" aria-label={texts.value.panels.keys} tabIndex={0}>
        {groups.map(([group, list = []]) => (
          <section key={group}>
            <h3>{texts.value.groups[group as Command['group']]}</h3>
            <dl>
              {list
                .filter(({ id }) => !/-10$/.test(id))
                .map(({ id, keys = [] }) => (
                  <div key={id}>
                    <dt>{texts.value.commands[id]}</dt>
                    <dd>
                      <kbd>{keysShown(keys[0] ?? '')}</kbd>
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>{texts.value.panels.pointer}</h3>
          <dl>
            {Object.entries(texts.value.pointer).map(([id, label]) => (
              <div key={id}>
                <dt>{label}</dt>
                <dd>
                  <kbd>
                    {texts.value.pointerKeys[id as keyof EditorTexts['pointer']].replace('Mod', keysShown('Mod'))}
                  </kbd>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </Dialog>
  );
}
