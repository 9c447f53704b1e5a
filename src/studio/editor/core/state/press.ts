// Keys as commands name them, such as `Mod+Shift+Z`, and whether a press is of such keys.

/** `Mod++` is Mod and `+`. */
export const splitKeys = (keys: string): readonly string[] =>
  keys.split(/\+(?=.)/).map((key) => (key === '' ? '+' : key));

/** A key that is pressed, and what is held: Ctrl or ⌘, Shift, Alt. */
export interface Press {
  readonly key: string;
  readonly code: string;
  readonly mod: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
}

/** Letters and figures are also found by their place, whatever the layout of the keyboard writes there. */
export function isPressOf(press: Press, keys: string): boolean {
  const parts = splitKeys(keys);
  const key = parts.at(-1) ?? '';
  // Characters such as ? need Shift on some keyboards and not on others.
  const isSign = key.length === 1 && !/[A-Z0-9]/.test(key);
  const placed = /^(?:Key|Digit)(.+)$/.exec(press.code)?.[1];
  const isKey =
    press.key === key || (key.length === 1 && !isSign && (placed === key || press.key.toUpperCase() === key));
  const holds = (name: string, isHeld: boolean) => parts.includes(name) === isHeld;
  return isKey && holds('Mod', press.mod) && holds('Alt', press.alt) && (isSign || holds('Shift', press.shift));
}
