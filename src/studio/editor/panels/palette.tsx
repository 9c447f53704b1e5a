// The palette (every command and layer by name) and the list of keys.

import { useCallback, useMemo } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { Palette, type PaletteEntry } from '../../parts/palette.tsx';
import { texts } from '../../texts/editor.ts';
import type { EditorTexts } from '../../texts/en/editor.ts';
import { keysShown } from '../browser.ts';
import { walk } from '../core/document/document.ts';
import { brandOf } from '../core/state/brand-names.ts';
import type { Command } from '../core/state/commands.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import type { LibraryItem } from '../core/state/library.ts';
import { lookOf } from '../core/state/rows.ts';
import { iconOf } from '../tree/tree-row.tsx';
import { commandIcons } from './command-icons.ts';
import './panels.css';

interface ListProps {
  readonly commands: readonly Command[];
  readonly onClose: () => void;
}

export function EditorPalette({ editor, commands, onClose }: ListProps & { readonly editor: EditorState }) {
  const entries = useMemo((): readonly PaletteEntry[] => {
    const ofCommands = commands
      .filter(({ isOn }) => isOn())
      .map((command) => ({
        label: texts.value.commands[command.id],
        aside: command.keys[0] ? keysShown(command.keys[0]) : texts.value.groups[command.group],
        ...(command.icon && { icon: commandIcons[command.icon] }),
        run: command.run,
      }));
    const ofLayers = [...walk(editor.document.peek().layers)].map(({ layer }) => ({
      label: layer.name,
      aside: texts.value.common.layer,
      icon: iconOf(layer.type, lookOf(layer)),
      run: () => editor.select([layer.name]),
    }));
    return [...ofCommands, ...ofLayers];
  }, [commands, editor]);
  const find = useCallback((query: string) => findInLibrary(editor, query), [editor]);
  const { commandsAndLayers: label, find: hint, nothingFound: none } = texts.value.panels;
  return <Palette {...{ label, hint, none, entries, find, onClose }} />;
}

/** Entries of one kind that a search finds. */
const MOST_FOUND = 5;

/** What the library has of a name, each with what uses it. */
async function findInLibrary(editor: EditorState, query: string): Promise<readonly PaletteEntry[]> {
  const { templates, pictures } = editor.host;
  const { addItem } = await import('../core/state/library.ts');
  const { parts } = texts.value.library;
  const entry = (label: string, part: keyof typeof parts, item: LibraryItem): PaletteEntry => {
    return { label, aside: parts[part], run: () => void addItem(editor, item, null) };
  };
  const [components, found] = await Promise.all([
    templates?.list(query).catch(() => []) ?? [],
    pictures.list?.(query).catch(() => null),
  ]);
  const brand = brandOf(editor);
  const named = (entries: object | undefined) =>
    Object.keys(entries ?? {})
      .filter((name) => name.toLowerCase().includes(query))
      .slice(0, MOST_FOUND);
  const fonts = editor.compositor.fonts.listing.families.filter(({ family }) => family.toLowerCase().includes(query));
  return [
    ...components
      .slice(0, MOST_FOUND)
      .map(({ id, version, name }) =>
        entry(name, 'components', { kind: 'component', reference: `${id}@${version}`, name }),
      ),
    ...named(brand?.colors).map((name) => entry(name, 'brand', { kind: 'color', color: `$${name}` })),
    ...named(brand?.textStyles).map((name) => entry(name, 'brand', { kind: 'text-style', style: `$${name}` })),
    ...named(brand?.images).map((name) => entry(name, 'brand', { kind: 'logo', src: `$${name}` })),
    ...(found?.pictures ?? [])
      .slice(0, MOST_FOUND)
      .map(({ src, name, size }) => entry(name, 'pictures', { kind: 'picture', src, ...(size && { size }) })),
    ...fonts.slice(0, MOST_FOUND).map(({ family }) => entry(family, 'fonts', { kind: 'font', family })),
  ];
}

export function KeySheet({ commands, onClose }: ListProps) {
  const listed = commands.filter(({ keys, isLarger }) => keys.length > 0 && !isLarger);
  const groups = Object.entries(Object.groupBy(listed, ({ group }) => group));
  return (
    <Dialog title={texts.value.commands.sheet} onClose={onClose} wide>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys. */}
      <div class="key-sheet" role="group" aria-label={texts.value.commands.sheet} tabIndex={0}>
        {groups.map(([group, list = []]) => (
          <section key={group}>
            <h3>{texts.value.groups[group as Command['group']]}</h3>
            <dl>
              {list.map(({ id, keys }) => (
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
