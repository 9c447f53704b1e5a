// Makes plain documents of designs for the canvas. What that takes is loaded with the first design.

import { signal } from '@preact/signals';
import { hasMaterials } from '#design/is-design.ts';
import type { Materials, Missing } from '#design/materials.ts';
import type { RawDocument, RawLayer } from '../document/document.ts';
import type { plainDocument } from './plain-document.ts';

/** Reads brands and templates by reference: `acme@2`, `tpl_…@3`. */
export interface MaterialSource {
  brand(reference: string): Promise<unknown>;
  template(reference: string): Promise<unknown>;
}

export class Designs implements Materials {
  readonly brands = new Map<string, unknown>();
  readonly templates = new Map<string, unknown>();
  /** Changes when more of them are known. */
  readonly known = signal(0);
  readonly #source: MaterialSource;
  readonly #failed = new Map<string, string>();
  #plain: typeof plainDocument | null = null;

  constructor(source: MaterialSource) {
    this.#source = source;
  }

  /**
   * The document without references and components: itself, unless it has any. A promise while something is loaded.
   *
   * @throws ValidationError naming what there is not
   */
  plain(document: RawDocument): RawDocument | Promise<void> {
    if (!isRawDesign(document)) return document;
    if (this.#plain) return this.#plain(document, this);
    return import('./plain-document.ts').then((module) => {
      this.#plain = module.plainDocument;
    });
  }

  /** A brand as it was stored; null while it is loaded, or if there is none. */
  brand(reference: unknown): Readonly<Record<string, unknown>> | null {
    if (typeof reference !== 'string') return null;
    const found = this.brands.get(reference);
    if (found === undefined && !this.#failed.has(reference)) void this.load({ brands: [reference], templates: [] });
    return (found ?? null) as Readonly<Record<string, unknown>> | null;
  }

  /** Why a brand or a template could not be loaded; null = it could, or was not tried. */
  failure(reference: string): string | null {
    return this.#failed.get(reference) ?? null;
  }

  async load({ brands, templates }: Missing): Promise<void> {
    await Promise.all([
      ...brands.map((one) => this.#add(this.brands, one, this.#source.brand(one))),
      ...templates.map((one) => this.#add(this.templates, one, this.#source.template(one))),
    ]);
    this.known.value++;
  }

  async #add(to: Map<string, unknown>, reference: string, loading: Promise<unknown>): Promise<void> {
    try {
      to.set(reference, await loading);
    } catch (error) {
      this.#failed.set(reference, error instanceof Error ? error.message : String(error));
    }
  }
}

const scanned = new WeakMap<RawLayer, boolean>();

function isDesignLayer(layer: RawLayer): boolean {
  let is = scanned.get(layer);
  if (is === undefined) {
    is = hasMaterials(JSON.stringify(layer));
    scanned.set(layer, is);
  }
  return is;
}

export function isRawDesign({ layers = [], sizes: _sizes, texts: _texts, ...head }: RawDocument): boolean {
  return hasMaterials(JSON.stringify(head)) || layers.some(isDesignLayer);
}
