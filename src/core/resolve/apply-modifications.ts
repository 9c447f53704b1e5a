// Applies a caller's modifications to the layers of a template.
//
// A string sets the layer's primary property, a boolean its visibility, an object is a JSON Merge Patch (RFC 7396)
// whose result is validated again, and a list repeats a frame's children for each entry. Names that are not in the template have no effect and are reported. A layer without
// changes stays the stored object.

import { type Diagnostic, quoted, ValidationError } from '../diagnostics.ts';
import { isList } from '../long-list.ts';
import { nearestName } from '../nearest-name.ts';
import { repeatOf } from '../template/check-repeat.ts';
import { MAX_WORDS } from '../template/document-properties.ts';
import { formatOptions, hasNamedTexts, namesInTexts, type ValueSpan } from '../template/format.ts';
import type { FrameLayer, Layer } from '../template/layer.ts';
import { MAX_ENTRIES } from '../template/repeat.ts';
import { askedOutside, namesIn, type TableLayer } from '../template/table-layer.ts';
import {
  checkDepth,
  checkPathData,
  checkTemplate,
  MAX_LAYERS,
  type Template,
  walkLayers,
} from '../template/template.ts';
import { formatPath } from '../template/validation.ts';
import type { Completion } from './calculate.ts';
import { conditionsOf, holds, type Place, storedValue, valueIn } from './condition.ts';
import { formatList } from './format-value.ts';
import { withLists } from './list-text.ts';
import { decimal, isObject, MAX_SHOWN, modifyLayer, NONE } from './modify-layer.ts';
import { entryLayers, keepTemplateName, shownChildren, templateName } from './repeat.ts';
import type { valueNames } from './table-values.ts';

/** Layer name → string, number, boolean, merge patch or list of modifications; as the caller sent it, unchecked. */
export type Modifications = Readonly<Record<string, unknown>>;

/** More keys than this cannot be layers that a person wrote. */
export const MAX_MODIFICATIONS = 200;

export interface Modified {
  readonly template: Template;
  /** For each layer that is not the stored object. */
  readonly changes: ReadonlyMap<Layer, Change>;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Change {
  readonly stored: Layer;
  /** The properties in which the layer may differ from the stored one; null = any. */
  readonly properties: readonly string[] | null;
  /** Where in the input the layer is modified, for messages; null = nowhere, only its children are. */
  readonly path: string | null;
}

/** What completes layers of a template that calculate, name values or have rows; an editor loads it when one does. */
export interface RarerValues {
  readonly Completion: typeof Completion;
  readonly valueNames: typeof valueNames;
}

/** Code is needed that is not there. */
export class NotLoaded extends Error {
  /** `values` is the one part that templates without tables and charts need, too. */
  readonly part: 'values' | 'layers';

