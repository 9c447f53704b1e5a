// Lists what a document names besides itself, its brand and its components, without parsing it as a template.

import { isObject } from '#core/resolve/modify-layer.ts';

/** Frames nest no deeper (core/template/template.ts); what is below is refused. */
export const MAX_DEPTH = 12;

/** A brand by its name, or a template that is a component by its id. */
export interface Material {
  readonly kind: 'brand' | 'template';
  readonly name: string;
}

export interface PinnedMaterial extends Material {
  /** From 1 up. */
  readonly version: number;
}

/** As they stand, each once: `acme@2`, `tpl_…` without a version. */
export function referencesIn(document: unknown): {
  readonly brands: readonly string[];
  readonly templates: readonly string[];
} {
  const visit = (layers: unknown, depth: number): string[] =>
    Array.isArray(layers) && depth <= MAX_DEPTH
      ? layers
          .filter(isObject)
          .flatMap(({ type, template, children }) => [
            ...(type === 'template' && typeof template === 'string' ? [template] : []),
            ...visit(children, depth + 1),
          ])
      : [];
  if (!isObject(document)) return { brands: [], templates: [] };
  const { brand, layers } = document;
  return { brands: typeof brand === 'string' ? [brand] : [], templates: [...new Set(visit(layers, 0))] };
}

/** What a document names at a version; of several versions of one material the oldest. */
export function pinnedIn(document: unknown): readonly PinnedMaterial[] {
  const { brands, templates } = referencesIn(document);
  const found = new Map<string, PinnedMaterial>();
  const add = (kind: Material['kind'], reference: string) => {
    const [name = '', digits] = reference.split('@');
    const version = Number(digits);
    const known = found.get(`${kind} ${name}`)?.version ?? Number.POSITIVE_INFINITY;
    if (version >= 1 && version < known) found.set(`${kind} ${name}`, { kind, name, version });
  };
  for (const brand of brands) add('brand', brand);
  for (const template of templates) add('template', template);
  return [...found.values()];
}
