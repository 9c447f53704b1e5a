// Chooses a family from a list that shows each name in its own font, and the weight and style among its faces.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Icon } from '../../parts/icon.tsx';
import { check, chevronDown } from '../../parts/icons.ts';
import type { EditorState } from '../state/editor-state.ts';
import { Popover } from './popover.tsx';

interface FontFieldProps {
  readonly editor: EditorState;
  /** One family or a list in order of preference; undefined = several layers differ. */
  readonly value: unknown;
  readonly onValue: (family: string) => void;
  /** The URL of a face's bytes by its id, which the page may load. */
  readonly faceAddress: (id: string) => string;
}

export function FontField({ editor, value, onValue, faceAddress }: FontFieldProps) {
  const families = Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
  const [first = ''] = families;
  return (
    <Popover
      label="Font family"
      button={(attributes) => (
        <button
          {...attributes}
          type="button"
          class="input is-dense font-button"
          aria-label={`Font family: ${first || 'Mixed'}`}
        >
          <span class="truncate">{families.length === 0 ? 'Mixed' : families.join(', ')}</span>
          <Icon of={chevronDown} size={14} />
        </button>
      )}
    >
      {(close) => (
        <FontList
          editor={editor}
          current={first}
          faceAddress={faceAddress}
          onChoose={(family) => {
            onValue(family);
            close();
          }}
        />
      )}
    </Popover>
  );
}

function FontList({
  editor,
  current,
  onChoose,
  faceAddress,
}: {
  editor: EditorState;
  current: string;
  onChoose: (family: string) => void;
  faceAddress: (id: string) => string;
}) {
  const [wanted, setWanted] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const { families } = editor.compositor.fonts.listing;
  const shown = useMemo(
    () => families.filter(({ family }) => family.toLowerCase().includes(wanted.trim().toLowerCase())),
    [families, wanted],
  );
  useEffect(() => {
    // After the panel is shown; before that there is nothing to scroll.
    const frame = requestAnimationFrame(() => {
      list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'center' });
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <div class="font-list">
      <input
        class="input is-dense"
        aria-label="Find a family"
        placeholder="Find a family"
        autofocus
        value={wanted}
        onInput={(event) => setWanted(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && shown[0]) onChoose(shown[0].family);
          if (event.key === 'ArrowDown') list.current?.querySelector<HTMLElement>('button')?.focus();
        }}
      />
      <div ref={list} class="font-options" role="listbox" aria-label="Families">
        {shown.map((family) => (
          <FontOption
            key={family.family}
            family={family}
            isCurrent={family.family.toLowerCase() === current.toLowerCase()}
            onChoose={() => onChoose(family.family)}
            faceAddress={faceAddress}
          />
        ))}
        {shown.length === 0 && <p class="faint font-none">No family of that name. Upload it on the Fonts page.</p>}
      </div>
    </div>
  );
}

/** Families that this page has loaded to show their names. */
const loaded = new Map<string, Promise<void>>();
/** The largest file in bytes that is fetched to show a name. Fonts of East Asian scripts and emoji are larger. */
const LARGEST = 900_000;

type Family = EditorState['compositor']['fonts']['listing']['families'][number];

function FontOption({
  family,
  isCurrent,
  onChoose,
  faceAddress,
}: {
  family: Family;
  isCurrent: boolean;
  onChoose: () => void;
  faceAddress: (id: string) => string;
}) {
  const ref = useRef<HTMLButtonElement>(null);
  const [isReady, setReady] = useState(false);
  const name = `specimen ${family.family}`;
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      specimen(name, family, faceAddress).then(
        () => setReady(true),
        () => {},
      );
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [family, name, faceAddress]);
  return (
    <button
      ref={ref}
      type="button"
      role="option"
      aria-selected={isCurrent}
      class="font-option"
      onClick={onChoose}
      onKeyDown={(event) => {
        const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key] as
          | 'nextElementSibling'
          | undefined;
        const next = step && event.currentTarget[step];
        if (!(next instanceof HTMLElement)) return;
        event.preventDefault();
        next.focus();
      }}
    >
      <span class="truncate" style={isReady ? { fontFamily: `"${name}"` } : {}}>
        {family.family}
      </span>
      {isCurrent && <Icon of={check} size={14} />}
    </button>
  );
}

function specimen(name: string, family: Family, faceAddress: (id: string) => string): Promise<void> {
  let loading = loaded.get(name);
  if (!loading) {
    const upright = family.faces.filter(({ style }) => style === 'normal');
    const face = (upright.length > 0 ? upright : family.faces).toSorted(
      (a, b) => Math.abs(a.weight - 400) - Math.abs(b.weight - 400),
    )[0];
    const size = (face as { readonly size?: number | null } | undefined)?.size ?? 0;
    if (!face || face.isEmoji || size > LARGEST) return Promise.reject(new Error('not shown'));
    // Passed as bytes, because the page's policy allows font URLs only from the bundle.
    loading = fetch(faceAddress(face.id), { credentials: 'same-origin' })
      .then((response) => (response.ok ? response.arrayBuffer() : Promise.reject(new Error('not found'))))
      .then((bytes) => new FontFace(name, bytes).load())
      .then((opened) => void document.fonts.add(opened));
    loaded.set(name, loading);
  }
  return loading;
}
