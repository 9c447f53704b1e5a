// Collects the resources that a scene needs before layout: faces with the text they must cover, images by source, codes by value.

import type { Diagnostic } from '../diagnostics.ts';
import { fontQueryKey } from '../text/font-set.ts';
import { localeOf } from '../text/text-transform.ts';
import type { CodeNeed, FontNeed, ImageNeed, Needs, TextSpan } from './scene.ts';

/** Characters that layout may add to any text: the ellipsis, its replacement, a hyphen and a space. */
const ALWAYS = '… .-';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Receives the needs of a layer while it is resolved. */
export interface NeedsSink {
  addText(layer: string, span: Pick<TextSpan, 'text' | 'style'>): void;
  /** Returns the key of the image in Resources; equal needs share one. */
  addImage(need: Omit<ImageNeed, 'key'>): string;
  /** Text in this language (BCP 47) is to be hyphenated. */
  addHyphenation(language: string): void;
  /** Returns the key of the code in Resources. */
  addCode(need: Omit<CodeNeed, 'key'>): string;
  addChart(): void;
  /** What is odd about the layer, each time that it is drawn. */
  addWarning(warning: Diagnostic): void;
}

/** The key of a code in Resources. */
const codeKey = ({ format, errorCorrection, quietZone, value }: Omit<CodeNeed, 'key'>): string =>
  JSON.stringify([format, errorCorrection, quietZone, value]);

/** Of a code that is encoded when a page has it. */
export const laterCodeKey = (need: Omit<CodeNeed, 'key'>): string =>
  JSON.stringify([...(JSON.parse(codeKey(need)) as unknown[]), need.path]);

/** A code of which only the key is known; null if it is not encoded later. */
export function laterCode(key: string): CodeNeed | null {
  const [format, errorCorrection, quietZone, value, path] = JSON.parse(key);
  return path === undefined ? null : { key, format, errorCorrection, quietZone, value, path };
}

export class NeedsCollector implements NeedsSink {
  readonly #fonts = new Map<string, Mutable<FontNeed>>();
  readonly #images = new Map<string, ImageNeed>();
  readonly #languages = new Set<string>();
  readonly #codes = new Map<string, CodeNeed>();
  #hasCharts = false;
  readonly warnings: Diagnostic[] = [];

  addText(layer: string, { text, style }: Pick<TextSpan, 'text' | 'style'>): void {
    const key = fontQueryKey(style.font);
    let need = this.#fonts.get(key);
    if (!need) {
      need = { query: style.font, layer, text: ALWAYS };
      this.#fonts.set(key, need);
    }
    if (text === '') return;
    // A space keeps halves of two surrogate pairs from forming a character that is in neither text.
    need.text += ` ${text}`;
    // Case mapping happens later and may need letters that the source does not have (ß → SS).
    const locale = localeOf(style.lang);
    if (/^(upper|capital)/.test(style.textTransform) || style.features.smcp || style.features.pcap)
      need.text += ` ${text.toLocaleUpperCase(locale)}`;
    else if (style.textTransform === 'lowercase') need.text += ` ${text.toLocaleLowerCase(locale)}`;
  }

  addImage(need: Omit<ImageNeed, 'key'>): string {
    const wish = JSON.stringify([need.sources, need.focus, need.optional, need.page]);
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

  addChart(): void {
    this.#hasCharts = true;
  }

  addWarning(warning: Diagnostic): void {
    this.warnings.push(warning);
  }

  addCode(need: Omit<CodeNeed, 'key'>): string {
    const key = codeKey(need);
    if (!this.#codes.has(key)) this.#codes.set(key, { ...need, key });
    return key;
  }

  needs(): Needs {
    const fonts: readonly FontNeed[] = [...this.#fonts.values()];
    return {
      fonts,
      images: [...this.#images.values()],
      hyphenation: [...this.#languages],
      codes: [...this.#codes.values()],
      ...(this.#hasCharts && { charts: true }),
    };
  }
}

/** Forwards the needs of one layer and records them, to repeat them in later renders. */
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

  addChart(): void {
    this.#needs.addChart();
    this.#asked.push((needs) => {
      needs.addChart();
      return true;
    });
  }

  addWarning(warning: Diagnostic): void {
    this.#needs.addWarning(warning);
    this.#asked.push((needs) => {
      needs.addWarning(warning);
      return true;
    });
  }

  addCode(need: Omit<CodeNeed, 'key'>): string {
    const key = this.#needs.addCode(need);
    this.#asked.push((needs) => needs.addCode(need) === key);
    return key;
  }

  /**
   * Repeats all recorded needs. Returns false if the layer must be resolved anew: an image now has another key.
   */
  repeat(needs: NeedsSink): boolean {
    for (const ask of this.#asked) if (!ask(needs)) return false;
    return true;
  }
}
