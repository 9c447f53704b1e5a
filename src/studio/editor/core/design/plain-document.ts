// A design at its own size as a document without references and components, made layer by layer: a layer that an edit
// does not change is the same object afterwards, so it is not drawn again either.

import { ValidationError } from '#core/diagnostics.ts';
import { parseBrand, valuesOf } from '#design/brand.ts';
import { design, isMissing } from '#design/design.ts';
import { hasMaterials } from '#design/is-design.ts';
import type { Materials, Missing } from '#design/materials.ts';
import { type References, references } from '#design/references.ts';
import type { RawDocument, RawLayer } from '../document/document.ts';

/** Brands and components, and how those that are missing are loaded. */
interface Loading extends Materials {
  load(missing: Missing): Promise<void>;
  /** Why one could not be loaded; null = it could, or was not tried. */
  failure(reference: string): string | null;
}

interface Made {
  readonly layer: RawLayer;
  /** What it depends on beside itself. */
  readonly around: string;
}

const made = new WeakMap<RawLayer, Made>();
const named = new WeakMap<object, References>();
const NO_BRAND = references(null, '');

/** @throws ValidationError with the path of a reference or a component that there is not */
export function plainDocument(document: RawDocument, designs: Loading): RawDocument | Promise<void> {
  const { layers = [], sizes, texts, parameters, brand, ...head } = document;
  const names = namesOf(brand, designs);
  if (names instanceof Promise) return names;
  const { lang, currency } = document;
  const around = JSON.stringify([brand, lang, currency]);
  const missing = { brands: new Set<string>(), templates: new Set<string>() };
  const plain = layers.map((layer, at): RawLayer => {
    const known = made.get(layer);
    if (known?.around === around) return known.layer;
    const result = plainLayer(document, layer, at, names, designs);
    if (isMissing(result)) {
      for (const one of result.brands) missing.brands.add(one);
      for (const one of result.templates) missing.templates.add(one);
      return layer;
    }
    made.set(layer, { layer: result, around });
    return result;
  });
  if (missing.brands.size + missing.templates.size > 0) {
    return designs.load({ brands: [...missing.brands], templates: [...missing.templates] });
  }
  const resolved = names.resolved(head, '') as RawDocument;
  return { ...resolved, layers: plain, ...(parameters !== undefined && { parameters }) };
}

function namesOf(brand: unknown, designs: Loading): References | Promise<void> {
  if (typeof brand !== 'string') return NO_BRAND;
  const document = designs.brands.get(brand);
  if (document === undefined) {
    const failure = designs.failure(brand);
    if (failure !== null) throw new ValidationError('brand', `cannot be used: ${failure}`);
    return designs.load({ brands: [brand], templates: [] });
  }
  const object = document as object;
  let names = named.get(object);
  if (!names) {
    names = references(valuesOf(parseBrand(document)), brand);
    named.set(object, names);
  }
  return names;
}

function plainLayer(
  { name, width, height, brand, lang, currency }: RawDocument,
  layer: RawLayer,
  at: number,
  names: References,
  designs: Loading,
): RawLayer | Missing {
  const text = JSON.stringify(layer);
  if (!hasMaterials(text)) return layer;
  const path = `layers[${at}]`;
  if (!text.includes('"type":"template"')) return names.resolved(layer, path) as RawLayer;
  try {
    const result = design({ name, width, height, brand, lang, currency, layers: [layer] }, {}, designs);
    if (isMissing(result)) return unlessFailed(result, path, designs);
    const [frame] = (result.template as unknown as RawDocument).layers ?? [];
    return frame ?? layer;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new ValidationError(error.path.replace(/^layers\[0\]/, path), error.problem);
  }
}

function unlessFailed(missing: Missing, path: string, designs: Loading): Missing {
  for (const reference of [...missing.templates, ...missing.brands]) {
    const failure = designs.failure(reference);
    if (failure !== null) throw new ValidationError(path, `shows ${reference}, which cannot be loaded: ${failure}`);
  }
  return missing;
}
