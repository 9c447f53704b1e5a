// Gathers what a scene must be handed before layout: faces and the text they must cover, images and where they lie.

import { type FontQuery, fontQueryKey } from '../text/font-set.ts';
import type { FontNeed, ImageNeed, Needs, TextSpan } from './scene.ts';

/** What layout may add to any text: the ellipsis, its stand-in, a hyphen and a space. */
const ALWAYS = [...'… .-'].map((character) => character.codePointAt(0) ?? 0);

export class NeedsCollector {
  readonly #fonts = new Map<string, { query: FontQuery; layer: string; codePoints: Set<number> }>();
  readonly #images = new Map<string, ImageNeed>();
  readonly #languages = new Set<string>();

  addText(layer: string, { text, style }: Pick<TextSpan, 'text' | 'style'>): void {
    const key = fontQueryKey(style.font);
    let need = this.#fonts.get(key);
    if (!need) {
      need = { query: style.font, layer, codePoints: new Set(ALWAYS) };
      this.#fonts.set(key, need);
    }
    const addAll = (words: string) => {
      for (const character of words) need.codePoints.add(character.codePointAt(0) ?? 0);
    };
    addAll(text);
    // Case mapping happens with the text, and may ask for letters that the source has not (ß → SS).
    if (style.textTransform === 'uppercase' || style.textTransform === 'capitalize')
      addAll(text.toLocaleUpperCase(style.lang ?? 'en'));
    else if (style.textTransform === 'lowercase') addAll(text.toLocaleLowerCase(style.lang ?? 'en'));
  }

  /** The key under which the image will stand in Resources; equal wishes share one. */
  addImage(need: Omit<ImageNeed, 'key'>): string {
    const wish = JSON.stringify([need.sources, need.focus, need.optional]);
    let known = this.#images.get(wish);
    if (!known) {
      known = { ...need, key: `image-${this.#images.size}` };
      this.#images.set(wish, known);
    }
    return known.key;
  }

  /** Text in this language (BCP 47) is to be hyphenated. */
  addHyphenation(language: string): void {
    this.#languages.add(language);
  }

  needs(): Needs {
    const fonts: FontNeed[] = [...this.#fonts.values()].map(({ query, layer, codePoints }) => ({
      query,
      layer,
      codePoints: [...codePoints].sort((a, b) => a - b),
    }));
    return { fonts, images: [...this.#images.values()], hyphenation: [...this.#languages] };
  }
}