  constructor(part: NotLoaded['part']) {
    super(`The code for ${part} is not loaded.`);
    this.part = part;
  }
}

/** Properties of a PDF that may name values. */
const SHOWN = ['title', 'author', 'subject'] as const;

/**
 * @throws ValidationError naming `modifications.<layer>.<property>` when a value does not fit its layer
 * @throws NotLoaded if something of `rarer` is needed and missing
 */
export function applyModifications(template: Template, given: Modifications, rarer: Partial<RarerValues>): Modified {
  const modifications = withLists(template, given);
  const names = Object.keys(modifications);
  const conditions = conditionsOf(template);
  const namedInPdf = SHOWN.flatMap((property) => namesInTexts(template.pdf?.[property]));
  const isPlain = !conditions.areAny && namedInPdf.length === 0 && !isCompleted(template.layers);
  if (names.length === 0 && isPlain) return { template, changes: new Map(), diagnostics: [] };
  const isTable = (name: string) => conditions.layers.get(name)?.type === 'table';
  const values = [...valuesIn(modifications, 'modifications', isTable)];
  for (const value of values) if (isObject(value)) checkDepth(value.children, 'modifications', 1);
  checkPathData(values, 'modifications');

  const applying = new Applying(template, rarer);
  const source: Source = { values: modifications, path: 'modifications', unknown: new Set(names) };
  const asked = [...conditions.names, ...namedInPdf];
  for (const name of asked) source.unknown.delete(name);
  const scope: Scope = { sources: [source], place: null };
  const layers = applying.visit(template.layers, scope);
  const completed = applying.completed(template.layers, layers, scope);
  const modified = { ...template, layers: completed, pdf: applying.document(completed, scope) };

  // New children may clash with names elsewhere, be too many, or be too deep in the frames around them.
  if (applying.structureChanged) {
    checkTemplate(modified);
    checkPathData(modified.layers, 'modifications');
  }
  const { changes, diagnostics } = applying;
  const inTemplate = source.unknown.size > 0 ? [...walkLayers(modified.layers)] : [];
  const known = [...inTemplate.map(({ layer }) => templateName(layer)), ...asked];
  for (const name of source.unknown) diagnostics.push(unknownLayer(name, diagnostics.length < MAX_SHOWN ? known : []));
  return { template: modified, changes, diagnostics };
}

/**
 * The values of modifications, and those of each entry of the lists among them.
 *
 * @param isTable whether a name is that of a table, whose schema limits its rows
 */
function* valuesIn(modifications: Modifications, path: string, isTable: (name: string) => boolean): Generator<unknown> {
  const names = Object.keys(modifications);
  if (names.length > MAX_MODIFICATIONS) {
    throw new ValidationError(path, `must name at most ${MAX_MODIFICATIONS} layers, this names ${names.length}`);
  }
  for (const name of names) {
    const value = modifications[name];
    yield value;
    if (!Array.isArray(value) || isTable(name)) continue;
    const where = formatPath(path, [name]);
    if (value.length > MAX_ENTRIES) {
      throw new ValidationError(where, `must have at most ${MAX_ENTRIES} entries, this has ${value.length}`);
    }
    for (const [index, entry] of value.entries()) {
      if (isObject(entry)) yield* valuesIn(entry, `${where}[${index}]`, isTable);
    }
  }
}

/** Values for layers by name: those of the request, of an entry of a list, or of every second entry. */
interface Source {
  readonly values: Modifications;
  /** Where they are in the input, such as `modifications.lines[3]`. */
  readonly path: string;
  /** The names for which no layer was found so far. */
  readonly unknown: Set<string>;
}

/** What applies to layers: to those of the template, or to those of one entry of a list. */
interface Scope {
  /** Merged in order, so the last one wins. */
  readonly sources: readonly Source[];
  /** null outside lists. */
  readonly place: Place | null;
}

/** One application of modifications to a template. */
class Applying {
  readonly diagnostics: Diagnostic[] = [];
  readonly changes = new Map<Layer, Change>();
  /** Whether any frame has other children than the stored one. */
  structureChanged = false;
  /** Layers made for the entries of lists. */
  #made = 0;
  /** Characters of the strings in them. */
  #characters = 0;
  readonly #entries = new Map<Layer, readonly (readonly Layer[])[]>();
  /** Texts that the caller hides: what the template has in them is in no sum. */
  readonly #withoutValue = new Set<Layer>();
  /** Names that the entries of a list have and its layers do not, each once. */
  readonly #reported = new Set<string>();
  readonly #template: Template;

  readonly #rarer: Partial<RarerValues>;

  constructor(template: Template, rarer: Partial<RarerValues>) {
    this.#template = template;
    this.#rarer = rarer;
  }

