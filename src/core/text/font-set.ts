// The faces of one render: which chain of faces answers a style, and which face a glyph run speaks of.

import type { FontFace } from './font-face.ts';

/** A style's demand for faces, in CSS's terms (CSS Fonts 4, font matching). */
export interface FontQuery {
  /** In order of preference, at least one. */
  readonly families: readonly string[];
  /** 1..1000. */
  readonly weight: number;
  readonly style: 'normal' | 'italic';
  /** OpenType variation axes beyond weight and slant, tag → value. */
  readonly variations: Readonly<Record<string, number>>;
  /** CSS font-synthesis: what may be made of a face that the family lacks; left out: bold and italic. */
  readonly synthesis?: 'none' | 'weight' | 'style';
  /** BCP 47, or null; says whose forms Han characters have when they fall back. */
  readonly lang: string | null;
}

/** A face as one query sees it: the same file may be slanted for one and upright for another. */
export interface MatchedFace {
  readonly face: FontFace;
  /** See GlyphRun.slant: > 0 where italic was asked for and the family has none. */
  readonly slant: number;
  /** See GlyphRun.embolden: true where bold was asked for and the family has none. */
  readonly embolden?: true;
  /** True of a face that stands in for characters that no family has which the style names. */
  readonly isFallback?: boolean;
}

/** A query is never changed, and a template's are asked with on every render. */
const keys = new WeakMap<FontQuery, string>();

/** One key per distinct query; equal queries have equal keys. */
export function fontQueryKey(query: FontQuery): string {
  let key = keys.get(query);
  if (key === undefined) {
    const { families, weight, style, variations, synthesis, lang } = query;
    key = JSON.stringify([families, weight, style, Object.entries(variations).sort(), lang, synthesis]);
    keys.set(query, key);
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

  /** The faces for a style, the best match first, then the fallbacks that the scene's text called for. */
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
