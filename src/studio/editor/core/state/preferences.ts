// What the editor keeps in this browser: the grid and sets of data for each template, and a person's fonts and copied style for
// all of them.

import { effect, signal } from '@preact/signals';
import { type Kept, keep, readKept } from '../clock.ts';
import type { CopiedStyle } from '../document/copied-style.ts';
import type { Values } from '../document/document.ts';

/** Named values to show the template with. */
export interface DataSet {
  readonly name: string;
  readonly values: Values;
}

interface OfTemplate {
  readonly grid?: number;
  readonly showGrid?: boolean;
  readonly showSizes?: boolean;
  readonly sets?: readonly DataSet[];
  readonly dismissed?: readonly string[];
}

interface Fonts {
  readonly recent?: readonly string[];
  readonly favourites?: readonly string[];
}

const [FONTS, STYLE] = ['platen-fonts', 'platen-style'];
const MOST_RECENT = 6;
const MOST_FAVOURITES = 100;

export class Preferences {
  /** px between the lines of the grid. */
  readonly grid = signal(8);
  readonly showGrid = signal(false);
  /** Whether all sizes are shown beside the edited one. */
  readonly showSizes = signal(true);
  /** Whether the panels are beside the canvas. */
  readonly showPanels = signal(true);
  readonly showRulers = signal(true);
  readonly snap = signal(true);
  readonly sets = signal<readonly DataSet[]>([]);
  /** Warnings that are by design, by their code and layer. */
  readonly dismissed = signal<readonly string[]>([]);
  /** The last chosen first. */
  readonly recentFonts = signal<readonly string[]>([]);
  readonly favouriteFonts = signal<readonly string[]>([]);
  readonly #kept: Kept;

  /** @param id of the template; null: nothing is kept of it */
  constructor(id: string | null, kept: Kept) {
    this.#kept = kept;
    const fonts = readKept<Fonts>(kept, FONTS);
    this.recentFonts.value = fonts?.recent ?? [];
    this.favouriteFonts.value = fonts?.favourites ?? [];
    effect(() => {
      const chosen: Fonts = { recent: this.recentFonts.value, favourites: this.favouriteFonts.value };
      keep(kept, FONTS, chosen);
    });
    if (id === null) return;
    const key = `platen-editor ${id}`;
    const stored = readKept<OfTemplate>(kept, key);
    this.grid.value = stored?.grid ?? 8;
    this.showGrid.value = stored?.showGrid ?? false;
    this.showSizes.value = stored?.showSizes ?? true;
    this.sets.value = stored?.sets ?? [];
    this.dismissed.value = stored?.dismissed ?? [];
    effect(() => {
      const own: OfTemplate = {
        grid: this.grid.value,
        showGrid: this.showGrid.value,
        showSizes: this.showSizes.value,
        sets: this.sets.value,
        dismissed: this.dismissed.value,
      };
      keep(kept, key, own);
    });
  }

  rememberFont(family: string): void {
    const { recentFonts } = this;
    recentFonts.value = [family, ...recentFonts.peek().filter((each) => each !== family)].slice(0, MOST_RECENT);
  }

  toggleFavourite(family: string): void {
    const { favouriteFonts } = this;
    const others = favouriteFonts.peek().filter((each) => each !== family);
    const isOne = others.length < favouriteFonts.peek().length;
    favouriteFonts.value = isOne ? others : [...others, family].slice(-MOST_FAVOURITES);
  }

  /** The style that was copied last, in whichever template. */
  get copiedStyle(): CopiedStyle | null {
    return readKept(this.#kept, STYLE);
  }

  set copiedStyle(style: CopiedStyle | null) {
    keep(this.#kept, STYLE, style);
  }
}
