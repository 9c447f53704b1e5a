// Finds the layer that a path in an error message refers to: `layers[3].children[0].fontSize`, `layers.title.value`.

import { findLayer, type RawDocument, type RawLayer } from './document.ts';

export function layerAtPath(document: RawDocument, path: string): string | null {
  const named = /^(?:layers|modifications)(?:\.([^.[\]]+)|\["((?:[^"\\]|\\.)*)"\])/.exec(path);
  const name = named?.[1] ?? named?.[2];
  if (name !== undefined && findLayer(document, name)) return name;
  let layers: readonly RawLayer[] | undefined = document.layers;
  let found: RawLayer | undefined;
  for (const [, index] of path.matchAll(/(?:layers|children)\[(\d+)\]/g)) {
    found = layers?.[Number(index)] ?? found;
    layers = found?.children;
  }
  return found?.name ?? null;
}
