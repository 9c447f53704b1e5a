// A list of families that shows each name in its own font: favourites, recent ones, uploads, all others, and those of the
// catalogue that can be added.

import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Icon } from '../../parts/icon.tsx';
import { check, plus, star } from '../../parts/icons.ts';
import type { FontSample } from '../core/scene/fonts.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import type { Preferences } from '../core/state/preferences.ts';
import './font-list.css';
import { texts } from '../../texts/editor.ts';
import { resolved } from '../core/state/brand-names.ts';
import { type Dragged, useDragOut } from '../library/drag-out.ts';
import { useBrand } from './inspector-context.ts';

interface FontListProps {
  readonly editor: EditorState;
  readonly current: string;
  readonly onChoose: (family: string) => void;
  /** Called for a family that was just added; absent = it is chosen. */
  readonly onAdded?: (family: string) => void;
  /** Whether it is open to be searched at once. */
  readonly takesFocus?: boolean;
  /** Makes families draggable; absent = they are not. */
  readonly drag?: (family: string) => Dragged;
}

export function FontList({ editor, current, onChoose, onAdded = onChoose, takesFocus, drag }: FontListProps) {
  const [wanted, setWanted] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const { fonts } = editor.compositor;
  // Shown anew with each family that is added.
  const [, setAdded] = useState(0);
  const { families, installable } = fonts.listing;
  const brand = useBrand();
  const search = wanted.trim().toLowerCase();
  const named = Object.keys(brand?.fonts ?? {}).filter((name) => `$${name}`.toLowerCase().includes(search));
  const isFound = ({ family }: { readonly family: string }) => family.toLowerCase().includes(search);
  // As they were when the list was opened: what is starred stays where it is.
  const groups = useMemo(() => groupsOf(families, editor.preferences), [families, editor]);
  const shown =
    search === ''
      ? groups
      : [
          {
            title: '',
            families: groups
              .flatMap((group) => group.families)
              .filter((each, i, all) => all.indexOf(each) === i && isFound(each)),
          },
        ];
  const [first] = shown.flatMap((group) => group.families);
  const addable = installable.filter((each) => isFound(each) && !families.some(({ family }) => family === each.family));
  useEffect(() => {
    // After the panel is shown: before that there is nothing to focus or scroll, and `autofocus` is too late at first, when
    // the panel was open before this was loaded.
    const frame = requestAnimationFrame(() => {
      if (takesFocus) field.current?.focus();
      list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'center' });
    });
    return () => cancelAnimationFrame(frame);
  }, [takesFocus]);
  return (
    <div class="font-list">
      <input
        ref={field}
        class="input is-dense"
        aria-label={texts.value.inspector.findFamily}
        placeholder={texts.value.inspector.findFamily}
        value={wanted}
        onInput={(event) => setWanted(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && first) onChoose(first.family);
          if (event.key === 'ArrowDown') {
            event.preventDefault();
            list.current?.querySelector<HTMLElement>('.font-option')?.focus();
          }
        }}
      />
      <div ref={list} class="font-options">
        {named.length > 0 && (
          <section aria-label={texts.value.inspector.brandFonts}>
            <h4 class="font-group">{texts.value.inspector.brand}</h4>
            {named.map((name) => (
              <div key={name} class="font-row">
                <button
                  type="button"
                  class="font-option"
                  aria-current={current === `$${name}` ? 'true' : undefined}
                  onClick={() => onChoose(`$${name}`)}
                  onKeyDown={moveFocus}
                >
                  <span class="truncate">${name}</span>
                  <span class="faint truncate">{String(resolved(`$${name}`, brand?.fonts))}</span>
                </button>
              </div>
            ))}
          </section>
        )}
        {shown.map(({ title, families }) => (
          <section key={title} aria-label={title || texts.value.inspector.found}>
            {title && <h4 class="font-group">{title}</h4>}
            {families.map((family) => (
              <FontOption
                key={family.family}
                family={family}
                isCurrent={family.family.toLowerCase() === current.toLowerCase()}
                onChoose={() => onChoose(family.family)}
                editor={editor}
                drag={drag?.(family.family)}
              />
            ))}
          </section>
        ))}
        {!first && addable.length === 0 && <p class="faint font-none">{texts.value.inspector.noFamily}</p>}
        {addable.length > 0 && (
          <Addable
            editor={editor}
            families={addable}
            onAdded={(family) => {
              setAdded((count) => count + 1);
              onAdded(family);
            }}
          />
        )}
      </div>
    </div>
  );
}

interface AddableProps {
  readonly editor: EditorState;
  readonly families: Fonts['listing']['installable'];
  readonly onAdded: (family: string) => void;
}

/** Families of the catalogue that are not installed, each with its name in it, and what adds it. */
function Addable({ editor, families, onAdded }: AddableProps) {
  const { fonts } = editor.compositor;
  const [samples, setSamples] = useState<Readonly<Record<string, FontSample>>>({});
  const [busy, setBusy] = useState<string | null>(null);
  useEffect(() => {
    // Without them, the names are in the font of the interface.
    fonts.samples().then(setSamples, () => {});
  }, [fonts]);
  const add = async (family: string) => {
    setBusy(family);
    try {
      await fonts.add(family);
      onAdded(family);
      editor.schedule();
      editor.host.tell(texts.value.library.fontAdded(family));
    } catch (error) {
      editor.host.tellError(error);
    }
    setBusy(null);
  };
  return (
    <section aria-label={texts.value.library.toAdd}>
      <h4 class="font-group">{texts.value.library.toAdd}</h4>
      {!fonts.canAdd && <p class="faint font-none">{texts.value.library.cannotAdd}</p>}
      {families.map(({ family, command }) => (
        <div key={family} class="font-row">
          <button
            type="button"
            class="font-option is-addable"
            disabled={busy !== null}
            aria-busy={busy === family}
            aria-disabled={!fonts.canAdd}
            aria-label={fonts.canAdd ? texts.value.library.addFont(family) : family}
            title={fonts.canAdd ? texts.value.library.addFont(family) : undefined}
            onClick={() => fonts.canAdd && void add(family)}
            onKeyDown={moveFocus}
          >
            <Sample family={family} sample={samples[family]} />
            {busy === family ? (
              <span class="faint">{texts.value.library.adding}</span>
            ) : fonts.canAdd ? (
              <Icon of={plus} size={14} />
            ) : (
              <span class="faint truncate">{command}</span>
            )}
          </button>
        </div>
      ))}
    </section>
  );
}

