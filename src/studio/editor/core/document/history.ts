// The undo history: whole states, such as documents, which share their unchanged parts.

import type { RawDocument, Values } from './document.ts';

/** Values that the canvas is shown with, which are not stored in the template. */
export interface TestData {
  readonly values: Values;
  /** Such as a sample set's; null when they were typed one by one. */
  readonly name: string | null;
  /** Whether they differ from what has that name. */
  readonly isChanged: boolean;
}

/** A document, and the selection while it was current. */
export interface Moment {
  readonly document: RawDocument;
  readonly selection: readonly string[];
  /** Test data that the step between this moment and the next has replaced by `instead`. */
  readonly testData?: TestData & { readonly instead: Values };
}

/** The most states kept. They share what is equal, so each needs only as much memory as its changes. */
const MOST = 500;
/** Edits of one kind within this time are one step, ms: typing, a slider, arrow keys. */
const TOGETHER = 800;

export class History<State> {
  #past: State[] = [];
  #future: State[] = [];
  #kind: string | null = null;
  #time = 0;
  readonly #most: number;

  /** @param most states kept */
  constructor(most = MOST) {
    this.#most = most;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }
  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /**
   * Records the current state before an edit.
   *
   * @param kind edits of one kind that follow closely are undone together; null = a step of its own
   * @param now ms
   */
  record(before: State, kind: string | null, now: number): void {
    const together = kind !== null && kind === this.#kind && now - this.#time < TOGETHER && this.#past.length > 0;
    if (!together) this.#past.push(before);
    if (this.#past.length > this.#most) this.#past.shift();
    this.#future = [];
    this.#kind = kind;
    this.#time = now;
  }

  /** Makes the next edit a step of its own. */
  close(): void {
    this.#kind = null;
  }

  clear(): void {
    this.#past = [];
    this.#future = [];
    this.#kind = null;
  }

  /** @param current what it is now, to be redone, in view of the state that comes back */
  undo(current: (before: State) => State): State | null {
    const before = this.#past.pop();
    if (!before) return null;
    this.#future.push(current(before));
    this.#kind = null;
    return before;
  }

  /** @param current what it is now, to be undone again, in view of the state that comes back */
  redo(current: (after: State) => State): State | null {
    const after = this.#future.pop();
    if (!after) return null;
    this.#past.push(current(after));
    this.#kind = null;
    return after;
  }
}
