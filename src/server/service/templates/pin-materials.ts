// Names the version of each component and of the brand in a document, so that it looks the same whatever is saved later.

import { ValidationError } from '#core/diagnostics.ts';
import { isObject } from '#core/resolve/modify-layer.ts';
import { formatPath } from '#core/template/validation.ts';
import { MAX_DEPTH, type Material } from '#design/references-in.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The newest versions: `tpl_…` → `tpl_…@3`, `acme` → `acme@2`. A reference that names its version is returned. */
export interface Newest {
  /** @throws ValidationError at `path` when there is none, or no such version */
  component(reference: string, path: string): Promise<string>;
  /** @throws ValidationError at `path` when there is none */
  brand(name: string, path: string): Promise<string>;
}

/** The document itself, if it names all versions already. */
export async function pinMaterials(document: unknown, newest: Newest): Promise<unknown> {
  return withReferences(document, {
    brand: async (reference, path) => (reference.includes('@') ? reference : newest.brand(reference, path)),
    component: newest.component,
  });
}

/** The document with a newer version of one material, wherever it names an older one; itself, if it names none. */
export async function withNewer<Document>(
  document: Document,
  { kind, name }: Material,
  version: number,
): Promise<Document> {
  const newer = (of: Material['kind']) => async (reference: string) => {
    const [id, pinned] = reference.split('@');
    return of === kind && id === name && Number(pinned) < version ? `${name}@${version}` : reference;
  };
  return (await withReferences(document, { brand: newer('brand'), component: newer('template') })) as Document;
}

/** Replaces what a document refers to. */
async function withReferences(document: unknown, replaced: Newest): Promise<unknown> {
  if (!isObject(document)) return document;
  const { brand, layers } = document;
  const changed = { ...document };
  if (typeof brand === 'string') changed.brand = await replaced.brand(brand, 'brand');
  if (Array.isArray(layers)) changed.layers = await inLayers(layers, replaced, 'layers', 0);
  return changed.brand === brand && changed.layers === layers ? document : changed;
}

async function inLayers(
  layers: readonly unknown[],
  replaced: Newest,
  path: string,
  depth: number,
): Promise<readonly unknown[]> {
  if (depth > MAX_DEPTH) return layers;
  const changed: unknown[] = [];
  for (const [index, layer] of layers.entries()) {
    changed.push(isObject(layer) ? await inLayer(layer, replaced, formatPath(path, [index]), depth) : layer);
  }
  return changed.every((layer, i) => layer === layers[i]) ? layers : changed;
}

async function inLayer(layer: Fields, replaced: Newest, path: string, depth: number): Promise<Fields> {
  const { template, children } = layer;
  if (layer.type === 'template' && typeof template === 'string') {
    const reference = await replaced.component(template, `${path}.template`);
    return reference === template ? layer : { ...layer, template: reference };
  }
  if (!Array.isArray(children)) return layer;
  const changed = await inLayers(children, replaced, `${path}.children`, depth + 1);
  return changed === children ? layer : { ...layer, children: changed };
}

export const notThere = (path: string, what: string) => new ValidationError(path, `there is no ${what}`);
