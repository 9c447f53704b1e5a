// Layer names. They are unique in a template, because they are its parameters.

import type { RawLayer } from './document.ts';

/** `title`, else `title-2`, `title-3`, … */
export function uniqueName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  const stem = wanted.replace(/-\d+$/, '').slice(0, 90);
  for (let n = 2; ; n++) if (!taken.has(`${stem}-${n}`)) return `${stem}-${n}`;
}

export const copyName = (name: string, taken: ReadonlySet<string>): string => uniqueName(name, taken);

/** The layers and their children, renamed so that no name is taken. */
export function freshNames(layers: readonly RawLayer[], taken: ReadonlySet<string>): readonly RawLayer[] {
  const all = new Set(taken);
  const renamed = (layer: RawLayer): RawLayer => {
    const name = uniqueName(layer.name, all);
    all.add(name);
    const children = layer.children?.map(renamed);
    return { ...layer, name, ...(children && { children }) };
  };
  return layers.map(renamed);
}
