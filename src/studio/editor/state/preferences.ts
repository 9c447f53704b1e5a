// Per-template settings that the editor keeps in this browser: the grid and sets of data.

import { effect, signal } from '@preact/signals';
import { read, write } from '../../shell/browser-settings.ts';
import type { Values } from '../document/document.ts';

/** Named values to show the template with. */
export interface DataSet {
  readonly name: string;
  readonly values: Values;
}

interface Stored {
  readonly grid?: number;
  readonly showGrid?: boolean;
  readonly sets?: readonly DataSet[];
}

export class Preferences {
  /** px between the lines of the grid. */
  readonly grid = signal(8);
  readonly showGrid = signal(false);
  readonly showRulers = signal(true);
  readonly snap = signal(true);
  readonly sets = signal<readonly DataSet[]>([]);
  readonly #key: string;

  /** @param id of the template */
  constructor(id: string) {
    this.#key = `platen-editor ${id}`;
    const stored = read<Stored>(this.#key);
    this.grid.value = stored?.grid ?? 8;
    this.showGrid.value = stored?.showGrid ?? false;
    this.sets.value = stored?.sets ?? [];
    effect(() => {
      const kept: Stored = {
        grid: this.grid.value,
        showGrid: this.showGrid.value,
        sets: this.sets.value,
      };
      write(this.#key, kept);
    });
  }
}
