// A template as the editor holds it: the stored JSON, without the defaults that parsing fills in.
//
// Documents are immutable: an edit makes a new document that shares every layer that it does not change.

/** A line that layers snap to. */
export interface Guide {
  readonly axis: 'x' | 'y';
  /** Canvas px. */
  readonly at: number;
}

/** A layer as it is stored; `type` and `name` are present, all other properties may be missing. */
export interface RawLayer {
  readonly type: string;
  readonly name: string;
  readonly children?: readonly RawLayer[];
  readonly [property: string]: unknown;
}

/** A template of layers. */
export interface RawDocument {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly engine?: string;
  readonly layers?: readonly RawLayer[];
  readonly guides?: readonly Guide[];
  readonly [property: string]: unknown;
}

/** Properties by name. */
export type Fields = Readonly<Record<string, unknown>>;

export interface RawSize {
  readonly width: number;
  readonly height: number;
  readonly changes?: Fields;
}
export type RawSizes = Readonly<Record<string, RawSize>>;
export type RawTexts = Readonly<Record<string, Fields>>;

export const sizesOf = (document: RawDocument): RawSizes => (document.sizes ?? {}) as RawSizes;
export const textsOf = (document: RawDocument): RawTexts => (document.texts ?? {}) as RawTexts;

export interface Placed {
  readonly layer: RawLayer;
  /** The frame that contains it; null on the canvas. */
  readonly parent: RawLayer | null;
  /** Among its siblings, back to front. */
  readonly index: number;
  readonly depth: number;
}

/** Every layer, outer before inner, back to front. */
export function* walk(
  layers: readonly RawLayer[] | undefined,
  parent: RawLayer | null = null,
  depth = 0,
): Generator<Placed> {
  for (const [index, layer] of (layers ?? []).entries()) {
    yield { layer, parent, index, depth };
    if (layer.children) yield* walk(layer.children, layer, depth + 1);
  }
}

/** The index of each layer by name, cached because a document is queried often between two edits. */
const indexes = new WeakMap<RawDocument, ReadonlyMap<string, Placed>>();

export function layersByName(document: RawDocument): ReadonlyMap<string, Placed> {
  let index = indexes.get(document);
  if (!index) {
    index = new Map([...walk(document.layers)].map((placed) => [placed.layer.name, placed]));
    indexes.set(document, index);
  }
  return index;
}

export const findLayer = (document: RawDocument, name: string): RawLayer | null =>
  layersByName(document).get(name)?.layer ?? null;

export const parentOf = (document: RawDocument, name: string): RawLayer | null =>
  layersByName(document).get(name)?.parent ?? null;

const NO_GUIDES: readonly Guide[] = [];
export const guidesOf = (document: RawDocument): readonly Guide[] => document.guides ?? NO_GUIDES;

/** The layers on the canvas, or the children of a frame. */
export const childrenOf = (document: RawDocument, frame: string | null): readonly RawLayer[] =>
  (frame === null ? document.layers : findLayer(document, frame)?.children) ?? [];

/** The frames around a layer, the nearest first. */
export function framesAround(document: RawDocument, name: string): readonly string[] {
  const around: string[] = [];
  for (let frame = parentOf(document, name); frame; frame = parentOf(document, frame.name)) around.push(frame.name);
  return around;
}

/** The names that are not inside another of them: an operation on a frame includes its children. */
export function outermost(document: RawDocument, names: Iterable<string>): readonly string[] {
  const all = new Set(names);
  const index = layersByName(document);
  const kept = [...all].filter((name) => index.has(name) && !framesAround(document, name).some((one) => all.has(one)));
  // In painting order, regardless of the order in which they were selected.
  const order = new Map([...index.keys()].map((name, at) => [name, at]));
  return kept.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
}

export type Edit = (document: RawDocument) => RawDocument;

export type Values = Readonly<Record<string, unknown>>;

/** The layer that a path in an error message refers to: `layers[3].children[0].fontSize`, `layers.title.value`. */
export function layerAtPath(document: RawDocument, path: string): string | null {
  const named = /^(?:layers|modifications)(?:\.([^.[\]]+)|\["((?:[^"\\]|\\.)*)"\])/.exec(path);
  const name = named?.[1] ?? named?.[2];
  if (name !== undefined && findLayer(document, name)) return name;
  let layers: readonly RawLayer[] | undefined = document.layers;
  let found: RawLayer | undefined;
  for (const [, index] of path.matchAll(/(?:layers|children)\[(\d+)\]/g)) {
    found = layers?.[Number(index)] ?? found;
    layers = found?.children;
  }
  return found?.name ?? null;
}
