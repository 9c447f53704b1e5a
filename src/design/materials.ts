// What a design is made of beside its own document: other templates, and brands. The caller supplies them by reference.

/** By reference: `tpl_…@3`, `acme@2`; as they were stored. */
export interface Materials {
  readonly templates: ReadonlyMap<string, unknown>;
  readonly brands: ReadonlyMap<string, unknown>;
}

export const NO_MATERIALS: Materials = { templates: new Map(), brands: new Map() };

/** References that the caller has not supplied: it does so, and asks again. */
export interface Missing {
  readonly templates: readonly string[];
  readonly brands: readonly string[];
}

/** Ends a design of which materials are missing. */
export class NotSupplied extends Error {
  override readonly name = 'NotSupplied';
}

/** The materials as a design takes them: what is missing is noted, and undefined. */
export class Supply {
  readonly #materials: Materials;
  readonly #missing = { templates: new Set<string>(), brands: new Set<string>() };

  constructor(materials: Materials) {
    this.#materials = materials;
  }

  template(reference: string): unknown {
    return this.#find('templates', reference);
  }

  brand(reference: string): unknown {
    return this.#find('brands', reference);
  }

  #find(kind: keyof Missing, reference: string): unknown {
    const document = this.#materials[kind].get(reference);
    if (document === undefined) this.#missing[kind].add(reference);
    return document;
  }

  /** null = nothing is missing. */
  get missing(): Missing | null {
    const { templates, brands } = this.#missing;
    return templates.size + brands.size === 0 ? null : { templates: [...templates], brands: [...brands] };
  }

  /** @throws NotSupplied when anything is missing */
  requireAll(): void {
    if (this.missing) throw new NotSupplied('Materials of the design are missing.');
  }
}
