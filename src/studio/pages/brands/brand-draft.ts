// A brand while it is edited: its entries as lists, in their order, so that a name can be typed without moving its row.

import { didYouMean } from '#core/nearest-name.ts';
import { texts } from '../../texts/pages.ts';

export const KINDS = ['colors', 'textStyles', 'fonts', 'images', 'numbers'] as const;
export type Kind = (typeof KINDS)[number];

/** Entries of one kind; as design/brand.ts bounds them. */
export const MAX_ENTRIES = 100;
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,59}$/;

export interface Entry {
  /** Of its row; it stays when the name changes. */
  readonly key: number;
  readonly name: string;
  readonly value: unknown;
}

/** What a brand holds, by kind and name. */
type BrandDocument = Readonly<Record<Kind, Readonly<Record<string, unknown>>>>;

export type BrandDraft = Readonly<Record<Kind, readonly Entry[]>>;

export type TextStyle = Readonly<Record<string, unknown>>;

/**
 * A stored text style holds the values of the colours and fonts that it was made of. Those that are still the brand's are
 * shown by name, so that they follow when the colour changes.
 */
export function draftOf(brand: BrandDocument): BrandDraft {
  let key = 0;
  const listed = (kind: Kind): Entry[] =>
    Object.entries(brand[kind]).map(([name, value]) => ({ key: key++, name, value }));
  const draft = Object.fromEntries(KINDS.map((kind) => [kind, listed(kind)])) as Record<Kind, Entry[]>;
  const linked = (value: unknown, entries: readonly Entry[]) => {
    const same = entries.find((entry) => JSON.stringify(entry.value) === JSON.stringify(value));
    return same ? `$${same.name}` : value;
  };
  const styles = draft.textStyles.map((entry) => {
    const style = entry.value as TextStyle;
    const { color, fontFamily } = style;
    return {
      ...entry,
      value: {
        ...style,
        ...(color !== undefined && { color: linked(color, draft.colors) }),
        ...(fontFamily !== undefined && { fontFamily: linked(fontFamily, draft.fonts) }),
      },
    };
  });
  return { ...draft, textStyles: styles };
}

/** What is sent. Of two entries of one name the last is kept: see `problems`, which finds them first. */
export const documentOf = (draft: BrandDraft): BrandDocument =>
  Object.fromEntries(
    KINDS.map((kind) => [kind, Object.fromEntries(draft[kind].map(({ name, value }) => [name, value]))]),
  ) as Record<Kind, Record<string, unknown>>;

export const isEmpty = (draft: BrandDraft): boolean => KINDS.every((kind) => draft[kind].length === 0);

/** With another entry, whose name is the first free one. */
export function added(draft: BrandDraft, kind: Kind, base: string, value: unknown): BrandDraft {
  const all = KINDS.flatMap((each) => draft[each]);
  const names = new Set(all.map(({ name }) => name));
  let name = base;
  for (let n = 2; names.has(name); n++) name = `${base}-${n}`;
  const key = Math.max(-1, ...all.map((entry) => entry.key)) + 1;
  return { ...draft, [kind]: [...draft[kind], { key, name, value }] };
}

export const removed = (draft: BrandDraft, kind: Kind, key: number): BrandDraft => ({
  ...draft,
  [kind]: draft[kind].filter((entry) => entry.key !== key),
});

export const changed = (draft: BrandDraft, kind: Kind, key: number, value: unknown): BrandDraft => ({
  ...draft,
  [kind]: draft[kind].map((entry) => (entry.key === key ? { ...entry, value } : entry)),
});

/** Renames an entry, also where text styles refer to it. */
export function renamed(draft: BrandDraft, kind: Kind, key: number, name: string): BrandDraft {
  const before = draft[kind].find((entry) => entry.key === key)?.name;
  const next = { ...draft, [kind]: draft[kind].map((entry) => (entry.key === key ? { ...entry, name } : entry)) };
  const follow = (value: unknown) => (value === `$${before}` ? `$${name}` : value);
  const textStyles = next.textStyles.map((entry) => ({
    ...entry,
    value: Object.fromEntries(Object.entries(entry.value as TextStyle).map(([of, value]) => [of, follow(value)])),
  }));
  return { ...next, textStyles };
}

/** The value that `$name` stands for in a text style; any other value is itself. undefined = there is no such entry */
export function valueIn(draft: BrandDraft, value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('$')) return value;
  return KINDS.flatMap((kind) => draft[kind]).find(({ name }) => `$${name}` === value)?.value;
}

/** What prevents a save, by the key of the entry. */
export function problems(draft: BrandDraft): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  const seen = new Set<string>();
  for (const kind of KINDS) {
    for (const { key, name, value } of draft[kind]) {
      if (name === '') found.set(key, texts.value.brands.needsName);
      else if (!NAME.test(name)) found.set(key, texts.value.brands.nameRules);
      else if (seen.has(name)) found.set(key, texts.value.brands.nameTaken(name));
      else if (value === '') found.set(key, texts.value.brands.choosePicture);
      seen.add(name);
    }
  }
  const names = [...seen].map((name) => `$${name}`);
  for (const { key, value } of draft.textStyles) {
    for (const used of Object.values(value as TextStyle)) {
      if (typeof used !== 'string' || !used.startsWith('$') || names.includes(used)) continue;
      found.set(key, texts.value.brands.hasNo(didYouMean(used, names)));
    }
  }
  return found;
}

/** `Harbour Coffee` → `harbour-coffee`: as brands are named in addresses. */
export const brandName = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 60)
    .replace(/-$/, '');
