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
  readonly showSizes?: boolean;
  readonly sets?: readonly DataSet[];
}

export class Preferences {
  /** px between the lines of the grid. */
  readonly grid = signal(8);
  readonly showGrid = signal(false);
  /** Whether all sizes are shown beside the edited one. */
  readonly showSizes = signal(true);
  readonly showRulers = signal(true);
  readonly snap = signal(true);
  readonly sets = signal<readonly DataSet[]>([]);

  /** @param id of the template; null: nothing is kept */
  constructor(id: string | null) {
    const key = `platen-editor ${id}`;
    const stored = id === null ? null : read<Stored>(key);
    this.grid.value = stored?.grid ?? 8;
    this.showGrid.value = stored?.showGrid ?? false;
    this.showSizes.value = stored?.showSizes ?? true;
    this.sets.value = stored?.sets ?? [];
    if (id === null) return;
    effect(() => {
      const kept: Stored = {
        grid: this.grid.value,
        showGrid: this.showGrid.value,
        showSizes: this.showSizes.value,
        sets: this.sets.value,
      };
      write(key, kept);
    });
  }
}
