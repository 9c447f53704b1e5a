// Per-template settings that the editor keeps in this browser: locked layers, guides, the grid, sets of data.

import { effect, signal } from '@preact/signals';
import { read, write } from '../../shell/kept.ts';
import type { Values } from './editor-state.ts';

export interface Guide {
  readonly axis: 'x' | 'y';
  /** Canvas px. */
  readonly at: number;
}

/** Named values to show the template with. */
export interface DataSet {
  readonly name: string;
  readonly values: Values;
}

interface Stored {
  readonly locked?: readonly string[];
  readonly guides?: readonly Guide[];
  readonly grid?: number;
  readonly showGrid?: boolean;
  readonly sets?: readonly DataSet[];
}

export class Preferences {
  readonly locked = signal<ReadonlySet<string>>(new Set());
  readonly guides = signal<readonly Guide[]>([]);
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
    this.locked.value = new Set(stored?.locked ?? []);
    this.guides.value = stored?.guides ?? [];
    this.grid.value = stored?.grid ?? 8;
    this.showGrid.value = stored?.showGrid ?? false;
    this.sets.value = stored?.sets ?? [];
    effect(() => {
      const kept: Stored = {
        locked: [...this.locked.value],
        guides: this.guides.value,
        grid: this.grid.value,
        showGrid: this.showGrid.value,
        sets: this.sets.value,
      };
      write(this.#key, kept);
    });
  }

  setLocked(names: readonly string[], isLocked: boolean): void {
    const locked = new Set(this.locked.peek());
    for (const name of names) {
      if (isLocked) locked.add(name);
      else locked.delete(name);
    }
    this.locked.value = locked;
  }

  rename(from: string, to: string): void {
    if (!this.locked.peek().has(from)) return;
    this.setLocked([from], false);
    this.setLocked([to], true);
  }
}
