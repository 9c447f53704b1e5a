// The parameters of a template: the values that each of its named layers takes.

import type { TemplateDocument } from './contract.ts';

export interface Parameter {
  /** The layer's name. */
  readonly name: string;
  readonly type: string;
  /**
   * The property that a plain value changes: `text`, `src`, `value`, `fill`; null if a value can only show or hide the
   * layer.
   */
  readonly property: string | null;
  /** Its value in the template. */
  readonly value: string | null;
}

/** A copy of core's `PRIMARY_PROPERTY`: importing core's schemas would bring zod into every page. */
const PROPERTY: Readonly<Record<string, string | null>> = {
  text: 'text',
  image: 'src',
  shape: 'fill',
  frame: null,
  qr: 'value',
  barcode: 'value',
};

interface StoredLayer {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly children?: unknown;
  readonly [property: string]: unknown;
}

/** The parameters in layer order; layers that a plain value changes (texts, pictures, codes) come before the others. */
export function parametersOf(document: TemplateDocument): readonly Parameter[] {
  if (document.engine === 'html') return htmlParameters(String(document.html ?? ''));
  const all = [...walk(document.layers)];
  return [...all.filter(({ property }) => property !== null), ...all.filter(({ property }) => property === null)];
}

function* walk(layers: unknown): Generator<Parameter> {
  if (!Array.isArray(layers)) return;
  for (const layer of layers as readonly StoredLayer[]) {
    if (typeof layer.name === 'string' && typeof layer.type === 'string') {
      const property = PROPERTY[layer.type] ?? null;
      const value = property === null ? null : layer[property];
      yield { name: layer.name, type: layer.type, property, value: typeof value === 'string' ? value : null };
    }
    yield* walk(layer.children);
  }
}

function* htmlNames(html: string): Generator<string> {
  for (const [, name] of html.matchAll(/\bdata-layer\s*=\s*["']([^"']+)["']/g)) if (name) yield name;
}
const htmlParameters = (html: string): readonly Parameter[] =>
  [...new Set(htmlNames(html))].map((name) => ({ name, type: 'element', property: 'text', value: null }));

/** Values for a first example: the three most descriptive texts. */
export function exampleOf(parameters: readonly Parameter[]): Readonly<Record<string, string>> {
  const texts = parameters.filter(({ type, value }) => type === 'text' && value);
  const telling = texts.filter(({ name }) => /title|headline|name|price|heading/.test(name));
  const chosen = [...telling, ...texts.filter((one) => !telling.includes(one))].slice(0, 2);
  return Object.fromEntries(chosen.map(({ name, value }) => [name, value ?? '']));
}