  visit(layers: Layer[], scope: Scope): Layer[] {
    const visited = layers.map((stored) => this.#visitLayer(stored, scope));
    return visited.every((layer, i) => layer === layers[i]) ? layers : visited;
  }

  #visitLayer(stored: Layer, scope: Scope): Layer {
    const name = templateName(stored);
    let layer = stored;
    let properties: Change['properties'] = NONE;
    let path: string | null = null;
    let list: List | null = null;
    let isHidden = false;
    for (const source of scope.sources) {
      if (!Object.hasOwn(source.values, name)) continue;
      source.unknown.delete(name);
      const where = formatPath(source.path, [name]);
      const value = this.#joined(layer, source.values[name], where);
      if (Array.isArray(value) && layer.type === 'frame' && layer.repeat !== false) {
        list = { entries: value, path: where };
        continue;
      }
      const own = valueIn(value, layer);
      if (own !== undefined) isHidden = own === false;
      const change = modifyLayer(layer, value, where, this.diagnostics);
      if (change.layer !== layer) path = where;
      layer = change.layer;
      if (layer.type === 'table' && (isList(value) || (isObject(value) && value.rows))) {
        this.#reportValues(layer, where);
      }
      properties = properties && change.properties && [...properties, ...change.properties];
    }
    let entries: readonly (readonly Layer[])[] | null = null;
    if (layer.type === 'frame') {
      if (layer.children !== (stored as FrameLayer).children) this.structureChanged = true;
      entries = list && this.#repeated(layer, list, scope);
      // A list within an entry that gives it none: the children are copies, which its `repeat` does not name.
      const isUnfilled = !list && scope.place !== null && typeof layer.repeat === 'object';
      const designed = isUnfilled ? [...shownChildren(layer)] : layer.children;
      const children = list && entries ? this.#shown(layer, list, entries, scope) : this.visit(designed, scope);
      if (children !== layer.children) {
        layer = { ...layer, children, ...((list || isUnfilled) && { repeat: false }) };
        properties = properties && [...properties, 'children', 'repeat'];
      }
    }
    if (
      layer.visible &&
      layer.when !== null &&
      !holds(layer.when, name, scope.place, (of) => this.#valueOf(of, scope))
    ) {
      layer = { ...layer, visible: false };
    }
    if (layer !== stored) {
      keepTemplateName(layer, stored);
      this.changes.set(layer, { stored, properties, path });
    }
    if (entries) this.#entries.set(layer, entries);
    if (isHidden) this.#withoutValue.add(layer);
    return layer;
  }

  /** The value that a request gives a name, or that it has in the template. */
  #valueOf(name: string, { sources }: Scope): unknown {
    const layer = conditionsOf(this.#template).layers.get(name);
    const given = sources.map(({ values }) => (Object.hasOwn(values, name) ? valueIn(values[name], layer) : undefined));
    return given.findLast((value) => value !== undefined) ?? storedValue(layer);
  }

  /**
   * The layers with what they calculate, unless the caller gives it, and with the values that they show of others.
   *
   * @param stored as the template has them
   * @param layers as they were modified
   */
  completed(stored: readonly Layer[], layers: Layer[], scope: Scope): Layer[] {
    if (!isCompleted(stored)) return layers;
    const completion = this.#completion(layers, scope);
    const completed = (layer: Layer): Layer => {
      const values = completion.of(layer);
      if (values) return this.#changed(layer, values, Object.keys(values));
      if (layer.type !== 'frame' || this.#entries.has(layer)) return layer;
      const children = layer.children.map(completed);
      const isSame = children.every((child, i) => child === layer.children[i]);
      return isSame ? layer : this.#changed(layer, { children }, ['children']);
    };
    return layers.map(completed);
  }

  #completion(layers: readonly Layer[], scope: Scope): Completion {
    const { layers: stored } = conditionsOf(this.#template);
    const sourceOf = (name: string) => scope.sources.findLast(({ values }) => Object.hasOwn(values, name));
    if (!this.#rarer.Completion) throw new NotLoaded('values');
    return new this.#rarer.Completion(layers, {
      entries: this.#entries,
      withoutValue: this.#withoutValue,
      locale: this.#template,
      pathOf: (layer) => this.changes.get(layer)?.path ?? formatPath('layers', [layer.name]),
      given: (name) => {
        const source = sourceOf(name);
        return source && valueIn(source.values[name], stored.get(name));
      },
      pathOfGiven: (name) => {
        const source = sourceOf(name);
        return source ? formatPath(source.path, [name]) : null;
      },
      isGiven: (layer, property) => isGiven(layer, property, scope.sources),
      stored: (name) => storedValue(stored.get(name)),
      lacks: (list, name, known) => {
        const near = nearestName(name, known);
        const meant = near === null ? '.' : `; did you mean ${quoted(near)}?`;
        const message = `Layer ${quoted(list)} has no value ${quoted(name)}, which is shown or calculated with${meant}`;
        if (this.diagnostics.some((other) => other.message === message)) return;
        this.diagnostics.push({ code: 'unknown-layer', layer: list, message });
      },
    });
  }

  /** The properties of a PDF with the values that they name. */
  document(layers: readonly Layer[], scope: Scope): Template['pdf'] {
    const { pdf } = this.#template;
    const named = SHOWN.filter((property) => namesInTexts(pdf?.[property]).length > 0);
    if (!pdf || named.length === 0) return pdf;
    const completion = this.#completion(layers, scope);
    const filled = named.map((property) => {
      const spans = completion.filled(pdf[property] as ValueSpan[], this.#template.lang ?? null, `pdf.${property}`);
      return [
        property,
        spans
          .map(({ text }) => text)
          .join('')
          .trim()
          .slice(0, MAX_WORDS),
      ];
    });
    // A property that is empty is none.
    return { ...pdf, ...Object.fromEntries(filled.map(([property, text]) => [property, text || undefined])) };
  }

  #changed(layer: Layer, values: Partial<Layer>, names: readonly string[]): Layer {
    const changed = { ...layer, ...values } as Layer;
    keepTemplateName(changed, layer);
    const { stored, properties, path } = this.changes.get(layer) ?? { stored: layer, properties: NONE, path: null };
    this.changes.set(changed, { stored, properties: properties && [...properties, ...names], path });
    return changed;
  }

  /** For a text whose format is a list, the text of one; else the value itself. */
  #joined(layer: Layer, value: unknown, path: string): unknown {
    if (!Array.isArray(value) || layer.type !== 'text' || layer.format === null) return value;
    if (formatOptions(layer.format).type !== 'list') return value;
    const entries = value.map((entry: unknown, index) => {
      if (typeof entry !== 'string' && typeof entry !== 'number') {
        throw new ValidationError(`${path}[${index}]`, 'must be a string or a number');
      }
      return typeof entry === 'number' ? decimal(entry) : entry;
    });
    return formatList(entries, layer, this.#template);
  }

  /** The layers of each entry of a list, also of those beyond the most that are shown. */
  #repeated(frame: FrameLayer, { entries, path }: List, scope: Scope): readonly (readonly Layer[])[] {
    this.structureChanged = true;
    const { max, separator, alternate } = repeatOf(frame) ?? NO_OPTIONS;
    const names = new Set([...walkLayers(frame.children)].map(({ layer }) => templateName(layer)));
    for (const { values, unknown } of scope.sources) {
      for (const name of names) if (Object.hasOwn(values, name)) unknown.delete(name);
    }
    const asked = conditionsOf(this.#template).names;
    const repeated = charactersIn(frame.children) + charactersIn(alternate) + valuesFor(names, scope.sources);
    this.#characters += entries.length * repeated;
    if (this.#characters > MAX_REPEATED) {
      throw new ValidationError(path, `with these entries more than ${MAX_REPEATED} characters are repeated`);
    }
    this.#made += entries.length * names.size;
    if (this.#made > MAX_LAYERS) {
      throw new ValidationError(path, `with these entries the template has more than ${MAX_LAYERS} layers`);
    }
    const look: Source | null = alternate && {
      values: alternate,
      path: formatPath('layers', [templateName(frame), 'repeat', 'alternate']),
      unknown: new Set(),
    };
    const count = Math.min(entries.length, max ?? Infinity);
    return entries.map((entry, index) => {
      const where = `${path}[${index}]`;
      if (!isObject(entry)) throw new ValidationError(where, 'must be an object of values for the layers of the entry');
      const own: Source = { values: entry, path: where, unknown: new Set(Object.keys(entry)) };
      for (const name of [...names, ...asked]) own.unknown.delete(name);
      for (const unknown of own.unknown) this.#report(unknown, frame, names, where);
      const second: Source[] = index % 2 === 1 && look ? [look] : [];
      const layers = entryLayers(frame, index).filter((layer) => index > 0 || templateName(layer) !== separator);
      const merged: Scope = {
        sources: [...second, ...scope.sources, own],
        place: { index, count },
      };
      return this.completed(frame.children, this.visit(separatorFirst(layers, separator), merged), merged);
    });
  }

  /** The children of a frame with a list: those of the entries that it shows. */
  #shown(frame: FrameLayer, { entries }: List, layers: readonly (readonly Layer[])[], scope: Scope): Layer[] {
    const { max, empty } = repeatOf(frame) ?? NO_OPTIONS;
    if (layers.length === 0) {
      const children = frame.children.filter((child) => templateName(child) === empty);
      return this.visit(children, scope);
    }
    if (max !== null && layers.length > max) {
      this.diagnostics.push({
        code: 'entries-left-out',
        layer: frame.name,
        message: `Layer ${JSON.stringify(frame.name)} shows ${max} of ${entries.length} entries.`,
      });
    }
    return layers.slice(0, max ?? undefined).flat();
  }

