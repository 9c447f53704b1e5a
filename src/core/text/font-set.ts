// The faces of one render: the chain of faces for each style, and the face that a glyph run names.

import type { FontFace } from './font-face.ts';

/** The faces that a style asks for, in CSS's terms (CSS Fonts 4, font matching). */
export interface FontQuery {
  /** In order of preference, at least one. */
  readonly families: readonly string[];
  /** 1..1000. */
  readonly weight: number;
  readonly style: 'normal' | 'italic';
  /** OpenType variation axes beyond weight and slant, tag → value. */
  readonly variations: Readonly<Record<string, number>>;
  /** CSS font-synthesis: what may be synthesised if the family lacks it; by default bold and italic. */
  readonly synthesis?: 'none' | 'weight' | 'style';
  /** BCP 47, or null; decides the regional forms of Han characters in fallback faces. */
  readonly lang: string | null;
}

/** A face as one query sees it: the same file may be slanted for one and upright for another. */
export interface MatchedFace {
  readonly face: FontFace;
  /** See GlyphRun.slant: > 0 where italic was asked for and the family has none. */
  readonly slant: number;
  /** See GlyphRun.embolden: true where bold was asked for and the family has none. */
  readonly embolden?: true;
  /** True of a face for characters that none of the style's families has. */
  readonly isFallback?: boolean;
}

/** Cached by query: queries are immutable, and those of a template recur on every render. */
const keys = new WeakMap<FontQuery, string>();

/** One key per distinct query; equal queries have equal keys. */
export function fontQueryKey(query: FontQuery): string {
  let key = keys.get(query);
  if (key === undefined) {
    const { families, weight, style, variations, synthesis, lang } = query;
    key = JSON.stringify([families, weight, style, tagsKey(variations), lang, synthesis]);
    keys.set(query, key);
  }
  return key;
}

type Tags = Readonly<Record<string, number>>;

/** Cached by object: all spans of a Markdown text, of which there may be thousands, share their layer's. */
const tagsKeys = new WeakMap<Tags, string>();

/** Equal for equal features or variations, in whatever order they were written. */
export function tagsKey(tags: Tags): string {
  let key = tagsKeys.get(tags);
  if (key === undefined) {
    key = Object.entries(tags).sort().join();
    tagsKeys.set(tags, key);
  }
  return key;
}

export class FontSet {
  readonly #chains: ReadonlyMap<string, readonly MatchedFace[]>;
  readonly #faces = new Map<string, FontFace>();

  /** `chains` holds, by `fontQueryKey`, the faces to try in order; none may be empty. */
  constructor(chains: ReadonlyMap<string, readonly MatchedFace[]>) {
    this.#chains = chains;
    for (const chain of chains.values()) for (const { face } of chain) this.#faces.set(face.key, face);
  }

  /** These chains, with the faces of others for glyph runs that were shaped with them. */
  withFacesOf(others: readonly FontSet[]): FontSet {
    const joined = new FontSet(this.#chains);
    for (const other of others) for (const [key, face] of other.#faces) joined.#faces.set(key, face);
    return joined;
  }

  /** The faces for a style: the best match first, then the fallbacks that the scene's text needs. */
  chain(query: FontQuery): readonly MatchedFace[] {
    const chain = this.#chains.get(fontQueryKey(query));
    if (!chain?.length) throw new Error(`No faces were loaded for ${fontQueryKey(query)}.`);
    return chain;
  }

  /** The face that `GlyphRun.face` names. */
  face(key: string): FontFace {
    const face = this.#faces.get(key);
    if (!face) throw new Error(`No face "${key}" in this render.`);
    return face;
  }
}
