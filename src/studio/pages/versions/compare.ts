// What changed between two versions of a template, layer by layer, in the words of the inspector.

import { languageName } from '../../parts/language-name.ts';
import type { TemplateDocument } from '../../shell/contract.ts';
import { propertyLabel, texts } from '../../texts/editor.ts';
import { texts as pages } from '../../texts/pages.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface LayerChange {
  /** The layer's name; null: the document itself. */
  readonly name: string | null;
  readonly kind: 'added' | 'removed' | 'changed' | 'moved';
  readonly type: string;
  readonly properties: readonly PropertyChange[];
}

interface PropertyChange {
  /** As its field is called, in the language of the interface. */
  readonly property: string;
  /** As short text; null: not set. */
  readonly before: string | null;
  readonly after: string | null;
}

interface Placed {
  readonly layer: Fields;
  /** The name of its frame and its index in it. */
  readonly parent: string;
  readonly order: number;
}

export function compareDocuments(before: TemplateDocument, after: TemplateDocument): readonly LayerChange[] {
  const old = layersOf(before);
  const now = layersOf(after);
  const changes: LayerChange[] = [];
  const own = compareProperties(inParts(before), inParts(after));
  if (own.length > 0) changes.push({ name: null, kind: 'changed', type: 'document', properties: own });
  for (const [name, { layer, parent }] of now) {
    const was = old.get(name);
    const type = String(layer.type);
    if (!was) {
      changes.push({ name, kind: 'added', type, properties: [] });
      continue;
    }
    const properties = compareProperties(labelled(was.layer), labelled(layer));
    const isMoved = was.parent !== parent || !isInOrder(name, old, now);
    if (properties.length > 0) changes.push({ name, kind: 'changed', type, properties });
    else if (isMoved) changes.push({ name, kind: 'moved', type, properties: [] });
  }
  for (const [name, { layer }] of old) {
    if (!now.has(name)) changes.push({ name, kind: 'removed', type: String(layer.type), properties: [] });
  }
  return changes;
}

type Sizes = Readonly<Record<string, Readonly<Record<string, unknown>> & { readonly changes?: object }>>;

/**
 * The properties of the document, with each of its parameters, their order, its sizes, what each changes of a layer, and
 * its translations as one of their own.
 */
function inParts({ layers: _, parameters, texts: words, sizes, ...own }: TemplateDocument): Fields {
  const { parameter, theForm, size: sizeOf } = pages.value.versions;
  const parts = Object.entries(own).map(([name, value]) => [propertyLabel(name), value] as const);
  const rules = parameters as readonly { readonly layer: string }[] | undefined;
  for (const { layer, ...rule } of rules ?? []) parts.push([parameter(layer), rule]);
  if (rules) parts.push([theForm, rules.map(({ layer }) => layer).join(', ')]);
  for (const [name, { changes = {}, ...size }] of Object.entries((sizes ?? {}) as Sizes)) {
    parts.push([sizeOf(name), size]);
    for (const [layer, patch] of Object.entries(changes)) parts.push([`${layer}, ${name}`, patch]);
  }
  for (const [layer, languages] of Object.entries((words ?? {}) as Readonly<Record<string, object>>)) {
    for (const [lang, text] of Object.entries(languages)) parts.push([`${layer}, ${languageName(lang)}`, text]);
  }
  return Object.fromEntries(parts);
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
    for (const [order, layer] of (layers as Fields[]).entries()) {
      found.set(String(layer.name), { layer, parent, order });
      visit(layer.children, String(layer.name));
    }
  };
  visit(document.layers, '');
  return found;
}

/** The properties of a layer, but for those that are compared otherwise. */
const labelled = ({ children: _, name: __, ...layer }: Fields): Fields =>
  Object.fromEntries(Object.entries(layer).map(([name, value]) => [propertyLabel(name), value]));

function compareProperties(before: Fields, after: Fields): readonly PropertyChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((property) => ({ property, before: short(before[property]), after: short(after[property]) }));
}

const LONGEST = 120;

function short(value: unknown): string | null {
  if (value === undefined) return null;
  const text = spoken(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const isText = (value: object): value is { readonly text: string } => 'text' in value && typeof value.text === 'string';

/** A value in words: `Y 4, Blur 12, Color #000`; of words with a style, the words and the style. */
function spoken(value: unknown): string {
  const { forms } = texts.value;
  if (typeof value === 'boolean') return value ? forms.on : forms.off;
  if (typeof value !== 'object' || value === null) return value === null ? '–' : String(value);
  const inner = (one: unknown) =>
    typeof one === 'object' && one !== null && !isText(one) ? `(${spoken(one)})` : spoken(one);
  if (Array.isArray(value)) return value.map(inner).join(', ');
  if (isText(value)) {
    const { text, ...rest } = value;
    return Object.keys(rest).length > 0 ? `${text.trim()} (${spoken(rest)})` : text.trim();
  }
  return Object.entries(value)
    .map(([key, one]) => `${propertyLabel(key)} ${inner(one)}`)
    .join(', ');
}
