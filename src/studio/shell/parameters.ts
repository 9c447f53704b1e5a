// The parameters of a template: its named layers, with what the template's author says of them.

import { type ParameterKind, traitsOf } from '#core/template/layer-traits.ts';
import type { ParameterRules } from '#core/template/parameter-rules.ts';
import type { TemplateDocument } from './contract.ts';

export interface Parameter extends ParameterRules {
  /** The layer's name. */
  readonly name: string;
  /** The layer's type; `element` in an html template. */
  readonly type: string;
  /**
   * The property that a plain value changes: `text`, `src`, `value`, `fill`, `data`; null if a value can only show or hide the
   * layer.
   */
  readonly property: string | null;
  /** Its value in the template, of rich text without its styles; null if it is no text. */
  readonly value: string | null;
  /** The layer as it is stored. */
  readonly stored: Readonly<Record<string, unknown>>;
  /** The names of the frames that it is in, the outermost first. */
  readonly frames: readonly string[];
  /** Whether its value is a list, whose entries people give: of a table, or a frame that repeats. */
  readonly isList: boolean;
  /** Whether the template shows the layer. */
  readonly isShown: boolean;
  readonly kind: ParameterKind;
  /** What people call it: the name, unless the author chose another label. */
  readonly label: string;
  readonly help: string | null;
  /** Whether the author means it to be changed by people: not if they chose other layers, or hid it. */
  readonly isOffered: boolean;
}

/** Layers that people seldom look for, by type. */
const LATER: Readonly<Record<string, number>> = { shape: 1, frame: 2 };

interface StoredLayer {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly children?: unknown;
  readonly [property: string]: unknown;
}

/** What the document says of one parameter. */
interface Chosen extends ParameterRules {
  readonly layer: string;
  readonly label?: string;
  readonly help?: string;
  readonly hidden?: boolean;
}

/**
 * The author's parameters in their order, then the other layers: lists, texts, pictures and codes, then shapes, which take
 * a colour, and frames.
 */
export function parametersOf(document: TemplateDocument): readonly Parameter[] {
  const layers = document.engine === 'html' ? htmlLayers(String(document.html ?? '')) : [...walk(document.layers, [])];
  const chosen = document.parameters as readonly Chosen[] | undefined;
  const all = layers.map(({ layer, frames }) => ({ ...parameterOf(layer, chosen), frames }));
  const order = new Map(chosen?.map(({ layer }, index) => [layer, index]));
  const rank = ({ name, type, isList }: Parameter) =>
    order.get(name) ?? order.size + (isList ? 0 : 1 + (LATER[type] ?? 0));
  return all.toSorted((a, b) => rank(a) - rank(b));
}

function parameterOf(layer: StoredLayer, all: readonly Chosen[] | undefined): Omit<Parameter, 'frames'> {
  const name = String(layer.name);
  const type = String(layer.type);
  const property = traitsOf(type)?.primary ?? null;
  const chosen = all?.find((one) => one.layer === name);
  const { layer: _layer, label = name, help = null, hidden = false, ...rules } = chosen ?? { layer: name };
  const isList = chosen?.kind === undefined && isListLayer(layer);
  return {
    ...rules,
    ...{ name, type, property, label, help, stored: layer },
    kind: rules.kind ?? traitsOf(type)?.parameters[0] ?? 'text',
    value: property === null ? null : designValue(layer, property),
    isList,
    isShown: layer.visible !== false,
    // Frames without a list only group; whoever wants to offer one says so.
    isOffered:
      all === undefined
        ? (property !== null && !isCounter(layer) && !layer.from && layer.pdfPage === undefined) || isList
        : chosen !== undefined && !hidden,
  };
}

/** Whether a text only counts, as page numbers do: there are no words in it to be changed. */
const isCounter = ({ spans }: StoredLayer): boolean =>
  Array.isArray(spans) &&
  spans.some(({ counter }) => counter !== undefined) &&
  spans.every(({ counter, text = '' }) => counter !== undefined || !/[\p{L}\p{N}]/u.test(text));

/** A table of contents has its headings as entries. */
const isListLayer = ({ type, repeat, contents }: StoredLayer): boolean =>
  (type === 'table' && typeof contents !== 'number') || (type === 'frame' && Boolean(repeat));

function designValue(layer: StoredLayer, property: string): string | null {
  if (property === 'text' && Array.isArray(layer.spans)) {
    return layer.spans.map((span: { readonly text?: unknown }) => String(span.text ?? '')).join('');
  }
  const value = layer[property];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;
}

interface FramedLayer {
  readonly layer: StoredLayer;
  readonly frames: readonly string[];
}

function* walk(layers: unknown, frames: readonly string[]): Generator<FramedLayer> {
  if (!Array.isArray(layers)) return;
  for (const layer of layers as readonly StoredLayer[]) {
    const isNamed = typeof layer.name === 'string' && typeof layer.type === 'string';
    if (isNamed) yield { layer, frames };
    yield* walk(layer.children, isNamed ? [...frames, String(layer.name)] : frames);
  }
}

function htmlLayers(html: string): readonly FramedLayer[] {
  const names = [...html.matchAll(/\bdata-layer\s*=\s*["']([^"']+)["']/g)].map(([, name = '']) => name);
  return [...new Set(names)].map((name) => ({ layer: { name, type: 'element' }, frames: [] }));
}

/** Values for a first example: the two most descriptive texts. */
export function exampleOf(parameters: readonly Parameter[]): Readonly<Record<string, string>> {
  const texts = parameters.filter(({ type, value }) => type === 'text' && value);
  const telling = texts.filter(({ name }) => /title|headline|name|price|heading/.test(name));
  const chosen = [...telling, ...texts.filter((one) => !telling.includes(one))].slice(0, 2);
  return Object.fromEntries(chosen.map(({ name, value }) => [name, value ?? '']));
}
