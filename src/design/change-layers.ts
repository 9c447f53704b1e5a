// Changes layers by name, as an author’s modifications: nothing is hidden, calculated or repeated by it.

import { type Diagnostic, ValidationError } from '#core/diagnostics.ts';
import { didYouMean } from '#core/nearest-name.ts';
import { modifyLayer } from '#core/resolve/modify-layer.ts';
import type { Layer } from '#core/template/layer.ts';
import { walkLayers } from '#core/template/template.ts';
import { formatPath } from '#core/template/validation.ts';

/** Layer name → modification, and where each is in the document. */
export type Changes = ReadonlyMap<string, { readonly value: unknown; readonly path: string }>;

/** @throws ValidationError naming the path, when a name is no layer’s or a value does not fit */
export function changeLayers(layers: Layer[], changes: Changes, diagnostics: Diagnostic[]): Layer[] {
  if (changes.size === 0) return layers;
  const left = new Map(changes);
  const visit = (of: Layer[]): Layer[] => {
    const visited = of.map((stored) => {
      const change = changes.get(stored.name);
      left.delete(stored.name);
      const layer = change ? modifyLayer(stored, change.value, change.path, diagnostics).layer : stored;
      if (layer.type !== 'frame') return layer;
      const children = visit(layer.children);
      return children === layer.children ? layer : { ...layer, children };
    });
    return visited.every((layer, i) => layer === of[i]) ? of : visited;
  };
  const changed = visit(layers);
  for (const [name, { path }] of left) throw new ValidationError(path, noLayer(name, layers));
  return changed;
}

const noLayer = (name: string, layers: readonly Layer[]) =>
  `the template has no layer ${didYouMean(
    name,
    [...walkLayers(layers)].map(({ layer }) => layer.name),
  )}`;

/** Changes by name from an object at `path`. */
export const changesIn = (values: Readonly<Record<string, unknown>>, path: string): Changes =>
  new Map(Object.entries(values).map(([name, value]) => [name, { value, path: formatPath(path, [name]) }]));