  /** Warns of values that a table's rows have and its cells do not show: once for each name. */
  #reportValues(table: TableLayer, path: string): void {
    if (table.contents !== null) return;
    if (!this.#rarer.valueNames) throw new NotLoaded('layers');
    const known = this.#rarer.valueNames(table);
    let reported = 0;
    for (const [name, index] of namesIn(table.rows)) {
      if (known.has(name)) continue;
      this.#report(name, table, known, `${path}[${index}]`);
      reported += 1;
      if (reported > MAX_SHOWN) return;
    }
  }

  /** Warns of a name in an entry that its layers or cells do not have: once for each list and name. */
  #report(name: string, list: FrameLayer | TableLayer, known: ReadonlySet<string>, where: string): void {
    const key = JSON.stringify([templateName(list), name]);
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    if (this.diagnostics.length >= MAX_SHOWN) {
      this.diagnostics.push(ANOTHER_NAME);
      return;
    }
    const near = nearestName(name, known);
    const path = formatPath(where, [name]).replace(/^modifications\./, '');
    const part = list.type === 'table' ? 'cell' : 'layer';
    this.diagnostics.push({
      code: 'unknown-layer',
      layer: null,
      message: `The entries of ${JSON.stringify(templateName(list))} have no ${part} for ${path}${near === null ? '.' : `; did you mean ${JSON.stringify(near)}?`}`,
    });
  }
}

