// Settings that this browser keeps, as JSON.

/** null = nothing is kept, or it cannot be read. */
export function read<T>(key: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

export function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // If storage is full or forbidden, only these settings are lost.
  }
}
