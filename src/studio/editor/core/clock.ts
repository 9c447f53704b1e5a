// Time, and what is kept between sessions. Both are given to an editor, so that a page may have several and a test has its own.

export interface Clock {
  /** ms, from any start. */
  now(): number;
  /** @returns what ends the wait */
  after(ms: number, run: () => void): () => void;
  /** Runs `run` before the next frame is painted. */
  frame(run: () => void): void;
}

/** As `localStorage`; `setItem` throws if there is no room. */
export interface Kept {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Keeps everything as long as its editor: for pages of other sites, where nothing of one person is left for the next. */
export class MemoryStorage implements Kept {
  readonly #values = new Map<string, string>();

  getItem(key: string): string | null {
    return this.#values.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.#values.set(key, value);
  }

  removeItem(key: string): void {
    this.#values.delete(key);
  }
}

/** null = nothing is kept, or it cannot be read. */
export function readKept<T>(kept: Kept, key: string): T | null {
  try {
    return JSON.parse(kept.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** @returns false if storage is full or forbidden */
export function keep(kept: Kept, key: string, value: unknown): boolean {
  try {
    kept.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