function Sample({ family, sample }: { readonly family: string; readonly sample: FontSample | undefined }) {
  if (!sample) return <span class="truncate">{family}</span>;
  const [width, outline] = sample;
  return (
    <svg
      class="font-sample"
      preserveAspectRatio="xMinYMid"
      viewBox={`0 -95 ${Math.max(width, 1_000)} 130`}
      aria-hidden="true"
    >
      <path d={outline} />
    </svg>
  );
}

interface FontGroup {
  readonly title: string;
  readonly families: readonly Family[];
}

/** Favourites, then recent ones, then uploads, then all others; each family once. */
function groupsOf(families: readonly Family[], { favouriteFonts, recentFonts }: Preferences): readonly FontGroup[] {
  const left = new Set(families);
  const take = (title: string, wanted: readonly (Family | undefined)[]): FontGroup => {
    const taken = wanted.filter((family) => family !== undefined && left.delete(family));
    return { title, families: taken as Family[] };
  };
  const named = (names: readonly string[]) => names.map((name) => families.find(({ family }) => family === name));
  const groups = [
    take(texts.value.inspector.favorites, named(favouriteFonts.peek().toSorted((a, b) => a.localeCompare(b)))),
    take(texts.value.inspector.recent, named(recentFonts.peek())),
    take(
      texts.value.inspector.yourFonts,
      families.filter(({ own }) => own),
    ),
    take(
      texts.value.inspector.latin,
      families.filter(({ scripts }) => scripts.includes('Latn')),
    ),
    take(texts.value.inspector.otherScripts, families),
  ];
  return groups.filter((group) => group.families.length > 0);
}

/** Arrow keys move from family to family. */
function moveFocus(event: TargetedKeyboardEvent<HTMLButtonElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const list = event.currentTarget.closest('.font-options');
  if (!step || !list) return;
  event.preventDefault();
  const options = [...list.querySelectorAll<HTMLElement>('.font-option')];
  options[options.indexOf(event.currentTarget) + step]?.focus();
}

/** Families that this page has loaded to show their names. */
const loaded = new Map<string, Promise<void>>();
/** The largest file in bytes that is fetched to show a name. Fonts of East Asian scripts and emoji are larger. */
const LARGEST = 900_000;

type Fonts = EditorState['compositor']['fonts'];
type Family = Fonts['listing']['families'][number];

interface FontOptionProps extends Pick<FontListProps, 'editor'> {
  readonly family: Family;
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
  readonly drag: Dragged | undefined;
}

function FontOption({ family, isCurrent, onChoose, editor, drag }: FontOptionProps) {
  const { compositor, preferences } = editor;
  const { fonts } = compositor;
  const ref = useRef<HTMLButtonElement>(null);
  const [isReady, setReady] = useState(false);
  const name = `specimen ${family.family}`;
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      specimen(name, family, fonts).then(
        () => setReady(true),
        () => {},
      );
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [family, name, fonts]);
  const isFavourite = preferences.favouriteFonts.value.includes(family.family);
  return (
    <div class="font-row">
      <button
        ref={ref}
        type="button"
        aria-current={isCurrent ? 'true' : undefined}
        class="font-option"
        {...useDragOut(drag, onChoose)}
        onKeyDown={moveFocus}
      >
        <span class="truncate" style={isReady ? { fontFamily: `"${name}"` } : {}}>
          {family.family}
        </span>
        {isCurrent && <Icon of={check} size={14} />}
      </button>
      <button
        type="button"
        class="font-star"
        aria-pressed={isFavourite}
        aria-label={texts.value.inspector.asFavorite(family.family)}
        title={isFavourite ? texts.value.inspector.removeFavorite : texts.value.inspector.addFavorite}
        onClick={() => preferences.toggleFavourite(family.family)}
      >
        <Icon of={star} size={14} />
      </button>
    </div>
  );
}

function specimen(name: string, family: Family, fonts: Fonts): Promise<void> {
  let loading = loaded.get(name);
  if (!loading) {
    const upright = family.faces.filter(({ style }) => style === 'normal');
    const face = (upright.length > 0 ? upright : family.faces).toSorted(
      (a, b) => Math.abs(a.weight - 400) - Math.abs(b.weight - 400),
    )[0];
    const size = (face as { readonly size?: number | null } | undefined)?.size ?? 0;
    if (!face || face.isEmoji || size > LARGEST) return Promise.reject(new Error('not shown'));
    // Passed as bytes, because the page's policy allows font URLs only from the bundle.
    loading = fonts
      .fileOf(face.id)
      .then((bytes) => new FontFace(name, bytes).load())
      .then((opened) => void document.fonts.add(opened));
    loaded.set(name, loading);
  }
  return loading;
}
