// What changed between two versions of a template, layer by layer.

import type { TemplateDocument } from '../../shell/contract.ts';

export interface LayerChange {
  /** The layer's name; null: the document itself. */
  readonly name: string | null;
  readonly kind: 'added' | 'removed' | 'changed' | 'moved';
  readonly type: string;
  readonly properties: readonly PropertyChange[];
}

interface PropertyChange {
  readonly property: string;
  /** As short text; null: not set. */
  readonly before: string | null;
  readonly after: string | null;
}

interface Placed {
  readonly layer: Readonly<Record<string, unknown>>;
  /** The name of its frame and its index in it. */
  readonly parent: string;
  readonly order: number;
}

export function compareDocuments(before: TemplateDocument, after: TemplateDocument): readonly LayerChange[] {
  const old = layersOf(before);
  const now = layersOf(after);
  const changes: LayerChange[] = [];
  const own = compareProperties(inParts(before), inParts(after), ['layers', 'parameters', 'texts', 'sizes']);
  if (own.length > 0) changes.push({ name: null, kind: 'changed', type: 'document', properties: own });
  for (const [name, { layer, parent }] of now) {
    const was = old.get(name);
    const type = String(layer.type);
    if (!was) {
      changes.push({ name, kind: 'added', type, properties: [] });
      continue;
    }
    const properties = compareProperties(was.layer, layer, ['children', 'name']);
    const isMoved = was.parent !== parent || !isInOrder(name, old, now);
    if (properties.length > 0) changes.push({ name, kind: 'changed', type, properties });
    else if (isMoved) changes.push({ name, kind: 'moved', type, properties: [] });
  }
  for (const [name, { layer }] of old) {
    if (!now.has(name)) changes.push({ name, kind: 'removed', type: String(layer.type), properties: [] });
  }
  return changes;
}

/** The document with each of its parameters, their order, its sizes and its translations as properties of their own. */
function inParts(document: TemplateDocument): Readonly<Record<string, unknown>> {
  const parameters = document.parameters as readonly { readonly layer: string }[] | undefined;
  const rules = parameters?.map(({ layer, ...rule }) => [`parameter ${layer}`, rule] as const);
  const sizes = Object.entries((document.sizes ?? {}) as Readonly<Record<string, unknown>>);
  const words = Object.entries((document.texts ?? {}) as Readonly<Record<string, object>>);
  return {
    ...document,
    ...(rules && { ...Object.fromEntries(rules), 'the form offers': rules.map(([name]) => name.slice(10)).join(', ') }),
    ...Object.fromEntries(sizes.map(([name, size]) => [`size ${name}`, size])),
    ...Object.fromEntries(
      words.flatMap(([layer, languages]) =>
        Object.entries(languages).map(([lang, text]) => [`${layer}, ${lang}`, text] as const),
      ),
    ),
  };
}

/** Whether the same layers of the frame come before it in both versions. */
function isInOrder(name: string, old: ReadonlyMap<string, Placed>, now: ReadonlyMap<string, Placed>): boolean {
  const beforeIt = (all: ReadonlyMap<string, Placed>, other: ReadonlyMap<string, Placed>) => {
    const own = all.get(name);
    return [...all]
      .filter(([one, { parent, order }]) => other.has(one) && own && parent === own.parent && order < own.order)
      .filter(([one]) => other.get(one)?.parent === other.get(name)?.parent).length;
  };
  return beforeIt(old, now) === beforeIt(now, old);
}

function layersOf(document: TemplateDocument): ReadonlyMap<string, Placed> {
  const found = new Map<string, Placed>();
  const visit = (layers: unknown, parent: string) => {
    if (!Array.isArray(layers)) return;
    for (const [order, layer] of (layers as Readonly<Record<string, unknown>>[]).entries()) {
      found.set(String(layer.name), { layer, parent, order });
      visit(layer.children, String(layer.name));
    }
  };
  visit(document.layers, '');
  return found;
}

function compareProperties(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  except: readonly string[],
): readonly PropertyChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !except.includes(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((property) => ({ property, before: short(before[property]), after: short(after[property]) }));
}

const LONGEST = 120;

function short(value: unknown): string | null {
  if (value === undefined) return null;
  const text = spoken(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** A value in words: `y 4, blur 12, color #000`. */
function spoken(value: unknown): string {
  if (typeof value !== 'object' || value === null) return value === null ? '–' : String(value);
  const inner = (one: unknown) => (typeof one === 'object' && one !== null ? `(${spoken(one)})` : spoken(one));
  if (Array.isArray(value)) return value.map(inner).join(', ');
  return Object.entries(value)
    .map(([key, one]) => `${key} ${inner(one)}`)
    .join(', ');
}
