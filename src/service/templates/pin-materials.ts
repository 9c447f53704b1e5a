// Names the version of each component and of the brand in a document, so that it looks the same whatever is saved later.

import { ValidationError } from '#core/diagnostics.ts';
import { formatPath } from '#core/template/validation.ts';

/** Frames nest no deeper (core/template/template.ts); what is below is refused later. */
const MAX_DEPTH = 12;

type Fields = Readonly<Record<string, unknown>>;

/** The newest versions: `tpl_…` → `tpl_…@3`, `acme` → `acme@2`. */
export interface Newest {
  /** @throws ValidationError at `path` when there is none */
  component(id: string, path: string): Promise<string>;
  /** @throws ValidationError at `path` when there is none */
  brand(name: string, path: string): Promise<string>;
}

/** The document itself, if it names all versions already. */
export async function pinMaterials(document: unknown, newest: Newest): Promise<unknown> {
  if (!isObject(document)) return document;
  const { brand, layers } = document;
  const pinned = { ...document };
  if (typeof brand === 'string' && !brand.includes('@')) pinned.brand = await newest.brand(brand, 'brand');
  if (Array.isArray(layers)) pinned.layers = await pinLayers(layers, newest, 'layers', 0);
  return pinned.brand === brand && pinned.layers === layers ? document : pinned;
}

async function pinLayers(
  layers: readonly unknown[],
  newest: Newest,
  path: string,
  depth: number,
): Promise<readonly unknown[]> {
  if (depth > MAX_DEPTH) return layers;
  const pinned: unknown[] = [];
  for (const [index, layer] of layers.entries()) {
    pinned.push(isObject(layer) ? await pinLayer(layer, newest, formatPath(path, [index]), depth) : layer);
  }
  return pinned.every((layer, i) => layer === layers[i]) ? layers : pinned;
}

async function pinLayer(layer: Fields, newest: Newest, path: string, depth: number): Promise<Fields> {
  const { template, children } = layer;
  if (layer.type === 'template' && typeof template === 'string' && !template.includes('@')) {
    return { ...layer, template: await newest.component(template, `${path}.template`) };
  }
  if (!Array.isArray(children)) return layer;
  const pinned = await pinLayers(children, newest, `${path}.children`, depth + 1);
  return pinned === children ? layer : { ...layer, children: pinned };
}

/** The ids of the templates that a document shows as components. */
export function componentsIn(document: unknown): readonly string[] {
  const visit = (layers: unknown, depth: number): string[] =>
    Array.isArray(layers) && depth <= MAX_DEPTH
      ? layers
          .filter(isObject)
          .flatMap(({ type, template, children }) => [
            ...(type === 'template' && typeof template === 'string' ? [template] : []),
            ...visit(children, depth + 1),
          ])
      : [];
  return isObject(document) ? [...new Set(visit(document.layers, 0))] : [];
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const notThere = (path: string, what: string) => new ValidationError(path, `there is no ${what}`);
