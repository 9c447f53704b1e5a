// Gathers what a scene must be handed before layout: faces and the text they must cover, images and where they lie.

import { fontQueryKey } from '../text/font-set.ts';
import type { FontNeed, ImageNeed, Needs, TextSpan } from './scene.ts';

/** What layout may add to any text: the ellipsis, its stand-in, a hyphen and a space. */
const ALWAYS = '… .-';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Where resolving a layer says what it needs. */
export interface NeedsSink {
  addText(layer: string, span: Pick<TextSpan, 'text' | 'style'>): void;
  /** The key under which the image will stand in Resources; equal wishes share one. */
  addImage(need: Omit<ImageNeed, 'key'>): string;
  /** Text in this language (BCP 47) is to be hyphenated. */
  addHyphenation(language: string): void;
  /** A code could not be encoded, as there is no encoder yet. */
  addCodes(): void;
}

export class NeedsCollector implements NeedsSink {
  readonly #fonts = new Map<string, Mutable<FontNeed>>();
  readonly #images = new Map<string, ImageNeed>();
  readonly #languages = new Set<string>();
  #codes = false;

  addText(layer: string, { text, style }: Pick<TextSpan, 'text' | 'style'>): void {
    const key = fontQueryKey(style.font);
    let need = this.#fonts.get(key);
    if (!need) {
      need = { query: style.font, layer, text: ALWAYS };
      this.#fonts.set(key, need);
    }
    if (text === '') return;
    // A space keeps two halves of surrogate pairs from making a character that nobody wrote.
    need.text += ` ${text}`;
    // Case mapping happens with the text, and may ask for letters that the source has not (ß → SS).
    if (style.textTransform === 'uppercase' || style.textTransform === 'capitalize')
      need.text += ` ${text.toLocaleUpperCase(style.lang ?? 'en')}`;
    else if (style.textTransform === 'lowercase') need.text += ` ${text.toLocaleLowerCase(style.lang ?? 'en')}`;
  }

  addImage(need: Omit<ImageNeed, 'key'>): string {
    const wish = JSON.stringify([need.sources, need.focus, need.optional]);
    let known = this.#images.get(wish);
    if (!known) {
      known = { ...need, key: `image-${this.#images.size}` };
      this.#images.set(wish, known);
    }
    return known.key;
  }

  addHyphenation(language: string): void {
    this.#languages.add(language);
  }

  addCodes(): void {
    this.#codes = true;
  }

  needs(): Needs {
    const fonts: readonly FontNeed[] = [...this.#fonts.values()];
    return {
      fonts,
      images: [...this.#images.values()],
      hyphenation: [...this.#languages],
      ...(this.#codes && { codes: true }),
    };
  }
}

/** Hands on what one layer needs, and keeps it to be asked for again in later renders. */
export class LayerNeeds implements NeedsSink {
  readonly #needs: NeedsSink;
  readonly #asked: ((needs: NeedsSink) => boolean)[] = [];

  constructor(needs: NeedsSink) {
    this.#needs = needs;
  }

  addText(layer: string, span: Pick<TextSpan, 'text' | 'style'>): void {
    this.#needs.addText(layer, span);
    this.#asked.push((needs) => {
      needs.addText(layer, span);
      return true;
    });
  }

  addImage(need: Omit<ImageNeed, 'key'>): string {
    const key = this.#needs.addImage(need);
    this.#asked.push((needs) => needs.addImage(need) === key);
    return key;
  }

  addHyphenation(language: string): void {
    this.#needs.addHyphenation(language);
    this.#asked.push((needs) => {
      needs.addHyphenation(language);
      return true;
    });
  }

  addCodes(): void {
    this.#needs.addCodes();
    // The encoder may be there by now: the layer is resolved anew.
    this.#asked.push(() => false);
  }

  /** Asks again for all of it. False where the layer must be resolved anew: an image now has another key, a code no modules. */
  repeat(needs: NeedsSink): boolean {
    for (const ask of this.#asked) if (!ask(needs)) return false;
    return true;
  }
}