const ANOTHER_NAME: Diagnostic = { code: 'unknown-layer', layer: null, message: 'Another name without a layer.' };

/** Whether any of the layers, or of those in frames that do not repeat, calculates or shows the value of another. */
function isCompleted(layers: readonly Layer[]): boolean {
  let known = completing.get(layers);
  if (known === undefined) {
    known = layers.some(isCompletedLayer);
    completing.set(layers, known);
  }
  return known;
}

function isCompletedLayer(layer: Layer): boolean {
  switch (layer.type) {
    case 'frame':
      return isCompleted(layer.children);
    case 'text':
      return layer.calculate !== null || hasNamedTexts(layer.spans);
    case 'qr':
    case 'barcode':
      return layer.spans !== null;
    case 'table':
      return layer.totals !== null || askedOutside(layer).size > 0;
    case 'chart':
      return layer.from !== null;
    case 'image':
    case 'shape':
      return false;
  }
}

const completing = new WeakMap<readonly Layer[], boolean>();

interface List {
  readonly entries: readonly unknown[];
  readonly path: string;
}

/** Whether the caller sets a property of a layer, by itself or as its value, so that nothing is calculated. */
function isGiven(layer: Layer, property: string, sources: readonly Source[]): boolean {
  const name = templateName(layer);
  return sources.some(({ values }) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (typeof value === 'string' || typeof value === 'number' || Array.isArray(value)) return true;
    return isObject(value) && Object.hasOwn(value, property);
  });
}

const NO_OPTIONS = { max: null, empty: null, separator: null, alternate: null };

/** Characters of strings that all entries together may repeat: paths and sources of images are parsed for each. */
const MAX_REPEATED = 2_000_000;

const charactersOf = new WeakMap<object, number>();

/** Characters of all strings in a value. */
function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let characters = charactersOf.get(value);
  if (characters === undefined) {
    characters = Object.values(value).reduce<number>((sum, inner) => sum + charactersIn(inner), 0);
    charactersOf.set(value, characters);
  }
  return characters;
}

/** Characters of what the sources say about these names. */
function valuesFor(names: ReadonlySet<string>, sources: readonly Source[]): number {
  let characters = 0;
  for (const { values } of sources) {
    for (const name of names) if (Object.hasOwn(values, name)) characters += charactersIn(values[name]);
  }
  return characters;
}

function separatorFirst(layers: readonly Layer[], separator: string | null): Layer[] {
  const isSeparator = (layer: Layer) => templateName(layer) === separator;
  return [...layers.filter(isSeparator), ...layers.filter((layer) => !isSeparator(layer))];
}

/** The warning for a modification that names no layer, with the nearest existing name. */
export function unknownLayer(name: string, known: readonly string[]): Diagnostic {
  const near = nearestName(name, known);
  const shown = quoted(name);
  return {
    code: 'unknown-layer',
    layer: null,
    message: `The template has no layer ${shown}${near === null ? '.' : `; did you mean ${JSON.stringify(near)}?`}`,
  };
}
